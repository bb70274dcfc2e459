/**
 * Recovers from every state that a crash can leave: a program runs once while every state of its disk is kept, then each of
 * them is put in the place of the repository, where no process of the program lives any more, and the built executable
 * recovers it.
 *
 * States that are the same but for times are recovered once. What must be possible after a recovery is tried once for each
 * state that recoveries lead to.
 */
import { execFileSync } from "node:child_process";
import { rmSync } from "node:fs";
import { join } from "node:path";
import type { DiskState } from "./recorder.ts";
import { openRecording, type Recording, type TriedState } from "./recording.ts";
import type { Before, Scenario } from "./scenario.ts";
import { digestLoosely } from "./world-digest.ts";

export interface Sweep {
  readonly scenario: Scenario;
  readonly executable: string;
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
    putInPlace(state.folder, recording);
    const one = await tryState(request.scenario, recording, { state, before, ends });
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
}

async function tryState(scenario: Scenario, { site }: Recording, { state, before, ends }: Trial): Promise<TriedState> {
  const recovered = await scenario.recover(site, before);
  const { outcome } = recovered;
  const end = `${outcome} ${digestLoosely(site.box)}`;
  const isNew = recovered.failures.length === 0 && !ends.has(end);
  const failures = isNew ? await scenario.goOn(site, before, recovered) : recovered.failures;
  return { name: state.name, call: state.call, outcome, failures, end };
}

/** The first copy is of the time before the program began. */
function lookBefore(folder: string, recording: Recording): Before {
  putInPlace(join(folder, "000000"), recording);
  return { whole: recording.site.look(), files: recording.site.lookAtFiles() };
}

/** A copy, so that a sweep that is killed can try the state again. */
function putInPlace(folder: string, { site }: Recording): void {
  site.remove();
  execFileSync("cp", ["-a", "--", folder, site.box]);
}
