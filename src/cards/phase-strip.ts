import {
  findBuilt,
  findJudgement,
  findReview,
  findRollbackFailure,
  findSettled,
  findTask,
  findVerification,
} from "../tick/pure/tick-facts.ts";
import { findOpenTurn } from "../tick/pure/tick-turn.ts";
import { NEUTRAL } from "../base/canvas.ts";
import type { Phase, TickState } from "../tick/pure/tick-state.ts";
import {
  type FrameLine,
  measureLine,
  makeSpan,
  type Span,
  formatClock,
  spreadCells,
  type PartPlace,
} from "./frame-line.ts";
import { neutralise } from "../base/style.ts";
import type { LiveModel } from "./live-model.ts";

/** The steps of a tick in one line: what is done, what went wrong, what is under way. */

const STEPS = ["plan", "build", "judge", "verify", "review", "settle", "report"] as const;
export type PhaseStep = (typeof STEPS)[number];

const STEP_OF: Readonly<Record<Phase, PhaseStep | null>> = {
  start: "plan",
  preflight: "plan",
  prepare: "plan",
  plan: "plan",
  orchestrate: "plan",
  baseline: "plan",
  announce_build: "build",
  build: "build",
  judge: "judge",
  write: "judge",
  verify: "verify",
  announce_review: "review",
  review: "review",
  announce_ask: "settle",
  ask: "settle",
  announce_settle: "settle",
  settle: "settle",
  report: "report",
  end: "report",
  done: null,
};

/** The step that a tick is at; null where it is over. */
export function findStep({ phase }: TickState): PhaseStep | null {
  return STEP_OF[phase];
}

/** Whether a step was taken, and how it went; absent is that it was passed over. */
type Trace = "good" | "bad" | "open" | null;

const TRACES: Readonly<Record<PhaseStep, (state: TickState) => Trace>> = {
  plan: (state) => traceFact(findTask(state), () => true),
  build: (state) => traceFact(findBuilt(state), ({ failure }) => failure === null),
  judge: (state) => traceFact(findJudgement(state), ({ code }) => code === "SUCCESS"),
  verify: (state) => traceFact(findVerification(state), ({ code }) => code === null),
  review: (state) => {
    const trace = traceFact(findReview(state), ({ code }) => code === null);
    return trace === "bad" && findOpenTurn(state) !== null ? "open" : trace;
  },
  settle: (state) => (findRollbackFailure(state) !== null ? "bad" : findSettled(state) && "good"),
  report: ({ phase }) => (phase === "done" ? "good" : null),
};

function traceFact<Fact>(fact: Fact | null, isGood: (fact: Fact) => boolean): Trace {
  if (fact === null) return null;
  return isGood(fact) ? "good" : "bad";
}

const MARKS = {
  good: makeSpan("✓", "good"),
  bad: makeSpan("✗", "bad"),
  open: makeSpan(NEUTRAL.mark, NEUTRAL.tone),
} as const;

function renderStep(
  step: PhaseStep,
  state: TickState,
  at: PhaseStep | null,
): { readonly mark: Span; readonly name: Span } {
  if (step === at) return { mark: makeSpan("▸", "strong"), name: makeSpan(step, "strong") };
  const isPast = at === null || STEPS.indexOf(step) < STEPS.indexOf(at);
  const trace = TRACES[step](state);
  if (isPast && trace !== null) return { mark: MARKS[trace], name: makeSpan(step) };
  return { mark: makeSpan(isPast ? "–" : "·", "faint"), name: makeSpan(step, "faint") };
}

/** Between two steps, as wide as there is room for. */
const GAPS = ["   ", "  ", " "];

/** The strip; where the names have no room, only that of the current step is written out. */
export function renderPhaseStrip(state: TickState, columns: number): FrameLine {
  const at = findStep(state);
  const spans = STEPS.map((step) => renderStep(step, state, at));
  for (const gap of GAPS) {
    const named = spans.flatMap(({ mark, name }, index) => [
      makeSpan(index === 0 ? "" : gap),
      mark,
      makeSpan(" "),
      name,
    ]);
    if (measureLine(named) <= columns) return named;
  }
  const marks = spans.flatMap(({ mark }) => [mark, makeSpan(" ")]);
  return at === null ? marks : [...marks, makeSpan(at, "strong")];
}

/** What runs, and how far it has come. */

const ROOM_FOR_ID = 90;

export function renderTitleLine(model: LiveModel, { columns, now }: PartPlace): FrameLine {
  const { seriesId, tick } = model;
  const id = seriesId === null || columns < ROOM_FOR_ID ? [] : [makeSpan(`  ${neutralise(seriesId)}`, "faint")];
  const left = [
    makeSpan(`relais ${neutralise(findCommand(model))}`, "strong"),
    makeSpan(`  ${describeProgress(model)}`),
    ...id,
  ];
  return tick === null ? left : spreadCells(left, [makeSpan(formatClock(now - tick.startedMs), "strong")], columns);
}

function findCommand({ command, options }: LiveModel): string {
  return command ?? options?.command ?? "run";
}

/** Which one of how many it is, in the words of the workflow. */
export function describeProgress(model: LiveModel): string {
  return describeGoal(model) ?? describeCampaign(model) ?? describeTree(model) ?? describeTick(model);
}

function describeGoal({ goal }: LiveModel): string | null {
  if (goal?.settings == null) return null;
  const { isReviewDue, turns, settings } = goal;
  const turn = Math.max(1, isReviewDue ? turns : Math.min(settings.max_turns, turns + 1));
  return `turn ${turn} of ${settings.max_turns}, ${isReviewDue ? "review" : "work"}`;
}

function describeCampaign({ campaign }: LiveModel): string | null {
  if (campaign?.settings == null) return null;
  const { due, iteration, settings } = campaign;
  const isVerified = due.length > 0;
  const at = isVerified ? iteration : Math.min(settings.max_iterations, iteration + 1);
  return `iteration ${at} of ${settings.max_iterations}, ${isVerified ? "verification" : "work"}`;
}

function describeTree(model: LiveModel): string | null {
  if (model.tree === null) return null;
  return `iteration ${Math.min(model.tree.maxIterations, countTick(model))} of ${model.tree.maxIterations}`;
}

function describeTick(model: LiveModel): string {
  const { options, tick, isOver } = model;
  if (options === null) return tick === null && !isOver ? "starting" : "one tick";
  const limit = options.max_ticks === null ? "" : ` of ${options.max_ticks}`;
  return `tick ${countTick(model)}${limit}`;
}

/** The number of the tick that runs, or else of the last one. */
function countTick({ ticks, tick, seriesId }: LiveModel): number {
  return Math.max(1, tick !== null && tick.seriesId === seriesId ? ticks + 1 : ticks);
}
