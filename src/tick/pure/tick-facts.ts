/** Facts of a tick in any phase: each is null if the tick did not get that far. */
import type { EventOf, Facts, JudgedFacts, Outcome, Reportable, TickState } from "./tick-state.ts";
import type { Task } from "../../records/task.ts";

type AnyTick = TickState | Facts | Reportable;
type FactsWith<Name extends string> = Extract<Facts, { readonly [name in Name]: unknown }>;

function findFacts<Name extends string>(known: AnyTick, name: Name): FactsWith<Name> | null {
  const facts = "facts" in known ? known.facts : known;
  return hasFact(facts, name) ? facts : null;
}

function hasFact<Name extends string>(facts: Facts, name: Name): facts is FactsWith<Name> {
  return name in facts;
}

export const findStart = (known: AnyTick) => findFacts(known, "started")?.started ?? null;
export const findBase = (known: AnyTick) => findFacts(known, "base")?.base ?? null;
/** Only a prepared tick can be rolled back. */
export const findPrepared = (known: AnyTick) => findFacts(known, "prepared");
export const findHandedOver = (known: AnyTick) => findPrepared(known)?.handedOver ?? [];
export const findPlanning = (known: AnyTick) => findFacts(known, "planning")?.planning ?? null;
export const findTask = (known: AnyTick) => findFacts(known, "task")?.task ?? null;
type Also = { readonly also?: readonly Task[] };
export const pickAlso = ({ also }: Also): Also => (also === undefined ? {} : { also });
export const findAlso = (known: AnyTick) => findFacts(known, "task")?.also ?? [];
export const findLeftOut = (known: AnyTick) => findFacts(known, "task")?.leftOut ?? [];
/** The runs before the build. Those of an earlier tick count only where they ended this one. */
export function findBaselineRuns(known: AnyTick): EventOf<"baselined">["runs"] {
  const baseline = findFacts(known, "task")?.baseline;
  return baseline === undefined || (baseline.kept === true && baseline.code === null) ? [] : baseline.runs;
}
export const findBuilding = (known: AnyTick) => findFacts(known, "building")?.building ?? null;
export const findAttempts = (known: AnyTick) =>
  findBuilt(known)?.attempts ?? findFacts(known, "building")?.attempts ?? null;
export const findBuilt = (known: AnyTick) => findFacts(known, "built")?.built ?? null;
export const findJudged = (known: AnyTick) => findFacts(known, "judged");
export const findJudgement = (known: AnyTick) => findJudged(known)?.judged ?? null;
export const findVerification = (known: AnyTick) => findFacts(known, "verified")?.verified ?? null;
/** Includes the observation after the checks. */
export const findFindings = (known: AnyTick) => [
  ...(findJudgement(known)?.findings ?? []),
  ...(findVerification(known)?.findings ?? []),
];
export const findReviewing = (known: AnyTick) => findFacts(known, "reviewing");
export const findReview = (known: AnyTick) => findFacts(known, "reviewed")?.reviewed ?? null;

export function findOutcome(state: TickState): Outcome | null {
  return "outcome" in state ? state.outcome : null;
}

export function findSettled(known: AnyTick): EventOf<"settled"> | null {
  return "settlement" in known && known.settlement?.type === "settled" ? known.settlement : null;
}

/** A rollback that failed and was neither finished nor given up. */
export function findRollbackFailure(known: AnyTick): EventOf<"rollback_failed"> | null {
  return "settlement" in known && known.settlement?.type === "rollback_failed" ? known.settlement : null;
}

/** Null while there is no outcome, or if the start is unknown. */
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

interface Settlement {
  /** By the tick itself or by a person afterwards. */
  readonly isCommitted: boolean;
  /** Null if there was nothing that git could commit. */
  readonly commit: string | null;
  readonly branch: string | null;
}

export function findSettlement(state: TickState): Settlement {
  const settled = findSettled(state);
  const accepted = state.phase === "done" ? state.accepted : null;
  const { commit, branch } = accepted ?? settled ?? { commit: null, branch: null };
  return { isCommitted: accepted !== null || settled?.action === "commit", commit, branch };
}

export function needsBuilder(task: Task): boolean {
  return "builder" in task && task.builder !== undefined;
}

/** Null if there is no check to run. */
export function listWantedChecks({
  task: { verification },
  ownChecks,
}: Pick<JudgedFacts, "task" | "ownChecks">): NonNullable<Task["verification"]> | null {
  if (verification === undefined) return null;
  return verification.fast.length + verification.slow.length + ownChecks > 0 ? verification : null;
}

export function findTickPatch(task: Task | null): string | null {
  const builder = task !== null && "builder" in task ? task.builder : undefined;
  return builder?.mode === "patch" ? builder.patch : null;
}
