/** Simulates one seed after the other, until the time or the ticks are over or an invariant does not hold. */
import { makePlan, type Plan } from "./plan.ts";
import { shrinkPlan } from "./shrink-plan.ts";
import { simulate, Stage } from "./world.ts";

export interface SearchRequest {
  readonly program: string;
  readonly seed: number;
  /** Between two seeds of this process. */
  readonly stride: number;
  readonly seconds: number;
  readonly ticks: number;
  /** It goes on after a failure, until there are so many of different words. */
  readonly failures: number;
}

export interface SearchFailure {
  readonly seed: number;
  readonly message: string;
  readonly plan: Plan;
  /** How long this process had searched. */
  readonly found: { readonly seconds: number; readonly ticks: number };
}

export interface SearchResult {
  readonly worlds: number;
  readonly ticks: number;
  readonly refused: number;
  readonly events: number;
  readonly cpuSeconds: number;
  readonly codes: Readonly<Record<string, number>>;
  readonly failures: readonly SearchFailure[];
}

export async function search(request: SearchRequest): Promise<SearchResult> {
  Error.stackTraceLimit = 0; // Thousands of errors of files are caught in each tick.
  const { program, seed, stride, seconds, ticks, failures: failuresMax } = request;
  const stage = new Stage(program);
  const codes: Record<string, number> = {};
  const sum = { worlds: 0, ticks: 0, refused: 0, events: 0 };
  const failures = new Map<string, SearchFailure>();
  const began = performance.now();
  const until = began + seconds * 1000;
  for (let at = seed; performance.now() < until && sum.ticks < ticks && failures.size < failuresMax; at += stride) {
    const plan = makePlan(at);
    const end = await simulate(stage, plan, null);
    sum.worlds += 1;
    sum.ticks += end.ticks;
    sum.refused += end.refused;
    sum.events += end.events;
    if (end.early !== null) codes[end.early] = (codes[end.early] ?? 0) + 1;
    for (const code of end.codes) codes[code] = (codes[code] ?? 0) + 1;
    if (end.violation === null || failures.has(nameKind(end.violation))) continue;
    const { message } = end.violation;
    const kind = nameKind(end.violation);
    const found = { seconds: Math.round((performance.now() - began) / 100) / 10, ticks: sum.ticks };
    const isSame = async (smaller: Plan): Promise<boolean> => {
      const { violation } = await simulate(stage, smaller, null);
      return violation !== null && nameKind(violation) === kind;
    };
    failures.set(kind, { seed: at, message, found, plan: await shrinkPlan(plan, isSame) });
  }
  const { user, system } = process.cpuUsage();
  return { ...sum, codes, cpuSeconds: (user + system) / 1_000_000, failures: [...failures.values()] };
}

/** Its words without names, numbers and times. */
const nameKind = ({ message }: Error): string => message.replaceAll(/\S*\d\S*/g, "#").slice(0, 60);
