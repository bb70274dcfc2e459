/** What happens right now: what an agent does, or what the runner does itself. */
import { unreachable } from "../../contract/values/invariant.ts";
import { findBuilding } from "../../core/tick/tick-facts.ts";
import type { StateIn, TickState } from "../../core/tick/tick-state.ts";
import { neutralise } from "../text/neutralise.ts";
import { agentRows } from "./agent-rows.ts";
import { type Line, row, span } from "./frame-line.ts";
import type { PartPlace } from "./frame-place.ts";
import type { LiveModel } from "./live-model.ts";
import { type Step, stepOf } from "./phase-strip.ts";
import { reviewerRows } from "./reviewer-rows.ts";

/** The most important line comes first. */
export function activityRows(model: LiveModel, place: PartPlace): readonly Line[] {
  const { tick, wait } = model;
  if (tick === null) {
    if (wait !== null) return [];
    const words = model.isOver ? "it is over" : "chooses what comes next";
    return [row("now", [span(words)], place.columns)];
  }
  const speaker = speakerAt(tick.state);
  const agent = speaker === null ? undefined : model.agents.find((one) => one.speaker === speaker);
  if (agent !== undefined) return agentRows(agent, { ...place, driver: driverOf(tick.state) });
  if (tick.state.phase === "review") return reviewerRows(model, place);
  return [row("now", [span(runnerWords(tick.state))], place.columns)];
}

/** Whose session runs in this phase; null where there is none, or several. */
export function speakerAt({ phase }: TickState): "orchestrator" | "builder" | null {
  if (phase === "orchestrate") return "orchestrator";
  return phase === "build" ? "builder" : null;
}

function driverOf(state: TickState): string {
  if (state.phase === "orchestrate") return state.planning.driver;
  return findBuilding(state)?.driver ?? "";
}

/** What the runner itself does. */
export function runnerWords(state: TickState): string {
  const step = stepOf(state);
  return step === null ? "the tick is over" : stepWords(step, state);
}

function stepWords(step: Step, state: TickState): string {
  switch (step) {
    case "plan":
      return planWords(state);
    case "build":
      return findBuilding(state)?.driver === "patch"
        ? "applies the patch in private"
        : "prepares the builder";
    case "judge":
      return state.phase === "write" ? "writes what was judged" : "measures what changed, and judges it";
    case "verify":
      return state.phase === "verify" ? checksWords(state) : "";
    case "review":
      return "prepares the review";
    case "settle":
      return settleWords(state);
    case "report":
      return "writes the report";
    default:
      return unreachable(step);
  }
}

function planWords(state: TickState): string {
  if (state.phase === "prepare") return "remembers the repository as it is";
  if (state.phase !== "plan") return "looks whether a tick can begin";
  const { rejection } = state;
  return rejection === null ? "reads the task" : `asks again: ${neutralise(rejection.cause)}`;
}

function checksWords({ wanted: { fast, slow }, ownChecks }: StateIn<"verify">): string {
  const names = [...fast, ...slow].map((name) => neutralise(name));
  const own = ownChecks === 0 ? [] : ["those of the workflow"];
  return `runs the checks: ${[...names, ...own].join(", ")}`;
}

function settleWords(state: TickState): string {
  const action = "action" in state ? state.action : null;
  if (action === "commit") return "commits what was judged";
  return action === "rollback" ? "puts the repository back, and proves it" : "settles what becomes of it";
}
