import type { CampaignSettings } from "../records/campaign.ts";
import { type CampaignState, nameWorkerStory } from "../workflows/pure/campaign-state.ts";
import { joinLines, pickVoteMark, pickVerdictMark } from "./report-words.ts";
import {
  type FrameLine,
  makeRow,
  makeSpan,
  type PartPlace,
  formatClock,
  measureRoomBeside,
  spreadCells,
} from "./frame-line.ts";
import type { LiveModel, LiveWait, LiveAgent, OutlineNode, LiveVerdict } from "./live-model.ts";
import { drawBar, NEUTRAL } from "../base/canvas.ts";
import { formatTimeOfDay } from "../base/words.ts";
import type { Review } from "../records/review.ts";
import { findReviewing } from "../tick/pure/tick-facts.ts";
import { neutralise } from "../base/style.ts";
import type { Report } from "../records/report.ts";
import { renderDoingLine } from "./agent-rows.ts";
import { formatDuration } from "../base/duration-text.ts";

interface Window {
  readonly rows: number;
  /** The place that matters most. */
  readonly at: number;
  /** The places that are kept before all others. */
  readonly pinned?: readonly number[];
}

/** The entries of a list that are shown, in its order: what is pinned first, and then what stands nearest to the place. */
export function pickWindow<T>(list: readonly T[], { rows, at, pinned = [] }: Window): readonly T[] {
  if (list.length <= rows) return list;
  const isPinned = new Set(pinned);
  const weight = (index: number): number => Math.abs(index - at) - (isPinned.has(index) ? list.length : 0);
  return [...new Set([...pinned, ...listPlaces(at, rows + pinned.length, list.length)])]
    .toSorted((a, b) => weight(a) - weight(b) || a - b)
    .slice(0, Math.max(0, rows))
    .toSorted((a, b) => a - b)
    .flatMap((index) => list.slice(index, index + 1));
}

/** The places within reach: of a long list only these can be among the nearest, and only these are looked at. */
function listPlaces(at: number, reach: number, length: number): readonly number[] {
  const first = Math.max(0, at - reach);
  const last = Math.min(length - 1, at + reach);
  return Array.from({ length: last - first + 1 }, (_, index) => first + index);
}

/** The stories of a campaign: which are verified, which one is worked on, and how often it came back. */

/** At most so many rows, and the story that is worked on among them. */
export function renderStoryRows(
  { campaign }: LiveModel,
  { columns }: Pick<PartPlace, "columns">,
  rows: number,
): readonly FrameLine[] {
  if (campaign?.settings == null || rows < 1) return [];
  const { stories } = campaign.settings;
  const current = campaign.due[0] ?? nameWorkerStory(campaign, campaign.settings);
  const at = Math.max(
    0,
    stories.findIndex(({ id }) => id === current),
  );
  const head = makeRow("stories", [makeSpan(describeProgress(campaign, campaign.settings, current))], columns);
  const lines = pickWindow(stories, { rows: rows - 1, at }).map((story) =>
    makeRow("", renderStory(story, campaign, story.id === current), columns),
  );
  return [head, ...lines];
}

function describeProgress(
  { verified, failures, due }: CampaignState,
  { stories }: CampaignSettings,
  at: string,
): string {
  const failed = failures === 0 ? "" : `; ${failures} failures in a row`;
  return `${verified.length} of ${stories.length} verified; ${due.length > 0 ? "verifying" : "working on"} ${at}${failed}`;
}

function renderStory(
  { id, title }: CampaignSettings["stories"][number],
  { verified, claimed, records }: CampaignState,
  isCurrent: boolean,
): FrameLine {
  const fixes = records
    .flatMap(({ verifications }) => verifications)
    .filter(({ story, verdict }) => story === id && verdict === "fail").length;
  const isDone = verified.includes(id);
  const mark = isDone ? makeSpan("✓ ", "good") : isCurrent ? makeSpan("▸ ", "strong") : makeSpan("○ ", "faint");
  const state = isDone ? "" : claimed.includes(id) ? "  claimed done" : "";
  return [
    mark,
    makeSpan(id, ...(isCurrent ? (["strong"] as const) : [])),
    makeSpan(`  ${joinLines(title)}`),
    makeSpan(state, "faint"),
    makeSpan(fixes === 0 ? "" : `  ${fixes === 1 ? "1 fix" : `${fixes} fixes`}`, "strong"),
  ];
}

/** The most important rows: a wait, or a question. */

const PROMPT_CHARS = 600;

export function renderNoticeRows({ wait, question }: LiveModel, place: PartPlace): readonly FrameLine[] {
  const { columns } = place;
  return [
    ...(wait === null ? [] : renderWait(wait, place)),
    ...(question === null
      ? []
      : [
          makeRow(
            "question",
            [makeSpan("? ", "strong"), makeSpan(joinLines(question.prompt.slice(0, PROMPT_CHARS)), "strong")],
            columns,
          ),
          ...renderChoices(question.choices, columns),
          makeRow("", [makeSpan('answer with `relais answer "..."`', "faint")], columns),
        ]),
  ];
}

/** The time that is left, in words as short as a title has room for. */
export function describeWait({ untilMs, isLimit }: LiveWait, now: number): string {
  return `waiting for ${isLimit ? "a rate limit" : "the next attempt"}, ${formatClock(untilMs - now + 999)} left`;
}

function renderWait(wait: LiveWait, { columns, now }: PartPlace): readonly FrameLine[] {
  const { sinceMs, untilMs } = wait;
  return [
    makeRow(
      "wait",
      [makeSpan(drawBar(now - sinceMs, untilMs - sinceMs), "strong"), makeSpan(` ${describeWait(wait, now)}`)],
      columns,
    ),
    makeRow("", [makeSpan(`until ${formatTimeOfDay(untilMs)} UTC; relais continues by itself`, "faint")], columns),
  ];
}

function renderChoices(choices: readonly string[], columns: number): readonly FrameLine[] {
  if (choices.length === 0) return [];
  return [makeRow("", [makeSpan(choices.map((choice) => joinLines(choice)).join(" / "))], columns)];
}

const VOTES = {
  approve: makeSpan("✓ approves", "good"),
  refuse: makeSpan("✗ refuses", "bad"),
  none: makeSpan("– gave no valid answer", "bad"),
} as const;
/** A reviewer of a goal or a verifier of a campaign refuses nothing. */
const NOT_YET = makeSpan("○ not yet", "strong");

export function renderReviewerRows(model: LiveModel, { columns, now }: PartPlace): readonly FrameLine[] {
  const facts = model.tick === null ? null : findReviewing(model.tick.state);
  if (facts === null) return [];
  const { workflow } = facts.started;
  return facts.reviewing.sessions.map(({ reviewer }) => {
    const review = facts.answers.find(({ name }) => name === reviewer);
    const line =
      review === undefined
        ? renderActivity(findReviewer(model, reviewer), { columns: measureRoomBeside(columns), now })
        : renderVote(review, workflow);
    return makeRow(neutralise(reviewer), line, columns);
  });
}

function findReviewer({ agents, tick }: LiveModel, reviewer: string): LiveAgent {
  const known = agents.find(({ speaker }) => speaker.endsWith(` ${reviewer}`));
  const at = tick?.phaseMs ?? 0;
  const silent = { startedMs: at, doing: null, doingMs: at, said: null, tools: 0, usage: null };
  return known ?? { speaker: reviewer, ...silent };
}

function renderActivity(agent: LiveAgent, place: PartPlace): FrameLine {
  if (agent.doing !== null) return renderDoingLine(agent, place);
  return [makeSpan("○ ", "faint"), ...renderDoingLine(agent, { ...place, columns: place.columns - 2 })];
}

function renderVote({ vote, explanation, cause }: Review, workflow: Report["workflow"]): FrameLine {
  const because = explanation === "" ? (cause ?? "") : explanation;
  const isOpen = pickVoteMark({ vote }, workflow) === NEUTRAL;
  return [isOpen ? NOT_YET : VOTES[vote], makeSpan(because === "" ? "" : `: ${joinLines(because)}`, "faint")];
}

/** The part of a tree that matters now: the way to the leaf that is worked on, and what stands beside it. */

const TITLE_CHARS = 200;

/** At most so many rows, and the leaf always among them. */
export function renderTreeRows(
  { tree }: LiveModel,
  { columns }: Pick<PartPlace, "columns">,
  rows: number,
): readonly FrameLine[] {
  if (tree === null || rows < 1) return [];
  const head = makeRow("tree", [makeSpan(`${tree.passed} of ${tree.nodes} nodes pass`)], columns);
  const { nodes, path, leafAt } = tree.outline;
  const lines = pickWindow(nodes, { rows: rows - 1, at: leafAt, pinned: path }).map((one) =>
    makeRow("", renderNode(one), columns),
  );
  return [head, ...lines];
}

function renderNode({ node, depth, isOnPath, isLeaf }: OutlineNode): FrameLine {
  const { id, title, passes, attempts, max_attempts, children } = node;
  const mark = passes ? makeSpan("✓ ", "good") : isLeaf ? makeSpan("▸ ", "strong") : makeSpan("○ ", "faint");
  const failed = attempts === 0 || passes ? "" : `  ${attempts} of ${max_attempts} attempts failed`;
  const below = isOnPath || children.length === 0 ? "" : `  +${children.length}`;
  return [
    makeSpan("  ".repeat(depth)),
    mark,
    isLeaf ? makeSpan(id, "strong") : makeSpan(id),
    makeSpan(failed, attempts >= max_attempts ? "bad" : "faint"),
    makeSpan(below, "faint"),
    makeSpan(`  ${joinLines(title.slice(0, TITLE_CHARS))}`, "faint"),
  ];
}

/** How the last ticks ended, the newest first. */

const INTENT_CHARS = 200;

export function renderVerdictRows(
  { recent }: LiveModel,
  { columns }: Pick<PartPlace, "columns">,
): readonly FrameLine[] {
  return recent
    .toReversed()
    .map((verdict, index) =>
      makeRow(index === 0 ? "last" : "", renderVerdict(verdict, measureRoomBeside(columns)), columns),
    );
}

/** What is green needs no name, and a turn has its own words. */
function renderVerdict({ code, turn, intent, durationMs }: LiveVerdict, columns: number): FrameLine {
  const { mark, tone } = pickVerdictMark({ code, turn });
  const words = intent === null ? "no task" : joinLines(intent.slice(0, INTENT_CHARS));
  const name = turn !== null ? [makeSpan(`${turn}. `)] : code === "SUCCESS" ? [] : [makeSpan(`${code} `, tone)];
  return spreadCells(
    [makeSpan(`${mark} `, tone), ...name, makeSpan(words)],
    [makeSpan(formatDuration(durationMs), "faint")],
    columns,
  );
}
