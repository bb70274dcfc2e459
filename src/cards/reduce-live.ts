/** Folds live events into the model. Pure: all times come from the events. */
import type { JournalLine } from "../records/event.ts";
import { unreachable } from "../base/errors.ts";
import { CHECKS, type LiveEvent } from "../records/live-event.ts";
import type { Tree } from "../records/tree.ts";
import { NEW_CAMPAIGN } from "../workflows/pure/campaign-state.ts";
import { foldCampaign } from "../workflows/pure/fold-campaign.ts";
import { foldGoal } from "../workflows/pure/fold-goal.ts";
import { NEW_GOAL } from "../workflows/pure/goal-state.ts";
import { findOpenTurn } from "../tick/pure/tick-turn.ts";
import { evolve, isOfSeries, type SeriesEvent } from "../tick/pure/evolve.ts";
import { reportQuestion } from "../tick/pure/report-parts.ts";
import { findOutcome, findStart, findTask } from "../tick/pure/tick-facts.ts";
import { START, type TickState } from "../tick/pure/tick-state.ts";
import { listTreeNodes } from "../workflows/pure/tree-nodes.ts";
import {
  type LiveModel,
  type LiveTree,
  type LiveVerdict,
  nameAttempt,
  renderTreeOutline,
  startSessions,
  updateAgents,
} from "./live-model.ts";
import { describeRecorded } from "./recorded-words.ts";
import { parseMoment } from "../base/words.ts";

const RECENT_MAX = 8;

export function reduceLive(model: LiveModel, event: LiveEvent): LiveModel {
  switch (event.kind) {
    case "opened":
      return event.lines.reduce(reduceLine, { ...model, seriesId: event.seriesId });
    case "recorded":
      return reduceLine(model, event.line);
    case "spent":
      return { ...model, spent: { state: event.state, budgets: event.budgets } };
    case "limits":
      return { ...model, limits: event.limits };
    case "tree":
      return { ...model, tree: describeTree(event.tree, event.maxIterations) };
    case "agent":
      return event.speaker === CHECKS ? model : { ...model, agents: updateAgents(model.agents, event) };
    case "attempt":
      return reduceAttempt(model, event);
    case "jobs":
      return { ...model, jobs: event.jobs };
    case "silent":
      return model;
    default:
      return unreachable(event);
  }
}

/** An attempt is an agent that says what it records. */
function reduceAttempt(model: LiveModel, attempt: Extract<LiveEvent, { kind: "attempt" }>): LiveModel {
  const { line } = attempt;
  const text = describeRecorded(line.event);
  if (text === null) return model;
  const said = { kind: "agent", speaker: nameAttempt(attempt), atMs: parseMoment(line.at) } as const;
  return { ...model, agents: updateAgents(model.agents, { ...said, event: { type: "text", text } }) };
}

function describeTree(tree: Tree, maxIterations: number): LiveTree {
  const nodes = listTreeNodes(tree);
  return {
    outline: renderTreeOutline(tree),
    maxIterations,
    nodes: nodes.length,
    passed: nodes.filter(({ node }) => node.passes).length,
  };
}

function reduceLine(model: LiveModel, line: JournalLine): LiveModel {
  const isOwn = line.series_id === model.seriesId;
  const folded = isOwn ? foldWorkflow(model, line) : model;
  const { event } = line;
  if (isOfSeries(event)) return isOwn ? reduceSeries(folded, event, line.at) : folded;
  if (event.type === "tick_started") return startTick(folded, line, isOwn);
  return event.type === "tick_ended" ? endTick(folded, line, isOwn) : advanceTick(folded, line);
}

function reduceSeries(model: LiveModel, event: SeriesEvent, at: string): LiveModel {
  switch (event.type) {
    case "series_waiting":
      return startWait(model, at, event.until);
    case "series_resumed":
      return { ...model, wait: null, isOver: false };
    case "series_ended":
      return { ...model, wait: null, tick: null, isOver: true };
    default:
      return unreachable(event);
  }
}

/** What the workflow itself knows of its series. */
function foldWorkflow(model: LiveModel, line: JournalLine): LiveModel {
  const started = line.event.type === "tick_started" ? line.event : null;
  const goal = model.goal ?? (started?.workflow === "goal" ? NEW_GOAL : null);
  const campaign = model.campaign ?? (started?.workflow === "campaign" ? NEW_CAMPAIGN : null);
  return {
    ...model,
    goal: goal && foldGoal(goal, line),
    campaign: campaign && foldCampaign(campaign, line),
  };
}

function startTick(model: LiveModel, { event, run_id, series_id, at }: JournalLine, isOwn: boolean): LiveModel {
  const options = event.type === "tick_started" ? (event.series ?? null) : null;
  const startedMs = parseMoment(at);
  const state = evolve(START, event);
  return {
    ...model,
    ...(isOwn ? { options, wait: null, isOver: false } : {}),
    question: null,
    agents: [],
    tick: { runId: run_id, seriesId: series_id, state, startedMs, phaseMs: startedMs },
  };
}

/** A line of a tick that is not over. One of another tick, or of one whose beginning nobody has seen, tells nothing here. */
function advanceTick(model: LiveModel, line: JournalLine): LiveModel {
  const { tick } = model;
  if (tick === null || tick.runId !== line.run_id) return model;
  if (line.event.type === "abandoned") return { ...model, tick: null, agents: [] };
  const state = evolve(tick.state, line.event);
  const atMs = parseMoment(line.at);
  const phaseMs = state.phase === tick.state.phase ? tick.phaseMs : atMs;
  // The wait for a person is no time of the tick.
  const askedMs = tick.state.phase === "ask" ? Math.max(0, atMs - tick.phaseMs) : 0;
  return {
    ...model,
    tick: { ...tick, state, phaseMs, startedMs: tick.startedMs + askedMs },
    agents: startSessions(model.agents, line.event, atMs),
    question: findQuestion(state) ?? model.question,
  };
}

function findQuestion(state: TickState): LiveModel["question"] {
  return findOutcome(state)?.code === "STOP_QUESTION" ? reportQuestion(state) : null;
}

function endTick(model: LiveModel, line: JournalLine, isOwn: boolean): LiveModel {
  const { tick } = model;
  const { event } = line;
  if (tick === null || tick.runId !== line.run_id || event.type !== "tick_ended") return model;
  const isCounted = isOwn && event.counted;
  return {
    ...model,
    recent: [...model.recent, describeVerdict(tick, line)].slice(-RECENT_MAX),
    ticks: model.ticks + (isCounted ? 1 : 0),
    tick: null,
    agents: [],
    isOver: isOwn && findStart(tick.state)?.series === undefined,
  };
}

function describeVerdict(tick: NonNullable<LiveModel["tick"]>, { at, event }: JournalLine): LiveVerdict {
  const code = event.type === "tick_ended" ? event.code : "STOP_INTERRUPTED";
  const task = findTask(tick.state);
  return {
    code,
    turn: event.type === "tick_ended" ? findOpenTurn(evolve(tick.state, event)) : null,
    intent: task === null ? null : (task.intent ?? task.task_id),
    durationMs: Math.max(0, parseMoment(at) - tick.startedMs),
  };
}

function startWait(model: LiveModel, at: string, until: string): LiveModel {
  const isLimit = model.recent.at(-1)?.code === "STOP_RATE_LIMITED";
  return { ...model, wait: { sinceMs: parseMoment(at), untilMs: parseMoment(until), isLimit } };
}
