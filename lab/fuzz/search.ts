/**
 * Looks for inputs that break a target, in a process of its own: an input that runs code which no known one ran is kept
 * and becomes the beginning of new ones. The current input is in a file before it is tried, so that the process that
 * started this one can tell what made it hang or crash.
 */
import { closeSync, ftruncateSync, mkdirSync, openSync, readFileSync, writeFileSync, writeSync } from "node:fs";
import { join } from "node:path";
import { readSections, writeSections } from "../sections.mjs";
import { watchCoverage } from "./coverage.ts";
import { mutate } from "./mutate.ts";
import { makeRandom } from "../../scripts/random.ts";
import { shrink } from "./shrink.ts";
import type { FuzzTarget } from "./target.ts";

export interface Search {
  readonly target: FuzzTarget;
  /** The address of the code whose coverage counts. */
  readonly code: string;
  readonly seconds: number;
  readonly seed: number;
  /** Documents with known inputs. */
  readonly known: readonly string[];
  /** Where the smallest corpus, the current input and a failing one are written. */
  readonly out: string;
}

/** One line of standard output. */
export interface SearchNews {
  readonly inputs: number;
  readonly corpus: number;
  readonly features: number;
  /** What did not hold; the input is in the file `failing`. */
  readonly failure: string | null;
}

/** Asking V8 takes longer than most inputs, so it is asked once for this many; only news are looked at one by one. */
const BATCH = 16;
const NEWS_MS = 1000;
/** The heap has a limit of its own; what a parser asks for beside it, for buffers, must end somewhere, too. */
const MEMORY_MB_MAX = 1024;
const KB_OF_MB = 1024;

export async function searchInputs({ target, code, seconds, seed, known, out }: Search): Promise<void> {
  mkdirSync(out, { recursive: true });
  const tries = openTries(target, { code, out });
  const random = makeRandom(seed);
  const repair = target.repair ?? ((data: Buffer) => data);
  const { words = [], generate } = target;
  const make = (): Buffer => repair(mutate({ random, corpus: tries.corpus(), words, generate }));
  const first = [...target.seeds(), ...known.flatMap(readInputs)];
  let isGood = await every(first, tries.add);
  const end = performance.now() + seconds * 1000;
  while (isGood && performance.now() < end) isGood = await tries.addNew(Array.from({ length: BATCH }, make));
  if (isGood) tries.tell(null);
  await target.close?.();
  writeFileSync(join(out, "corpus.txt"), writeSections(tries.close()));
}

function openTries(target: FuzzTarget, { code, out }: Pick<Search, "code" | "out">) {
  const current = openSync(join(out, "current"), "w");
  const coverage = watchCoverage(code);
  const seen = new Set<string>();
  const corpus: { readonly data: Buffer; readonly features: readonly string[] }[] = [];
  let inputs = 0;
  let told = 0;
  const tell = (failure: string | null): void => {
    const news: SearchNews = { inputs, corpus: corpus.length, features: seen.size, failure };
    writeSync(1, `${JSON.stringify(news)}\n`);
    told = performance.now();
  };
  const holds = async (data: Buffer): Promise<boolean> => {
    writeSync(current, data, 0, data.length, 0);
    ftruncateSync(current, data.length);
    inputs += 1;
    try {
      const checked = target.check(data);
      if (checked !== undefined) await checked;
      checkMemory();
      if (performance.now() - told > NEWS_MS) tell(null);
      return true;
    } catch (error) {
      writeFileSync(join(out, "failing"), await shrink(data, (smaller) => failsAlike(target, smaller, error)));
      tell(error instanceof Error ? (error.stack ?? error.message) : String(error));
      return false;
    }
  };
  const hasNews = (features: readonly string[]): boolean => features.some((feature) => !seen.has(feature));
  const add = async (data: Buffer): Promise<boolean> => {
    if (!(await holds(data))) return false;
    const features = coverage.take();
    if (hasNews(features)) corpus.push({ data, features });
    for (const feature of features) seen.add(feature);
    return true;
  };
  return {
    tell,
    add,
    corpus: () => corpus.map(({ data }) => data),
    addNew: async (list: readonly Buffer[]) =>
      (await every(list, holds)) && (!hasNews(coverage.take()) || (await every(list, add))),
    close: () => {
      coverage.stop();
      closeSync(current);
      return chooseCorpus(corpus);
    },
  };
}

function checkMemory(): void {
  const megabytes = Math.round(process.resourceUsage().maxRSS / KB_OF_MB);
  if (megabytes > MEMORY_MB_MAX) throw new Error(`its process took ${megabytes} MB`);
}

/** The smallest inputs that together run everything that was ever run. */
function chooseCorpus(corpus: readonly { readonly data: Buffer; readonly features: readonly string[] }[]) {
  const covered = new Set<string>();
  const bySize = corpus.toSorted((one, other) => one.data.length - other.data.length);
  const chosen = bySize.filter(({ features }) => {
    const isNeeded = features.some((feature) => !covered.has(placeOf(feature)));
    for (const feature of features) covered.add(placeOf(feature));
    return isNeeded;
  });
  return chosen.map(({ data }, at) => ({ data, name: String(at).padStart(3, "0") }));
}

const placeOf = (feature: string): string => feature.slice(0, feature.indexOf(":"));

/** Another failure than the one that was found must not take its place. */
async function failsAlike(target: FuzzTarget, data: Buffer, first: unknown): Promise<boolean> {
  try {
    await target.check(data);
    return false;
  } catch (error) {
    return findPlace(error) === findPlace(first);
  }
}

function findPlace(error: unknown): string {
  return error instanceof Error ? (/\n\s+at .*/u.exec(error.stack ?? "")?.[0] ?? error.name) : String(error);
}

/** One after the other, up to the first that does not hold. */
async function every(list: readonly Buffer[], holds: (data: Buffer) => Promise<boolean>): Promise<boolean> {
  for (const data of list) if (!(await holds(data))) return false;
  return true;
}

function readInputs(file: string): readonly Buffer[] {
  return readSections(readFileSync(file, "utf8")).map(({ data }) => data);
}
