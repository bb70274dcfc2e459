/** Facts of a tick for those who look at it in any phase: each is null where the tick did not come that far. */
import type { EventOf, Facts, Outcome, Reportable, TickState } from "./tick-state.ts";

type Known = TickState | Facts | Reportable;
type FactsWith<Name extends string> = Extract<Facts, { readonly [name in Name]: unknown }>;

/** Everything about a tick that came as far as this fact. */
function findFacts<Name extends string>(known: Known, name: Name): FactsWith<Name> | null {
  const facts = "facts" in known ? known.facts : known;
  return hasFact(facts, name) ? facts : null;
}

function hasFact<Name extends string>(facts: Facts, name: Name): facts is FactsWith<Name> {
  return name in facts;
}

export const findStart = (known: Known) => findFacts(known, "started")?.started ?? null;
export const findBase = (known: Known) => findFacts(known, "base")?.base ?? null;
/** A tick whose repository was remembered, so that it can be put back. */
export const findPrepared = (known: Known) => findFacts(known, "prepared");
/** The sessions that a service refused and that another agent took over. */
export const findHandedOver = (known: Known) => findPrepared(known)?.handedOver ?? [];
/** The last session of the orchestrator. */
export const findPlanning = (known: Known) => findFacts(known, "planning")?.planning ?? null;
export const findTask = (known: Known) => findFacts(known, "task")?.task ?? null;
export const findBuilding = (known: Known) => findFacts(known, "building")?.building ?? null;
export const findBuilt = (known: Known) => findFacts(known, "built")?.built ?? null;
export const findJudged = (known: Known) => findFacts(known, "judged");
export const findJudgement = (known: Known) => findJudged(known)?.judged ?? null;
export const findVerification = (known: Known) => findFacts(known, "verified")?.verified ?? null;
/** What the gates found, the observation after the checks included. */
export const findFindings = (known: Known) => [
  ...(findJudgement(known)?.findings ?? []),
  ...(findVerification(known)?.findings ?? []),
];
/** Who was asked to review, and what they answered before all of them had. */
export const findReviewing = (known: Known) => findFacts(known, "reviewing");
export const findReview = (known: Known) => findFacts(known, "reviewed")?.reviewed ?? null;

export function findOutcome(state: TickState): Outcome | null {
  return "outcome" in state ? state.outcome : null;
}

export function findSettled(known: Known): EventOf<"settled"> | null {
  return "settlement" in known && known.settlement?.type === "settled" ? known.settlement : null;
}

/** A rollback that failed and was neither brought to its end nor given up since. */
export function findRollbackFailure(known: Known): EventOf<"rollback_failed"> | null {
  return "settlement" in known && known.settlement?.type === "rollback_failed" ? known.settlement : null;
}

/** What can be reported of a tick; null while it has no outcome, or where nobody knows its beginning. */
export function findReportable(state: TickState): Reportable | null {
  if (!("settlement" in state) || !("started" in state.facts)) return null;
  const { facts, outcome, settlement } = state;
  return { facts, outcome, settlement };
}

export function isUndone(state: TickState): boolean {
  return state.phase === "done" && state.isUndone;
}

export function isPruned(state: TickState): boolean {
  return state.phase === "done" && state.isPruned;
}
