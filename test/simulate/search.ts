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
}

export interface SearchResult {
  readonly worlds: number;
  readonly ticks: number;
  readonly events: number;
  readonly codes: Readonly<Record<string, number>>;
  readonly failure: { readonly seed: number; readonly message: string; readonly plan: Plan } | null;
}

export async function search({ program, seed, stride, seconds, ticks }: SearchRequest): Promise<SearchResult> {
  Error.stackTraceLimit = 0; // Thousands of errors of files are caught in each tick.
  const stage = new Stage(program);
  const codes: Record<string, number> = {};
  const sum = { worlds: 0, ticks: 0, events: 0 };
  const until = performance.now() + seconds * 1000;
  for (let at = seed; performance.now() < until && sum.ticks < ticks; at += stride) {
    const plan = makePlan(at);
    const end = await simulate(stage, plan, null);
    sum.worlds += 1;
    sum.ticks += end.ticks;
    sum.events += end.events;
    if (end.early !== null) codes[end.early] = (codes[end.early] ?? 0) + 1;
    for (const code of end.codes) codes[code] = (codes[code] ?? 0) + 1;
    if (end.violation === null) continue;
    const { message } = end.violation;
    const isSame = async (smaller: Plan): Promise<boolean> => {
      const { violation } = await simulate(stage, smaller, null);
      return violation !== null && violation.message.slice(0, 20) === message.slice(0, 20);
    };
    return { ...sum, codes, failure: { seed: at, message, plan: await shrinkPlan(plan, isSame) } };
  }
  return { ...sum, codes, failure: null };
}
