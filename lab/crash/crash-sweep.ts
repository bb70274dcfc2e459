/**
 * Sweeps every scenario, two at a time, each in a process of its own (lab/crash/sweep-scenario.ts). What was found is kept in
 * lab/crash/swept/, one file for each scenario, with the commit; from them the table of lab/crash/measured.md is made. A scenario
 * that was swept with the same built code is not swept again.
 */
import { execFileSync, spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { text } from "node:stream/consumers";
import { compileRecorder } from "../../test/crash/recorder.ts";
import type { Scenario } from "../../test/crash/scenario.ts";
import { SCENARIOS } from "../../test/crash/scenarios.ts";
import type { Swept } from "../../test/crash/sweep.ts";
import { nameFileSystem, PAGE } from "../../scripts/outing-words.ts";
import type { ScenarioRequest } from "./sweep-scenario.ts";

const FOLDER = "lab/crash/swept";
/** A process is copied whenever it starts another one. */
const LEAN = ["--max-semi-space-size=8"];

export interface SweptScenario extends Omit<Swept, "tried"> {
  readonly name: string;
  readonly place: string;
  readonly tried: number;
  /** How many of them the executable recovered, too; all where that is absent. */
  readonly compared?: number;
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
  /** After so many minutes the rest is left to the next time; each scenario gets its part of them. */
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
  const library = join(dirname(executable), "../library/main.cjs");
  const waiting = findWaiting(words, built);
  const end = performance.now() + wish.minutes * 60_000;
  let failures = 0;
  const work = async (): Promise<void> => {
    for (let scenario = waiting.shift(); scenario !== undefined; scenario = waiting.shift()) {
      const turns = Math.ceil((waiting.length + 1) / wish.atOnce);
      const seconds = (end - performance.now()) / 1000 / turns;
      const paths = { executable, library, recorder: recorder.path };
      failures += await countFailures(sweepOne(scenario, { ...paths, built, step: wish.step, seconds }));
      wish.onSummary();
    }
  };
  if (!wish.limits.includes(PAGE)) {
    execFileSync(process.execPath, ["scripts/build-library.mjs", library], { stdio: "inherit" });
    await Promise.all(Array.from({ length: wish.atOnce }, work));
  }
  wish.onSummary();
  return failures;
}

/** A scenario that cannot be swept is a failure, too, and keeps no other away. */
async function countFailures(sweeping: Promise<SweptScenario>): Promise<number> {
  try {
    return (await sweeping).failures.length;
  } catch (error) {
    console.error(error);
    return 1;
  }
}

/** Without those that this built code has been through; first those of which the smallest part was tried. */
function findWaiting(words: readonly string[], built: string): Scenario[] {
  const named = SCENARIOS.filter((one) => words.every((word) => nameScenario(one).includes(word)));
  if (named.length === 0) throw new Error(`no scenario is ${words.join(" ")}`);
  const shareOf = (scenario: Scenario): number => {
    const known = readSwept().find((one) => nameScenario(one) === nameScenario(scenario));
    return known?.built === built ? known.tried / known.states : 0;
  };
  return named.filter((one) => shareOf(one) < 1).toSorted((one, other) => shareOf(one) - shareOf(other));
}

export const nameScenario = ({ name, place }: Pick<Scenario, "name" | "place">): string => `${name}, ${place}`;

interface SweepOptions extends Omit<ScenarioRequest, "title" | "folder"> {
  readonly built: string;
}

async function sweepOne(scenario: Scenario, { built, ...options }: SweepOptions): Promise<SweptScenario> {
  const { name, place } = scenario;
  const title = nameScenario(scenario);
  const slug = title.replaceAll(/[^a-z]+/g, "-");
  const folder = join(tmpdir(), `relais-swept-${built.slice(0, 12)}`, slug);
  const { tried, ...counts } = await sweepInProcess({ ...options, title, folder });
  const outcomes: Record<string, number> = {};
  for (const { outcome } of tried) outcomes[outcome] = (outcomes[outcome] ?? 0) + 1;
  const swept: SweptScenario = {
    name,
    place,
    ...counts,
    tried: tried.length,
    compared: tried.filter(({ isCompared }) => isCompared === true).length,
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

/** A process for each scenario, so that they share neither a thread nor memory: what it starts is a copy of it at first. */
async function sweepInProcess(request: ScenarioRequest): Promise<Swept> {
  const args = [...LEAN, "scripts/run.mjs", "lab/crash/sweep-scenario.ts", JSON.stringify(request)];
  const child = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "inherit"] });
  const [said, status] = await Promise.all([text(child.stdout), once(child, "close")]);
  if (status[0] !== 0) throw new Error(`${request.title}: the sweep ended with ${String(status[0])}`);
  return JSON.parse(said);
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
