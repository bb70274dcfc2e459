import { unreachable } from "../base/errors.ts";
import { findBuilding, findStart, findTask } from "../tick/pure/tick-facts.ts";
import type { StateIn, TickState } from "../tick/pure/tick-state.ts";
import { formatLocalMoment } from "../base/duration-text.ts";
import { neutralise } from "../base/style.ts";
import { renderAgentRows, renderDoingLine } from "./agent-rows.ts";
import {
  type FrameLine,
  makeRow,
  measureRoomBeside,
  makeSpan,
  type PartPlace,
  type LiveKeyState,
  formatClock,
  measureLine,
  renderLine,
  type FramePlace,
} from "./frame-line.ts";
import type { LiveModel } from "./live-model.ts";
import { type PhaseStep, findStep, describeProgress, renderPhaseStrip, renderTitleLine } from "./phase-strip.ts";
import {
  renderReviewerRows,
  describeWait,
  renderNoticeRows,
  renderStoryRows,
  renderTreeRows,
  renderVerdictRows,
} from "./workflow-rows.ts";
import { fitKeyHints } from "../base/key-line.ts";
import { renderAgentDoing } from "./agent-event-text.ts";
import { joinLines, pickVerdictMark } from "./report-words.ts";
import type { SessionLimits } from "../records/live-event.ts";
import { drawBar } from "../base/canvas.ts";
import { renderBudgetRows } from "./budget-rows.ts";

/** The current activity, of an agent or of the runner. */

/** The most important line comes first. */
export function renderActivityRows(model: LiveModel, place: PartPlace): readonly FrameLine[] {
  const { tick, wait } = model;
  if (tick === null) {
    if (wait !== null) return [];
    const words = model.isOver ? "done" : "choosing the next task";
    return [makeRow("now", [makeSpan(words)], place.columns)];
  }
  const speaker = findSpeaker(tick.state);
  const agent = speaker === null ? undefined : model.agents.find((one) => one.speaker === speaker);
  if (agent !== undefined) return renderAgentRows(agent, { ...place, driver: findDriver(tick.state) });
  if (tick.state.phase === "review") return renderReviewerRows(model, place);
  if (tick.state.phase === "build" && model.agents.length > 0) return renderAttemptRows(model, place);
  return [makeRow("now", [makeSpan(describeRunner(tick.state))], place.columns)];
}

function renderAttemptRows({ agents }: LiveModel, { columns, now }: PartPlace): readonly FrameLine[] {
  return agents.map((agent) =>
    makeRow(agent.speaker, renderDoingLine(agent, { now, columns: measureRoomBeside(columns) }), columns),
  );
}

/** Whose session runs in this phase; null where there is none, or several. */
export function findSpeaker({ phase }: TickState): "orchestrator" | "builder" | null {
  if (phase === "orchestrate") return "orchestrator";
  return phase === "build" ? "builder" : null;
}

function findDriver(state: TickState): string {
  if (state.phase === "orchestrate") return state.planning.driver;
  return findBuilding(state)?.driver ?? "";
}

export function describeRunner(state: TickState): string {
  const step = findStep(state);
  return step === null ? "done" : describeStep(step, state);
}

function describeStep(step: PhaseStep, state: TickState): string {
  switch (step) {
    case "plan":
      return describePlan(state);
    case "build":
      return findBuilding(state)?.driver === "patch" ? "applying the patch to a copy" : "starting the builder";
    case "judge":
      return state.phase === "write" ? "writing the judged change" : "checking the change against the rules";
    case "verify":
      return state.phase === "verify" ? describeChecks(state) : "";
    case "review":
      return "starting the review";
    case "settle":
      return describeSettling(state);
    case "report":
      return "writing the report";
    default:
      return unreachable(step);
  }
}

function describePlan(state: TickState): string {
  if (state.phase === "prepare") return "Taking a snapshot";
  if (state.phase === "baseline") return "running the checks before the build";
  if (state.phase !== "plan") return "Starting";
  const { rejection } = state;
  return rejection === null ? "reading the task" : `retrying: ${neutralise(rejection.cause)}`;
}

function describeChecks({ wanted: { fast, slow }, ownChecks }: StateIn<"verify">): string {
  const names = [...fast, ...slow].map((name) => neutralise(name));
  const own = ownChecks === 0 ? [] : ["the checks of the workflow"];
  return `running checks: ${[...names, ...own].join(", ")}`;
}

function describeSettling(state: TickState): string {
  if (state.phase === "ask") return `waiting for your decision until ${formatLocalMoment(state.asked.until, null)}`;
  const action = "action" in state ? state.action : null;
  if (action === "commit") return "committing";
  return action === "rollback" ? "reverting the change" : "deciding";
}

/** The keys of a live view, in its last lines. */

const EXPLAINED: Readonly<Record<string, string>> = {
  "p pause": "pause: end after this tick; the same command goes on later",
  "p go on": "go on after this tick",
  "s stop": "stop now: the change is reverted and saved in salvage",
  "d diff": "the change so far",
  "l log": "what the agents said and did so far",
  "? help": "hide this help",
};

export function renderKeyRows({ hints, notice, isExplained }: LiveKeyState, columns: number): readonly FrameLine[] {
  const head = notice === null ? [] : [makeSpan(notice, "strong")];
  if (isExplained) {
    const explained = hints.map(([key, meaning]): FrameLine => [
      makeSpan(key, "strong"),
      makeSpan(` ${EXPLAINED[`${key} ${meaning}`] ?? meaning}`, "faint"),
    ]);
    return head.length === 0 ? explained : [head, ...explained];
  }
  const room = columns - (notice === null ? 0 : notice.length + GAP.length);
  const shown = fitKeyHints(hints, room).flatMap(([key, meaning], index) => [
    ...(index === 0 ? [] : [makeSpan(" · ", "faint")]),
    makeSpan(key, "strong"),
    makeSpan(` ${meaning}`, "faint"),
  ]);
  const gap = head.length > 0 && shown.length > 0 ? [makeSpan(GAP)] : [];
  const line = [...head, ...gap, ...shown];
  return line.length === 0 ? [] : [line];
}

const GAP = "   ";

/** The frame of a very small terminal: one line, or two. */

export function renderSmallFrame(model: LiveModel, { now }: Pick<PartPlace, "now">): readonly FrameLine[] {
  const { tick } = model;
  const step = tick === null ? null : findStep(tick.state);
  const time = tick === null ? "" : ` ${formatClock(now - tick.startedMs)}`;
  return [
    [makeSpan(`${step ?? "relais"}${time}`, "strong"), makeSpan(` ${describeProgress(model)}`)],
    renderNow(model, now),
  ];
}

function renderNow(model: LiveModel, now: number): FrameLine {
  const { question, wait, tick, recent } = model;
  if (question !== null) return [makeSpan("? ", "strong"), makeSpan(joinLines(question.prompt))];
  if (wait !== null) return [makeSpan("… ", "strong"), makeSpan(describeWait(wait, now))];
  if (tick !== null) return [makeSpan("▸ ", "strong"), makeSpan(describeDoing(model) ?? describeRunner(tick.state))];
  const last = recent.at(-1);
  if (last === undefined) return [makeSpan("… ", "faint"), makeSpan("Starting")];
  const { mark, tone } = pickVerdictMark(last);
  return [makeSpan(`${mark} ${last.turn ?? last.code}`, tone)];
}

function describeDoing({ tick, agents }: LiveModel): string | null {
  const speaker = tick === null ? null : findSpeaker(tick.state);
  const agent = agents.find((one) => one.speaker === speaker);
  if (agent === undefined) return null;
  return agent.doing === null ? `${agent.speaker} is starting` : renderAgentDoing(agent.doing);
}

/** The time of the tick and of its session, with their limits. */

export function renderTimeRows(model: LiveModel, { columns, now }: PartPlace): readonly FrameLine[] {
  const { tick } = model;
  if (tick === null) return [];
  const most = (findStart(tick.state)?.max_tick_seconds ?? 0) * 1000;
  const until = tick.state.phase === "ask" ? tick.phaseMs : now;
  const ticks = renderGauge("tick", until - tick.startedMs, most);
  const session = renderSessionGauge(model, now);
  if (session === null) return [makeRow("time", ticks, columns)];
  const beside = [...ticks, makeSpan("   "), ...session];
  if (measureLine(beside) <= measureRoomBeside(columns)) return [makeRow("time", beside, columns)];
  return [makeRow("time", ticks, columns), makeRow("", session, columns)];
}

/** From this share of a limit on, the gauge is red. */
const NEAR = 0.8;

function renderGauge(name: string, ms: number, most: number): FrameLine {
  const tone = ms >= most * NEAR ? "bad" : "good";
  return [makeSpan(drawBar(ms, most), tone), makeSpan(` ${name} ${formatClock(ms)} of ${formatClock(most)}`)];
}

/** The session of this phase, where it has a limit of its own. */
function renderSessionGauge({ tick, agents, limits }: LiveModel, now: number): FrameLine | null {
  if (tick === null) return null;
  const speaker = findSpeaker(tick.state);
  const isReview = tick.state.phase === "review";
  const limit = findLimit(limits, isReview ? "reviewer" : speaker);
  if (limit === null) return null;
  const startedMs = agents.find((one) => one.speaker === speaker)?.startedMs ?? tick.phaseMs;
  return renderGauge("session", now - startedMs, limit);
}

function findLimit(limits: SessionLimits, who: keyof SessionLimits | null): number | null {
  return who === null ? null : limits[who];
}

/**
 * Draws what is known as lines for a terminal: pure, never more lines than rows, never a line wider than the columns.
 *
 * What matters most is kept where there is little room: first what runs and at which step, then what waits for a person,
 * then what happens right now, and the rest as far as it goes.
 */

const COLUMNS_MIN = 40;
/** Beyond this the eye does not find the other end of a line. */
const COLUMNS_MAX = 120;
const ROWS_MIN = 8;
/** Explanations of keys must leave this much of the frame. */
const KEYED_ROWS_MIN = 7;
/** Further ones are in the history. */
const VERDICTS_MAX = 4;
/** More of a tree or of stories than this is no glance any more. */
const OUTLINE_MAX = 24;

export function renderFrame(model: LiveModel, place: FramePlace): readonly string[] {
  const { rows, style } = place;
  const columns = Math.min(COLUMNS_MAX, place.columns);
  const isSmall = columns < COLUMNS_MIN || rows < ROWS_MIN;
  const lines = isSmall ? renderSmallFrame(model, place) : renderFrameWithKeys(model, { ...place, columns });
  return lines.slice(0, Math.max(0, rows)).map((line) => renderLine(line, columns, style));
}

/** The keys stand in the last lines, below a gap where there is room for one. */
function renderFrameWithKeys(model: LiveModel, place: FramePlace): readonly FrameLine[] {
  const { rows, columns, keys = null } = place;
  const last = keys === null ? [] : renderKeyRows(keys, columns);
  const keyRows = rows - last.length < KEYED_ROWS_MIN ? last.slice(0, 1) : last;
  const lines = renderWholeFrame(model, { ...place, rows: rows - keyRows.length });
  const hasRoom = keyRows.length > 0 && lines.length + keyRows.length < rows;
  return [...lines, ...(hasRoom ? [BLANK] : []), ...keyRows];
}

/** A part of the frame, in the order in which it is shown; the one with the lowest rank gets its room first. */
interface Part {
  readonly rank: number;
  readonly lines: readonly FrameLine[];
  /** How many of its lines it has to have before anybody gets more. */
  readonly least: number;
}

function renderWholeFrame(model: LiveModel, place: FramePlace): readonly FrameLine[] {
  const { rows } = place;
  const outline = [...renderTreeRows(model, place, OUTLINE_MAX), ...renderStoryRows(model, place, OUTLINE_MAX)];
  const parts: readonly Part[] = [
    { rank: 0, least: 2, lines: renderHead(model, place) },
    { rank: 1, least: 3, lines: renderNoticeRows(model, place) },
    { rank: 4, least: 1, lines: renderTask(model, place) },
    { rank: 2, least: 1, lines: renderActivityRows(model, place) },
    { rank: 3, least: 1, lines: renderTimeRows(model, place) },
    { rank: 5, least: 4, lines: outline },
    { rank: 7, least: 1, lines: renderBudgetRows(model, place) },
    { rank: 6, least: 1, lines: renderVerdictRows(model, place).slice(0, VERDICTS_MAX) },
    { rank: 8, least: 1, lines: renderJobs(model, place) },
  ];
  const room = shareRows(parts, rows);
  const fitted = parts.map(({ lines }, index) => {
    const given = room[index] ?? 0;
    if (lines !== outline || given >= lines.length) return lines.slice(0, given);
    return [...renderTreeRows(model, place, given), ...renderStoryRows(model, place, given)];
  });
  return addGaps(fitted, rows);
}

function renderHead(model: LiveModel, place: FramePlace): readonly FrameLine[] {
  const { tick } = model;
  const strip = tick === null ? [] : [renderPhaseStrip(tick.state, place.columns)];
  return [renderTitleLine(model, place), ...strip];
}

/** The running jobs of the queue, on all machines. */
function renderJobs({ jobs }: LiveModel, { columns }: FramePlace): readonly FrameLine[] {
  return jobs.map((job, at) => makeRow(at === 0 ? "jobs" : "", [makeSpan(neutralise(job))], columns));
}

const TEXT_CHARS = 400;

/** What the tick is about; of a goal, what all of it is about. */
function renderTask({ tick, goal }: LiveModel, { columns }: FramePlace): readonly FrameLine[] {
  const textRow = (label: string, text: string): readonly FrameLine[] => [
    makeRow(label, [makeSpan(joinLines(text.slice(0, TEXT_CHARS)))], columns),
  ];
  const settings = goal?.settings ?? null;
  if (settings !== null) return textRow("goal", settings.objective);
  const task = tick === null ? null : findTask(tick.state);
  return task === null ? [] : textRow("task", task.intent ?? task.task_id);
}

/** How many lines each part gets: first all their least, by rank, and then the rest, by rank. */
function shareRows(parts: readonly Part[], rows: number): readonly number[] {
  const given = parts.map(() => 0);
  let left = rows;
  const byRank = parts.map((part, index) => ({ ...part, index })).toSorted((a, b) => a.rank - b.rank);
  for (const wanted of [(part: Part) => part.least, (part: Part) => part.lines.length])
    for (const part of byRank) {
      const has = given[part.index] ?? 0;
      const more = Math.min(left, Math.max(0, Math.min(part.lines.length, wanted(part)) - has));
      given[part.index] = has + more;
      left -= more;
    }
  return given;
}

const BLANK: FrameLine = [];

/** An empty line before all of it and between what belongs to different questions, where there is room for all of them. */
function addGaps(fitted: readonly (readonly FrameLine[])[], rows: number): readonly FrameLine[] {
  const [head = [], ...rest] = fitted;
  const now = rest.slice(0, 4).flat();
  const groups = [head, now, ...rest.slice(4)].filter((group) => group.length > 0);
  const lines = groups.flat();
  if (lines.length + groups.length > rows) return lines;
  return groups.flatMap((group) => [BLANK, ...group]);
}
