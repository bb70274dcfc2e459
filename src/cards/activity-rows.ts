/** The current activity, of an agent or of the runner. */
import { unreachable } from "../base/invariant.ts";
import { findBuilding } from "../tick/pure/tick-facts.ts";
import type { StateIn, TickState } from "../tick/pure/tick-state.ts";
import { formatLocalMoment } from "../base/duration-text.ts";
import { neutralise } from "../base/neutralise.ts";
import { renderAgentRows, renderDoingLine } from "./agent-rows.ts";
import { type FrameLine, makeRow, measureRoomBeside, makeSpan, type PartPlace } from "./frame-line.ts";
import type { LiveModel } from "./live-model.ts";
import { type PhaseStep, findStep } from "./phase-strip.ts";
import { renderReviewerRows } from "./reviewer-rows.ts";

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
