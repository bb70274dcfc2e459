/** A campaign for people: its files, where it stands, and what to type next. */
import type { CampaignStatus, CampaignSummary } from "../../contract/workflows/campaign-files.ts";
import type { SeriesSummary } from "../../contract/journal/series.ts";
import { shorten } from "../../core/words/shorten.ts";
import { type Canvas, renderLabelled, type NextStep, renderQuotation, renderSteps, type Tone } from "../text/canvas.ts";
import { renderCard } from "../cards/card.ts";
import { neutralise } from "../text/neutralise.ts";
import { renderSeriesFacts } from "./series-facts.ts";

interface CampaignSight {
  readonly status: CampaignStatus;
  readonly folderPath: string;
  readonly branch: string | null;
  readonly commits: readonly string[];
  /** How the command ended, where it ran the campaign; null where it only looks. */
  readonly ended: SeriesSummary | null;
  /** What its heartbeats say; null where nobody runs it, as far as is known. */
  readonly life: Pick<CampaignSummary, "leader" | "session">;
}

const WORDS = {
  complete: "The campaign is complete.",
  blocked: "The campaign is blocked and needs your help.",
  timeout: "The campaign used all its iterations.",
} as const satisfies Record<NonNullable<CampaignStatus["sentinel"]>, string>;

const LIFE = {
  alive: "running",
  stale: "no heartbeat",
  gone: "stopped without an end; run the same command to continue",
} as const;

const TEXT_CHARS = 600;

export function renderCampaignCard(sight: CampaignSight, canvas: Canvas): string {
  const { status, ended } = sight;
  const text = renderCard(
    {
      ...markOf(status),
      word: null,
      title: titleOf(sight),
      why: renderQuotation(shorten(ended?.message ?? status.message, TEXT_CHARS), canvas),
      facts: facts(sight, canvas),
      advice: adviceOf(sight),
      next: nextSteps(sight),
    },
    canvas,
  );
  return `\n${text}`;
}

function titleOf({ status: { sentinel }, life: { leader } }: CampaignSight): string {
  if (sentinel !== null) return WORDS[sentinel];
  return leader === "alive" || leader === "stale" ? "The campaign is running." : "The campaign is not finished.";
}

/** The hint of the ended series; a complete campaign needs none. */
function adviceOf({ ended, status: { sentinel } }: CampaignSight): string | null {
  return ended === null || ended.hint === null || sentinel === "complete" ? null : neutralise(ended.hint);
}

function facts({ status, folderPath, branch, commits, life, ended }: CampaignSight, canvas: Canvas): readonly string[] {
  const { slug, iteration, max_iter, verified_stories, stories_total } = status;
  const verified = verified_stories.length === 0 ? "" : `: ${verified_stories.join(", ")}`;
  const failures = `${status.consecutive_failures} in a row; last result: ${status.last_result}`;
  return [
    ...renderLabelled("campaign", slug, canvas),
    ...renderLabelled("iteration", `${iteration} of ${max_iter}`, canvas),
    ...renderLabelled("next", nextWords(status), canvas),
    ...renderLabelled("verified", `${verified_stories.length} of ${stories_total}${verified}`, canvas),
    ...renderLabelled("failures", failures, canvas),
    ...(ended === null
      ? renderLabelled("commits", branch === null ? "none" : `${commits.length} on ${neutralise(branch)}`, canvas)
      : renderSeriesFacts(ended, canvas)),
    ...lifeLines(life, canvas),
    ...renderLabelled("folder", neutralise(folderPath), canvas),
  ];
}

function lifeLines({ leader, session }: CampaignSight["life"], canvas: Canvas): readonly string[] {
  return [
    ...(leader === null ? [] : renderLabelled("leader", LIFE[leader], canvas)),
    ...(session === null ? [] : renderLabelled(session.role, LIFE[session.state], canvas)),
  ];
}

function markOf({ sentinel }: CampaignStatus): { readonly mark: string; readonly tone: Tone } {
  if (sentinel === null) return { mark: "…", tone: "strong" };
  return sentinel === "complete" ? { mark: "✓", tone: "good" } : { mark: "✗", tone: "bad" };
}

function nextWords({ phase, story, worker_model, verifier_model }: CampaignStatus): string {
  if (phase === "done") return "nothing";
  const model = phase === "worker" ? worker_model : verifier_model;
  return `${phase} on ${story}${model === null ? "" : ` with ${neutralise(model)}`}`;
}

const step = (command: string, explains: string): NextStep => ({ command, explains });

function nextSteps({ status: { slug, sentinel }, life }: CampaignSight): readonly NextStep[] {
  const logs = step(`relais campaign logs ${slug}`, "show the last iteration");
  if (sentinel === null && (life.leader === "alive" || life.leader === "stale"))
    return [
      step("relais status --watch", "watch progress"),
      step(`relais campaign stop ${slug}`, "stop it; you can continue later"),
    ];
  if (sentinel === null) return [step(`relais campaign run ${slug}`, "continue"), logs];
  const clean = step(`relais campaign clean ${slug}`, "reset it, to run it again");
  return sentinel === "complete" ? [logs, step("relais history list", "list all ticks")] : [logs, clean];
}

interface Stage {
  readonly slug: string;
  readonly name: string;
  readonly pid: number | null;
  readonly attach: string;
}

/** What is said once a campaign runs in the background. */
export function stageText({ slug, name, pid, attach }: Stage): string {
  return [
    `The campaign ${slug} runs in the background, as process ${pid ?? "?"}.`,
    `The tmux session ${name} shows it; you may close it.`,
    `Next: ${attach}`,
    `      relais campaign stop ${slug}`,
    "",
  ].join("\n");
}

interface MadeFiles {
  readonly slug: string;
  readonly files: readonly { readonly path: string; readonly state: "written" | "kept" }[];
  readonly problems: readonly string[];
}

/** What was made, and what is still to be decided. */
export function renderCampaignFiles({ slug, files, problems }: MadeFiles, canvas: Canvas): string {
  const open = problems.flatMap((problem) => renderQuotation(problem, canvas));
  const next =
    problems.length === 0
      ? [step(`relais campaign run ${slug}`, "begin")]
      : [step(`relais campaign init ${slug}`, "check it again after you fixed prd.md and test-spec.md")];
  const lines = [
    ...files.map(({ path, state }) => `${state === "written" ? "wrote" : "kept "} ${neutralise(path)}`),
    ...(open.length === 0 ? [] : ["", "Fix before the first run:", ...open]),
    "",
    "Next:",
    ...renderSteps(next, canvas),
  ];
  return `${lines.join("\n")}\n`;
}

/** A campaign in one line of a list. */
export function renderCampaignLine({
  slug,
  sentinel,
  iteration,
  verified_stories,
  stories_total,
  leader,
}: CampaignSummary): string {
  const stands = sentinel ?? (leader === null ? "not running" : `leader ${leader}`);
  return `${slug}: ${stands}; iteration ${iteration}, ${verified_stories.length} of ${stories_total} stories verified`;
}
