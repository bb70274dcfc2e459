/** Lets every single change of a tick fail as on a bad disk, puts the disk in order, and looks at what is left. */
import { CODES } from "../../src/base/codes.ts";
import { DISK_FAULTS, type DiskFault, type Plan, type Step } from "./plan.ts";
import { simulate, Stage, type StepEnd } from "./world.ts";

export const TICKS = ["accepted", "rolled-back", "committed"] as const;
type Tick = (typeof TICKS)[number];

export interface EveryFaultRequest {
  readonly program: string;
  /** Every so many positions, from this one on, are those of this process. */
  readonly first: number;
  readonly stride: number;
  /** It stops after that, with a part of the positions. */
  readonly seconds: number;
}

export interface Meeting extends DiskFault {
  readonly tick: Tick;
  /** How many changes the tick makes without a fault. */
  readonly changes: number;
  readonly at: number;
  readonly call: string;
  /** Whether the tick ended as it does without the fault; otherwise it was reverted, kept with a message, or never began. */
  readonly isUnharmed: boolean;
  readonly problem: string | null;
  readonly plan: Plan;
}

const SEED = 1;
const EXPECTED: Readonly<Record<Tick, string>> = {
  accepted: "SUCCESS",
  "rolled-back": "STOP_SCOPE_VIOLATION_OUTSIDE_ALLOWED",
  committed: "SUCCESS",
};

/** So many rounds, each with positions that are spread over all ticks: where the time is over, all of them were tried in part. */
const ROUNDS = 16;

export async function tryEveryFault(
  { program, first, stride, seconds }: EveryFaultRequest,
  onMeeting: (meeting: Meeting) => void,
): Promise<void> {
  Error.stackTraceLimit = 0;
  const stage = new Stage(program);
  const until = performance.now() + seconds * 1000;
  const ticks = [];
  for (const tick of TICKS) ticks.push({ tick, changes: await countChanges(stage, tick) });
  for (let round = 0; round < ROUNDS; round += 1)
    for (const { tick, changes } of ticks)
      for (const fault of DISK_FAULTS)
        for (let at = 1 + first + round * stride; at <= changes; at += stride * ROUNDS) {
          if (performance.now() > until) return;
          onMeeting(await meet(stage, { tick, changes, at, ...fault }));
        }
}

async function countChanges(stage: Stage, tick: Tick): Promise<number> {
  const { violation, steps } = await simulate(stage, makePlan(tick, []), null);
  if (violation !== null) throw violation;
  return steps[0]?.changes ?? 0;
}

type Request = Pick<Meeting, "tick" | "changes" | "at" | "error" | "mode">;

async function meet(stage: Stage, request: Request): Promise<Meeting> {
  const { tick, at, error, mode } = request;
  const plan = makePlan(tick, [{ kind: "disk", at, error, mode }]);
  const end = await simulate(stage, plan, null);
  const [faulty] = end.steps;
  const problem = end.violation?.message ?? (faulty === undefined ? "it did not run" : findProblem(faulty, request));
  return {
    ...request,
    call: faulty?.refused ?? "",
    isUnharmed: faulty !== undefined && readCode(faulty) === EXPECTED[tick],
    problem: problem === null || isTold(problem, faulty) ? null : problem,
    plan,
  };
}

/** A tick, what decides about it, and another one. */
function makePlan(tick: Tick, faults: Step["faults"]): Plan {
  const usual = { deed: "good", end: "well", forks: false, check: "passes", faults: [] } as const;
  const commits = tick === "committed";
  return {
    seed: SEED,
    isLying: false,
    commits,
    budget: 9,
    steps: [
      { ...usual, number: 0, command: "run", deed: tick === "rolled-back" ? "outside" : "good", faults },
      ...(commits ? [] : [{ ...usual, number: 1, command: "accept" } as const]),
      { ...usual, number: 2, command: "run", mustSucceed: true },
    ],
  };
}

const WORDS = {
  ENOSPC: /no space left/i,
  EIO: /i\/o error|input\/output error/i,
  EROFS: /read-only file system/i,
} as const;

/** relais ends by itself, with a code of the table, and names what went wrong, or passes on what git said. */
function findProblem(end: StepEnd, { tick, error, mode }: Request): string | null {
  const code = readCode(end);
  // The last changes of a tick need no space.
  if (end.refused === null && mode !== "full") return "the fault did not happen";
  if (code === EXPECTED[tick]) return null;
  if (code === null || !(code in CODES)) return `it says no code: ${end.status} ${end.out}${end.err}`;
  const isNamed = WORDS[error].test(end.out) || /: git [a-z-]+: |"git [a-z-]+: /.test(end.out);
  return isNamed ? null : `it does not say what went wrong: ${end.out}${end.err}`;
}

/** A lock that git cannot remove stays, and the next tick names it: only a person can know whose it is. */
function isTold(problem: string, faulty: StepEnd | undefined): boolean {
  return problem.includes('"cause":"git_lock"') && faulty?.refused?.endsWith(".lock") === true;
}

function readCode({ out }: StepEnd): string | null {
  try {
    const answer: unknown = JSON.parse(out);
    const code = typeof answer === "object" && answer !== null && "code" in answer ? answer.code : null;
    return typeof code === "string" ? code : null;
  } catch {
    return null;
  }
}
