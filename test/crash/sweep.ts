/**
 * Recovers from every state that a crash can leave: a program runs once while every state of its disk is kept, then each of
 * them is put in the place of the repository, where no process of the program lives any more, and relais recovers it.
 *
 * States that are the same but for times are recovered once. What must be possible after a recovery is tried once for each
 * state that recoveries lead to. With a quick relais, which is no process, the executable recovers one state out of so many
 * as well, and each state that the quick one fails at; both must end in the same way.
 */
import { execFileSync } from "node:child_process";
import { rmSync } from "node:fs";
import { join } from "node:path";
import type { DiskState } from "./recorder.ts";
import { openRecording, type Recording, type TriedState } from "./recording.ts";
import type { Before, Scenario } from "./scenario.ts";
import type { RunRelais, Site } from "./site.ts";
import { digestLoosely } from "./world-digest.ts";

export interface Sweep {
  readonly scenario: Scenario;
  readonly executable: string;
  /** Recovers instead of the executable, which then only tries one state out of so many. */
  readonly quickRelais?: RunRelais;
  readonly recorder: string;
  /** Keeps the states until they are tried. */
  readonly folder: string;
  /** Keeps only the states after each call whose number is a multiple of this. */
  readonly every?: number;
  /** Which of the states are tried; all where it is not given. */
  readonly choose?: (states: readonly DiskState[]) => readonly DiskState[];
  readonly onState?: (tried: TriedState) => void;
  /** When to leave the others to the next time. */
  readonly isOver?: () => boolean;
}

export interface Swept extends Pick<Recording, "calls" | "torn"> {
  /** How many states are different from each other. */
  readonly states: number;
  readonly tried: readonly TriedState[];
  /** How many different states the recoveries led to. */
  readonly ends: number;
}

/** The executable recovers one state out of so many where there is a quick relais. */
const COMPARED_EVERY = 25;

export async function sweep(request: Sweep): Promise<Swept> {
  const { choose, onState, isOver } = request;
  const recording = await openRecording(request);
  const { site, states, calls, torn } = recording;
  const before = lookBefore(request.folder, recording);
  const tried = [...recording.tried];
  const known = new Set(tried.map(({ name }) => name));
  const ends = new Set(tried.map(({ end }) => end));
  for (const state of (choose?.(states) ?? states).filter(({ name }) => !known.has(name))) {
    if (isOver?.() === true) break;
    const isCompared = states.indexOf(state) % COMPARED_EVERY === 0;
    const one = await tryState(request.scenario, recording, { state, before, ends, isCompared });
    rmSync(state.folder, { recursive: true });
    recording.add(one);
    tried.push(one);
    ends.add(one.end);
    onState?.(one);
  }
  site.remove();
  if (tried.length === states.length) rmSync(request.folder, { recursive: true });
  return { calls, torn, states: states.length, tried, ends: ends.size };
}

interface Trial {
  readonly state: DiskState;
  readonly before: Before;
  /** The ends that were looked at already. */
  readonly ends: ReadonlySet<string>;
  /** Whether the executable recovers it, too. */
  readonly isCompared: boolean;
}

async function tryState(scenario: Scenario, { site, quickSite }: Recording, trial: Trial): Promise<TriedState> {
  if (quickSite === null) return tryIn(site, scenario, trial);
  const quick = await tryIn(quickSite, scenario, trial);
  if (quick.failures.length === 0 && !trial.isCompared) return quick;
  const real = await tryIn(site, scenario, trial);
  const isSame = quick.end === real.end && quick.failures.length === real.failures.length;
  const told = [...quick.failures.map((failure) => `without a process: ${failure}`), ...real.failures];
  const failures = isSame ? real.failures : [...told, "the executable ends in another way than without a process"];
  return { ...real, failures, isCompared: true };
}

async function tryIn(site: Site, scenario: Scenario, { state, before, ends }: Trial): Promise<TriedState> {
  putInPlace(state.folder, site);
  const recovered = await scenario.recover(site, before);
  const { outcome } = recovered;
  const end = `${outcome} ${digestLoosely(site.box)}`;
  const isNew = recovered.failures.length === 0 && !ends.has(end);
  const failures = isNew ? await scenario.goOn(site, before, recovered) : recovered.failures;
  return { name: state.name, call: state.call, outcome, failures, end };
}

/** The first copy is of the time before the program began. */
function lookBefore(folder: string, { site }: Recording): Before {
  putInPlace(join(folder, "000000"), site);
  return { whole: site.look(), files: site.lookAtFiles() };
}

/** A copy, so that a sweep that is killed can try the state again. */
function putInPlace(folder: string, site: Site): void {
  site.remove();
  execFileSync("cp", ["-a", "--", folder, site.box]);
}
