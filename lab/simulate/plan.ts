/** What happens in a simulated world: commands of a person, what agents and checks do, and what goes wrong. Only the seed decides. */
import { makeRandom, type Random } from "../../scripts/random.ts";

export const COMMANDS = ["run", "accept", "undo", "recover", "status", "prune"] as const;
/** The last two are recoveries by a person who has read what the first one said. */
export type CommandName = (typeof COMMANDS)[number] | "agree" | "abandon";

export const AGENT_DEEDS = ["good", "more", "nothing", "outside", "git", "delete", "link", "mode"] as const;
export type AgentDeed = (typeof AGENT_DEEDS)[number];
export type AgentEnd = "well" | "status" | "hangs" | "crash";
export type CheckDeed = "passes" | "fails" | "hangs" | "writes";

export interface DiskFault {
  readonly error: "ENOSPC" | "EIO" | "EROFS";
  /** `full` spares what needs no space. */
  readonly mode: "once" | "full" | "dead";
}

const FULL_ONCE: DiskFault = { error: "ENOSPC", mode: "once" };
export const DISK_FAULTS: readonly DiskFault[] = [
  FULL_ONCE,
  { error: "EIO", mode: "once" },
  { error: "ENOSPC", mode: "full" },
  { error: "EIO", mode: "dead" },
  { error: "EROFS", mode: "dead" },
];

export type Fault =
  /** Of the command's process, at this call. */
  | { readonly kind: "kill"; readonly at: number }
  | { readonly kind: "signal"; readonly at: number; readonly signal: "SIGINT" | "SIGTERM" }
  | { readonly kind: "power"; readonly at: number }
  /** No byte more fits from this call on, for so many calls. */
  | { readonly kind: "full"; readonly at: number; readonly calls: number }
  /** A call that would change something fails, the one of this number of relais and its git; or all from there on. */
  | ({ readonly kind: "disk"; readonly at: number } & DiskFault)
  /** A person writes to a file at this call, and may commit it. */
  | { readonly kind: "person"; readonly at: number; readonly commits?: boolean }
  /** Another command, at the same time. */
  | { readonly kind: "beside"; readonly at: number; readonly command: CommandName };

export interface Step {
  readonly number: number;
  readonly command: CommandName;
  readonly deed: AgentDeed;
  readonly end: AgentEnd;
  /** Whether the agent leaves a process behind that writes later. */
  readonly forks: boolean;
  readonly check: CheckDeed;
  readonly faults: readonly Fault[];
  /** A minute after the step before: then the times of files prove that they have not changed. */
  readonly isLater?: boolean;
  /** Whether nothing may keep it from its end. */
  readonly mustSucceed?: boolean;
}

export interface Plan {
  readonly seed: number;
  /** Syncs of the disk keep nothing. */
  readonly isLying: boolean;
  readonly commits: boolean;
  readonly budget: number;
  readonly steps: readonly Step[];
}

const STEPS = 6;
const CALLS = 3500;
const SEEDED = 7919;

function pick<T>(random: Random, weighted: Weighted<T>, usual: T): T {
  const total = weighted.reduce((sum, [weight]) => sum + weight, 0);
  let left = random.below(total);
  for (const [weight, value] of weighted) {
    if (left < weight) return value;
    left -= weight;
  }
  return usual;
}

export function makePlan(seed: number): Plan {
  const random = makeRandom(Math.imul(seed, SEEDED) + 1);
  const commits = random.below(3) > 0;
  const steps: Step[] = [];
  while (steps.length < STEPS) {
    const isOpen = !commits && steps.at(-1)?.command === "run";
    steps.push(makeStep(random, steps.length, isOpen ? DECISIONS : USUAL));
  }
  return { seed, isLying: random.below(12) === 0, commits, budget: 3 + random.below(6), steps };
}

type Weighted<T> = readonly (readonly [number, T])[];

const USUAL: Weighted<CommandName> = [
  [20, "run"],
  [1, "accept"],
  [2, "undo"],
  [1, "recover"],
  [1, "status"],
  [1, "prune"],
];
/** A change that was kept and not committed: most people decide about it before the next tick, which would refuse to begin. */
const DECISIONS: Weighted<CommandName> = [
  [6, "accept"],
  [3, "undo"],
  [2, "run"],
];

function makeStep(random: Random, number: number, commands: Weighted<CommandName>): Step {
  const command = pick(random, commands, "run");
  const deed = pick<AgentDeed>(random, [[6, "good"], ...AGENT_DEEDS.map((one) => [1, one] as const)], "good");
  const end = pick<AgentEnd>(
    random,
    [
      [8, "well"],
      [1, "status"],
      [1, "hangs"],
      [1, "crash"],
    ],
    "well",
  );
  const check = pick<CheckDeed>(
    random,
    [
      [7, "passes"],
      [2, "fails"],
      [1, "hangs"],
      [1, "writes"],
    ],
    "passes",
  );
  const isFaulty = random.below(5) < 3;
  return {
    number,
    command,
    deed,
    end,
    forks: random.below(6) === 0,
    check,
    faults: isFaulty ? makeFaults(random, command) : [],
    isLater: random.below(4) > 0,
  };
}

function makeFaults(random: Random, command: CommandName): readonly Fault[] {
  const calls = command === "run" ? CALLS : 600;
  return Array.from({ length: 1 + random.below(2) }, () => makeFault(random, random.below(calls)));
}

function makeFault(random: Random, at: number): Fault {
  switch (random.below(8)) {
    case 0:
    case 1:
      return { kind: "kill", at };
    case 2:
      return { kind: "signal", at, signal: random.below(2) === 0 ? "SIGINT" : "SIGTERM" };
    case 3:
      return { kind: "power", at };
    case 4:
      return { kind: "full", at, calls: 1 + random.below(1500) };
    case 5:
      return { kind: "person", at, commits: random.below(3) === 0 };
    case 6:
      return { kind: "disk", at: at >> 2, ...(random.pick(DISK_FAULTS) ?? FULL_ONCE) };
    default:
      return { kind: "beside", at, command: random.pick(COMMANDS) ?? "status" };
  }
}
