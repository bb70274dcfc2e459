import type { CampaignFacts, MadeCampaign, StartedStage } from "../records/setup-answers.ts";
import type { CampaignStatus, CampaignSummary } from "../records/campaign-files.ts";
import type { SeriesSummary } from "../records/series.ts";
import { shorten, countNoun } from "../base/words.ts";
import {
  BAD,
  type Canvas,
  type Fact,
  GOOD,
  makeStep as step,
  type NextStep,
  PENDING,
  renderQuotation,
  renderSteps,
} from "../base/canvas.ts";
import { renderCard } from "./card.ts";
import { neutralise } from "../base/style.ts";
import { describeCommits, listSeriesFacts } from "./series-text.ts";
import type { IterationRecord } from "../workflows/pure/campaign-state.ts";
import { renderCodeSpan, renderProseSpan } from "../base/code-span.ts";

/** A campaign for people: its files, where it stands, and what to type next. */

export interface CampaignView extends Omit<CampaignFacts, "slug"> {
  /** How the command ended, where it ran the campaign; null where it only looks. */
  readonly ended: SeriesSummary | null;
  /** What its heartbeats say; null where nobody runs it, as far as is known. */
  readonly life: Pick<CampaignSummary, "leader" | "session">;
}

const HEADLINES = {
  complete: { ...GOOD, title: "The campaign is complete." },
  blocked: { ...BAD, title: "The campaign is blocked and needs your help." },
  timeout: { ...BAD, title: "The campaign used all its iterations." },
} as const satisfies Record<NonNullable<CampaignStatus["sentinel"]>, object>;

const LIFE = {
  alive: "running",
  stale: "no heartbeat",
  gone: "stopped without an end; run the same command to continue",
} as const;

const TEXT_CHARS = 600;

export function renderCampaignCard(view: CampaignView, canvas: Canvas): string {
  const { status, ended, life } = view;
  const { sentinel } = status;
  const isRunning = life.leader === "alive" || life.leader === "stale";
  const unfinished = { ...PENDING, title: isRunning ? "The campaign is running." : "The campaign is not finished." };
  const text = renderCard(
    {
      ...(sentinel === null ? unfinished : HEADLINES[sentinel]),
      why: renderQuotation(shorten(ended?.message ?? status.message, TEXT_CHARS), canvas),
      facts: listCampaignFacts(view),
      // A complete campaign needs no hint.
      advice: sentinel === "complete" || !ended?.hint ? null : neutralise(ended.hint),
      next: listNextSteps(status, isRunning),
    },
    canvas,
  );
  return `\n${text}`;
}

function listCampaignFacts({ status, folderPath, branch, commits, life, ended }: CampaignView): readonly Fact[] {
  const { slug, iteration, max_iter, verified_stories, stories_total } = status;
  const { leader, session } = life;
  const verified = verified_stories.length === 0 ? "" : `: ${verified_stories.join(", ")}`;
  return [
    ["campaign", slug],
    ["iteration", `${iteration} of ${max_iter}`],
    ["next", describeNext(status)],
    ["verified", `${verified_stories.length} of ${stories_total}${verified}`],
    ["failures", `${status.consecutive_failures} in a row; last result: ${status.last_result}`],
    ...(ended === null ? [describeCommits({ branch, commits })] : listSeriesFacts(ended)),
    ["leader", leader && LIFE[leader]],
    [session?.role ?? "", session && LIFE[session.state]],
    ["folder", neutralise(folderPath)],
  ];
}

function describeNext({ phase, story, worker_model, verifier_model }: CampaignStatus): string {
  if (phase === "done") return "nothing";
  const model = phase === "worker" ? worker_model : verifier_model;
  return `${phase} on ${story}${model === null ? "" : ` with ${neutralise(model)}`}`;
}

function listNextSteps({ slug, sentinel }: CampaignStatus, isRunning: boolean): readonly NextStep[] {
  const logs = step(`relais campaign logs ${slug}`, "show the last iteration");
  if (sentinel === null && isRunning)
    return [
      step("relais status --watch", "watch progress"),
      step(`relais campaign stop ${slug}`, "stop it; you can continue later"),
    ];
  if (sentinel === null) return [step(`relais campaign run ${slug}`, "continue"), logs];
  const clean = step(`relais campaign clean ${slug}`, "reset it, to run it again");
  return sentinel === "complete" ? [logs, step("relais history list", "list all ticks")] : [logs, clean];
}

/** What is said once a campaign runs in the background. */
export function renderTmuxStart(slug: string, { session, pid, attach }: StartedStage): string {
  return [
    `The campaign ${slug} runs in the background, as process ${pid ?? "?"}.`,
    `The tmux session ${session} shows it; you may close it.`,
    `Next: ${attach}`,
    `      relais campaign stop ${slug}`,
    "",
  ].join("\n");
}

export function renderCampaignFiles({ slug, files, problems }: MadeCampaign, canvas: Canvas): string {
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

export function renderCampaignLine(summary: CampaignSummary): string {
  const { slug, sentinel, iteration, verified_stories, stories_total, leader } = summary;
  const state = sentinel ?? (leader === null ? "not running" : `leader ${leader}`);
  return `${slug}: ${state}; iteration ${iteration}, ${verified_stories.length} of ${stories_total} stories verified`;
}

/** The log of one iteration as Markdown. What others wrote stands in spans that nothing can leave. */

const PATHS_SHOWN = 100;

/** Each fact says who measured it; a worker's own words are marked as such. */
export function renderIteration(slug: string, record: IterationRecord): string {
  const { iteration, story, signal, code, commit, touched, linesAdded, linesDeleted } = record;
  const rest = touched.length - PATHS_SHOWN;
  return [
    `# ${slug}: iteration ${iteration}`,
    "",
    `- story: ${renderCodeSpan(story)} [leader-measured]`,
    `- result: ${renderCodeSpan(code)} [leader-measured]`,
    `- signal: ${signal === null ? "none" : `${renderCodeSpan(signal.status)} ${renderProseSpan(signal.summary)}`} [worker's words]`,
    `- at: ${record.at} [leader-measured]`,
    `- commit: ${commit === null ? "none" : renderCodeSpan(commit)} [git-measured]`,
    `- changed: ${countNoun(touched.length, "file")}, +${linesAdded} -${linesDeleted} [git-measured]`,
    ...touched.slice(0, PATHS_SHOWN).map((path) => `  - ${renderCodeSpan(path)}`),
    ...(rest > 0 ? [`  - and ${rest} more`] : []),
    "",
    ...record.verifications.flatMap(renderVerification),
    ...(record.verifications.length === 0 ? [] : [""]),
  ].join("\n");
}

function renderVerification({ story, verdict, summary, issues }: IterationRecord["verifications"][number]) {
  return [
    `- verdict on ${renderCodeSpan(story)}: ${renderCodeSpan(verdict)} [leader-measured]`,
    `  - ${renderProseSpan(summary)}`,
    ...issues.map(
      ({ severity, criterion, description }) =>
        `  - ${severity}, ${renderCodeSpan(criterion)}: ${renderProseSpan(description)}`,
    ),
  ];
}
