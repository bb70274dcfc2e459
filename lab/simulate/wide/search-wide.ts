/** Simulates one seed after the other, until the time is over or an invariant does not hold. */
import { makeWidePlan, type WidePlan } from "./plan.ts";
import { shrinkWide } from "./shrink-wide.ts";
import { simulateWide } from "./simulate-wide.ts";

export { makeWidePlan } from "./plan.ts";
export { shrinkWide } from "./shrink-wide.ts";
export { simulateWide } from "./simulate-wide.ts";

export interface WideRequest {
  readonly seed: number;
  readonly stride: number;
  readonly seconds: number;
  readonly ticks: number;
  /** So many plans. */
  readonly plans: number;
}

export interface WideFailure {
  readonly seed: number;
  readonly message: string;
  readonly plan: WidePlan;
  readonly found: { readonly seconds: number; readonly ticks: number };
}

export interface WideResult {
  readonly worlds: number;
  /** Those that came to a session, and the others. */
  readonly ticks: number;
  readonly refused: number;
  readonly events: number;
  readonly steps: number;
  readonly seconds: number;
  readonly cpuSeconds: number;
  readonly codes: Readonly<Record<string, number>>;
  readonly failure: WideFailure | null;
}

export async function searchWide({ seed, stride, seconds, ticks, plans }: WideRequest): Promise<WideResult> {
  const codes: Record<string, number> = {};
  const sum = { worlds: 0, ticks: 0, refused: 0, events: 0, steps: 0 };
  const began = performance.now();
  const isOver = (): boolean => performance.now() - began > seconds * 1000 || sum.ticks >= ticks || sum.worlds >= plans;
  let failure: WideFailure | null = null;
  for (let at = seed; failure === null && !isOver(); at += stride) {
    const plan = makeWidePlan(at);
    const end = await simulateWide(plan, null);
    sum.worlds += 1;
    sum.ticks += end.ticks;
    sum.refused += end.refused;
    sum.events += end.events;
    sum.steps += end.steps;
    for (const [code, count] of end.codes) codes[code] = (codes[code] ?? 0) + count;
    if (end.violation === null) continue;
    const found = { seconds: Math.round((performance.now() - began) / 100) / 10, ticks: sum.ticks };
    const kind = nameKind(end.violation);
    const isSame = async (smaller: WidePlan): Promise<boolean> => {
      const { violation } = await simulateWide(smaller, null);
      return violation !== null && nameKind(violation) === kind;
    };
    const { stack, message } = end.violation;
    failure = { seed: at, message: stack ?? message, found, plan: await shrinkWide(plan, isSame) };
  }
  const { user, system } = process.cpuUsage();
  const taken = { seconds: (performance.now() - began) / 1000, cpuSeconds: (user + system) / 1e6 };
  return { ...sum, ...taken, codes, failure };
}

/** Its words without names, numbers and times. */
const nameKind = ({ message }: Error): string => message.replaceAll(/\S*\d\S*/g, "#").slice(0, 60);
