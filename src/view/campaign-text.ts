/** A campaign for people: its files, where it stands, and what to type next. */
import type { CampaignStatus } from "../contract/campaign-files.ts";
import { shorten } from "../core/shorten.ts";
import { type Canvas, labelled, type NextStep, quotation, steps } from "./canvas.ts";
import { neutralise } from "./neutralise.ts";
import { oneLine } from "./report-words.ts";

interface CampaignSight {
  readonly status: CampaignStatus;
  readonly folderPath: string;
  readonly branch: string | null;
  readonly commits: readonly string[];
  /** Why the command ended, where it ran the campaign; null where it only looks. */
  readonly ended: { readonly message: string } | null;
  /** What the heartbeats say, where there are any. */
  readonly life: readonly string[];
}

const WORDS = {
  complete: "The campaign is complete.",
  blocked: "The campaign is blocked, and needs a person.",
  timeout: "The campaign has used up its iterations.",
} as const satisfies Record<NonNullable<CampaignStatus["sentinel"]>, string>;

const TEXT_CHARS = 600;

export function campaignCard(sight: CampaignSight, canvas: Canvas): string {
  const { status, folderPath, branch, commits } = sight;
  const { slug, sentinel, iteration, max_iter, verified_stories, stories_total } = status;
  const verified = verified_stories.length === 0 ? "" : `: ${verified_stories.join(", ")}`;
  const lines = [
    "",
    `${markOf(status, canvas)} ${canvas.style("strong", sentinel === null ? "The campaign goes on." : WORDS[sentinel])}`,
    ...quotation(shorten(sight.ended?.message ?? status.message, TEXT_CHARS), canvas),
    "",
    ...labelled("campaign", slug, canvas),
    ...labelled("iteration", `${iteration} of ${max_iter}`, canvas),
    ...labelled("next", nextWords(status), canvas),
    ...labelled("verified", `${verified_stories.length} of ${stories_total}${verified}`, canvas),
    ...labelled(
      "failures",
      `${status.consecutive_failures} in a row; last result: ${status.last_result}`,
      canvas,
    ),
    ...labelled("commits", branch === null ? "none" : `${commits.length} on ${neutralise(branch)}`, canvas),
    ...sight.life.flatMap((words) => labelled("life", oneLine(words), canvas)),
    ...labelled("folder", neutralise(folderPath), canvas),
    "",
    "Next:",
    ...steps(nextSteps(status), canvas),
  ];
  return `${lines.join("\n")}\n`;
}

function markOf({ sentinel }: CampaignStatus, { style }: Canvas): string {
  if (sentinel === null) return style("strong", "…");
  return sentinel === "complete" ? style("good", "✓") : style("bad", "✗");
}

function nextWords({ phase, story, worker_model, verifier_model }: CampaignStatus): string {
  if (phase === "done") return "nothing";
  const model = phase === "worker" ? worker_model : verifier_model;
  return `${phase} on ${story}${model === null ? "" : ` with ${neutralise(model)}`}`;
}

const step = (command: string, explains: string): NextStep => ({ command, explains });

function nextSteps({ slug, sentinel }: CampaignStatus): readonly NextStep[] {
  const logs = step(`relais campaign logs ${slug}`, "the last iteration");
  if (sentinel === null) return [step(`relais campaign run ${slug}`, "go on"), logs];
  const clean = step(`relais campaign clean ${slug}`, "so that it can be run again");
  return sentinel === "complete" ? [logs, step("relais history list", "every tick")] : [logs, clean];
}

interface MadeFiles {
  readonly slug: string;
  readonly files: readonly { readonly path: string; readonly state: "written" | "kept" }[];
  readonly problems: readonly string[];
}

/** What was made, and what is still to be decided. */
export function campaignFilesText({ slug, files, problems }: MadeFiles, canvas: Canvas): string {
  const open = problems.flatMap((problem) => quotation(problem, canvas));
  const next =
    problems.length === 0
      ? [step(`relais campaign run ${slug}`, "begin")]
      : [step(`relais campaign init ${slug}`, "look at it again, once prd.md and test-spec.md are mended")];
  const lines = [
    ...files.map(({ path, state }) => `${state === "written" ? "wrote" : "kept "} ${neutralise(path)}`),
    ...(open.length === 0 ? [] : ["", "Before it can be run:", ...open]),
    "",
    "Next:",
    ...steps(next, canvas),
  ];
  return `${lines.join("\n")}\n`;
}
