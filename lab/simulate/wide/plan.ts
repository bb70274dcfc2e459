/** What happens in a wide world: one workflow, its limits, what goes wrong at which step, and how long agents may be wild. */
import { makeRandom, type Random } from "../../../scripts/random.ts";

export const WORKFLOWS = ["loop", "run", "tree", "goal", "campaign"] as const;
export type WorkflowKind = (typeof WORKFLOWS)[number];

export const FAULTS = [
  "kill",
  "power",
  "signal",
  "full",
  "edit",
  "commit",
  "pause",
  "beside",
  "accept",
  "undo",
  "answer",
  "late",
] as const;
export type FaultKind = (typeof FAULTS)[number];

/** At this step of the world, whoever takes it. */
export interface Fault {
  readonly at: number;
  readonly kind: FaultKind;
}

export interface WidePlan {
  readonly seed: number;
  readonly workflow: WorkflowKind;
  /** Syncs of the disk keep nothing. */
  readonly isLying: boolean;
  /** How many times a person starts the command while things go wrong. */
  readonly starts: number;
  readonly budget: Budget;
  readonly settle: "auto" | "ask";
  readonly reviewers: number;
  readonly quorum: number;
  readonly baseline: boolean;
  readonly onStop: "halt" | "continue";
  readonly maxTicks: number | null;
  readonly fallbacks: number;
  /** Tasks of one answer that are worked on side by side. */
  readonly parallel: number;
  /** So many choices of agents, checks and people are drawn; the others are good. */
  readonly wild: number;
  /** Of a hundred drawn choices, so many are bad. */
  readonly mischief: number;
  readonly faults: readonly Fault[];
}

/** A cap for each counter; null is a cap that is never reached. */
export interface Budget {
  readonly builder: number | null;
  readonly orchestrator: number | null;
  readonly reviewer: number | null;
  readonly verify: number | null;
  readonly ticks: number | null;
  readonly dollars: number | null;
  /** For the milestone; otherwise for the series. */
  readonly isOfMilestone: boolean;
}

const STEPS = 420;
const FAULTS_MAX = 7;
/** Half of the faults follow another one closely. */
const CLOSE_STEPS = 60;
const SEEDED = 7919;
/** Usual ones first; the faults at the end of the list are common, the first ones cost a process. */
const WEIGHTED: readonly FaultKind[] = [...FAULTS, "kill", "kill", "power", "edit", "signal", "late", "beside"];

export function makeWidePlan(seed: number): WidePlan {
  const random = makeRandom(seed * SEEDED + 1);
  const one = <T>(list: readonly [T, ...T[]]): T => random.pick(list) ?? list[0];
  const reviewers = one([0, 0, 1, 2, 3]);
  const workflow = one(WORKFLOWS);
  return {
    seed,
    workflow,
    isLying: random.below(12) === 0,
    starts: 2 + random.below(4),
    budget: makeBudget(random),
    settle: random.below(5) === 0 ? "ask" : "auto",
    reviewers,
    quorum: 1 + random.below(Math.max(1, reviewers)),
    baseline: random.below(4) === 0,
    onStop: one(["continue", "continue", "halt"]),
    maxTicks: one([null, 4, 6, 8]),
    fallbacks: one([0, 0, 0, 1]),
    parallel: 1,
    wild: 1000,
    mischief: one([0, 10, 25, 45, 70]),
    faults: makeFaults(random),
  };
}

function makeFaults(random: Random): readonly Fault[] {
  const faults: Fault[] = [];
  for (let count = random.below(FAULTS_MAX); count > 0; count -= 1) {
    const last = faults.at(-1)?.at ?? 0;
    const at = 1 + (random.below(2) === 0 ? random.below(STEPS) : last + random.below(CLOSE_STEPS));
    faults.push({ at, kind: random.pick(WEIGHTED) ?? "kill" });
  }
  return faults.toSorted((left, right) => left.at - right.at);
}

function makeBudget(random: Random): Budget {
  const cap = (usual: number): number | null => (random.below(5) === 0 ? 1 + random.below(usual) : null);
  return {
    builder: cap(6),
    orchestrator: cap(8),
    reviewer: cap(8),
    verify: cap(10),
    ticks: cap(8),
    dollars: random.below(5) === 0 ? 1 + random.below(4) : null,
    isOfMilestone: random.below(2) === 0,
  };
}
