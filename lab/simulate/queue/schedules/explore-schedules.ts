/** Plays schedules: chosen at random, or all of a size. One that breaks a promise is made smaller and told. */
import { makeRandom } from "../../../../scripts/random.ts";
import { type Choose, Enough, type ScheduleSize } from "./schedule-size.ts";
import { ScheduleWorld } from "./schedule-world.ts";

export interface Explored {
  readonly schedules: number;
  readonly steps: number;
  readonly seconds: number;
  /** Whether there was nothing left to try. */
  readonly isWhole: boolean;
  readonly failure: {
    readonly message: string;
    readonly schedule: readonly string[];
    readonly choices: readonly number[];
  } | null;
}

const ENGINES = ["files", "server"] as const;

/** The server is asked more often for the same. */
export const RANDOM_SIZES: readonly ScheduleSize[] = ENGINES.flatMap((engine) =>
  [2, 3].flatMap((workers) =>
    [1, 2].map((jobs) => ({ engine, workers, jobs, faults: 2, steps: engine === "server" ? 90 : 40 })),
  ),
);
export const ALL_SIZES: readonly ScheduleSize[] = ENGINES.flatMap((engine) => [
  { engine, workers: 2, jobs: 1, faults: 0, steps: 7 },
  { engine, workers: 2, jobs: 1, faults: 1, steps: 6 },
]);

interface Played {
  readonly message: string | null;
  readonly trace: readonly string[];
  readonly steps: number;
  readonly choices: readonly number[];
}

async function play(size: ScheduleSize, choose: Choose): Promise<Played> {
  const choices: number[] = [];
  const world = new ScheduleWorld(size, (count, describe) => {
    const choice = choose(count, describe);
    choices.push(choice);
    return choice;
  });
  try {
    await world.run();
    return { message: null, trace: world.trace, steps: world.countSteps(), choices };
  } catch (error) {
    const message =
      error instanceof Enough ? null : error instanceof Error ? (error.stack ?? error.message) : String(error);
    return { message, trace: world.trace, steps: world.countSteps(), choices };
  } finally {
    world.close();
  }
}

export async function exploreAtRandom(
  sizes: readonly ScheduleSize[],
  seed: number,
  seconds: number,
): Promise<Explored> {
  const random = makeRandom(seed);
  const began = performance.now();
  const sum = { schedules: 0, steps: 0 };
  const passed = (): number => (performance.now() - began) / 1000;
  while (sum.schedules === 0 || passed() < seconds) {
    const size = random.pick(sizes);
    if (size === undefined) break;
    const played = await play(size, (count) => random.below(count));
    sum.schedules += 1;
    sum.steps += played.steps;
    if (played.message !== null)
      return { ...sum, seconds: passed(), isWhole: false, failure: await makeSmaller(size, played) };
  }
  return { ...sum, seconds: passed(), isWhole: false, failure: null };
}

/** Every choice at every place, but not behind a state that was seen. */
export async function exploreAll(size: ScheduleSize, seconds: number): Promise<Explored> {
  const began = performance.now();
  const passed = (): number => (performance.now() - began) / 1000;
  const seen = new Set<string>();
  const sum = { schedules: 0, steps: 0 };
  let path: { choice: number; readonly count: number }[] = [];
  for (;;) {
    let at = 0;
    const fixed = path;
    const next: { choice: number; readonly count: number }[] = [];
    const played = await play(size, (count, describe) => {
      const known = fixed[at];
      at += 1;
      const choice = known?.choice ?? 0;
      if (known === undefined && count > 1) {
        const state = describe();
        if (seen.has(state)) throw new Enough();
        seen.add(state);
      }
      next.push({ choice, count });
      return choice;
    });
    sum.schedules += 1;
    sum.steps += played.steps;
    if (played.message !== null)
      return { ...sum, seconds: passed(), isWhole: false, failure: await makeSmaller(size, played) };
    while (next.length > 0 && (next.at(-1)?.choice ?? 0) + 1 >= (next.at(-1)?.count ?? 0)) next.pop();
    const last = next.at(-1);
    if (last === undefined) return { ...sum, seconds: passed(), isWhole: true, failure: null };
    last.choice += 1;
    path = next;
    if (passed() > seconds) return { ...sum, seconds: passed(), isWhole: false, failure: null };
  }
}

const replay = (size: ScheduleSize, choices: readonly number[]): Promise<Played> => {
  let at = 0;
  return play(size, (count) => {
    const choice = choices[at] ?? 0;
    at += 1;
    return choice % count;
  });
};

/** Without the choices that do not matter, from long pieces to single ones, and with the first choice where it does as well. */
async function makeSmaller(size: ScheduleSize, first: Played): Promise<NonNullable<Explored["failure"]>> {
  let best = first;
  const tryIt = async (choices: readonly number[]): Promise<boolean> => {
    const played = await replay(size, choices);
    if (played.message === null || played.message.split("\n")[0] !== first.message?.split("\n")[0]) return false;
    if (played.trace.length >= best.trace.length) return false;
    best = played;
    return true;
  };
  for (let length = Math.ceil(best.choices.length / 2); length >= 1; length = Math.floor(length / 2))
    for (let from = 0; from < best.choices.length; from += 1)
      while (await tryIt([...best.choices.slice(0, from), ...best.choices.slice(from + length)]));
  return { message: best.message ?? "", schedule: best.trace, choices: best.choices };
}
