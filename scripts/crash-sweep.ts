/**
 * Sweeps every scenario, two at a time. What was found is kept in test/crash/swept/, one file for each scenario, with the commit;
 * from them the table of docs/crash-safety.md is made. A scenario that was swept with the same built code is not swept again.
 */
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { compileRecorder } from "../test/crash/recorder.ts";
import type { Scenario } from "../test/crash/scenario.ts";
import { SCENARIOS } from "../test/crash/scenarios.ts";
import { type Swept, sweep } from "../test/crash/sweep.ts";
import { nameFileSystem, PAGE } from "./outing-words.ts";

const FOLDER = "test/crash/swept";
const PROGRESS_EVERY = 50;

export interface SweptScenario extends Omit<Swept, "tried"> {
  readonly name: string;
  readonly place: string;
  readonly tried: number;
  /** How often each end was reached. */
  readonly outcomes: Readonly<Record<string, number>>;
  /** The states after which something was wrong. */
  readonly failures: readonly string[];
  readonly commit: string;
  readonly built: string;
  readonly date: string;
  readonly node: string;
  readonly fileSystem: string;
}

interface SweepWish {
  /** Each word leaves out the scenarios that it does not describe. */
  readonly limits: readonly string[];
  /** One state out of so many. */
  readonly step: number;
  /** After so many minutes the rest is left to the next time. */
  readonly minutes: number;
  /** How many scenarios at a time. */
  readonly atOnce: number;
  readonly onSummary: () => void;
}

/** Answers with the number of failures, which are printed on standard error. */
export async function sweepAll(executable: string, wish: SweepWish): Promise<number> {
  const recorder = compileRecorder();
  if ("missing" in recorder) throw new Error(`nothing can be recorded here: ${recorder.missing}`);
  const words = wish.limits.filter((word) => word !== PAGE);
  const built = hashFolder(dirname(executable));
  const isOver = makeTimer(wish.minutes);
  const waiting = SCENARIOS.filter((one) => words.every((word) => `${one.name}, ${one.place}`.includes(word)));
  if (waiting.length === 0) throw new Error(`no scenario is ${words.join(" ")}`);
  let failures = 0;
  const work = async (): Promise<void> => {
    for (let scenario = waiting.shift(); scenario !== undefined && !isOver(); scenario = waiting.shift()) {
      const known = readSwept().find(({ name, place }) => name === scenario?.name && place === scenario.place);
      if (known?.built === built && known.tried === known.states) continue;
      const swept = await sweepOne(scenario, { executable, recorder: recorder.path, built, step: wish.step, isOver });
      failures += swept.failures.length;
      wish.onSummary();
    }
  };
  if (!wish.limits.includes(PAGE)) await Promise.all(Array.from({ length: wish.atOnce }, work));
  wish.onSummary();
  return failures;
}

interface SweepOptions {
  readonly executable: string;
  readonly recorder: string;
  readonly built: string;
  readonly step: number;
  readonly isOver: () => boolean;
}

async function sweepOne(scenario: Scenario, options: SweepOptions): Promise<SweptScenario> {
  const { executable, recorder, built, step, isOver } = options;
  const { name, place } = scenario;
  const title = `${name}, ${place}`;
  const slug = title.replaceAll(/[^a-z]+/g, "-");
  let count = 0;
  const { tried, ...counts } = await sweep({
    scenario,
    executable,
    recorder,
    folder: join(tmpdir(), `relais-swept-${built.slice(0, 12)}`, slug),
    choose: (states) => states.filter((_, index) => index % step === 0),
    isOver,
    onState: (state) => {
      count += 1;
      if (state.failures.length > 0)
        console.error(`${title}, ${state.name} ${state.call}: ${state.failures.join("\n  ").slice(0, 3000)}`);
      if (count % PROGRESS_EVERY === 0) console.error(`${title}: ${count} more`);
    },
  });
  const outcomes: Record<string, number> = {};
  for (const { outcome } of tried) outcomes[outcome] = (outcomes[outcome] ?? 0) + 1;
  const swept: SweptScenario = {
    name,
    place,
    ...counts,
    tried: tried.length,
    outcomes,
    failures: tried.flatMap((one) => (one.failures.length === 0 ? [] : [`${one.name} ${one.call}`])),
    commit: execFileSync("git", ["rev-parse", "--short=10", "HEAD"], { encoding: "utf8" }).trim(),
    built,
    date: new Date().toISOString().slice(0, 10),
    node: process.version,
    fileSystem: nameFileSystem(tmpdir()),
  };
  mkdirSync(FOLDER, { recursive: true });
  writeFileSync(join(FOLDER, `${slug}.json`), `${JSON.stringify(swept, null, 2)}\n`);
  console.error(`${title}: ${swept.tried} of ${swept.states}, ${swept.failures.length} failed`);
  return swept;
}

/** In the order of the table. */
export function readSwept(): readonly SweptScenario[] {
  mkdirSync(FOLDER, { recursive: true });
  const all = readdirSync(FOLDER).map((name): SweptScenario => JSON.parse(readFileSync(join(FOLDER, name), "utf8")));
  return SCENARIOS.flatMap(({ name, place }) => all.filter((one) => one.name === name && one.place === place));
}

/** What names the built code, wherever it is. */
function hashFolder(folder: string): string {
  const hash = createHash("sha256");
  for (const name of readdirSync(folder, { recursive: true, encoding: "utf8" }).toSorted())
    if (name.endsWith(".cjs")) hash.update(`${name}\0`).update(readFileSync(join(folder, name)));
  return hash.digest("hex");
}

function makeTimer(minutes: number): () => boolean {
  const end = performance.now() + minutes * 60_000;
  return () => performance.now() > end;
}
