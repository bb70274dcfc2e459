/** The rows of the bench: what is measured, beside what, and which ratio is wanted. */
import type { Measurable, Meter, Sample } from "./meter.ts";

/** What is run once in each round. */
export interface Subject extends Measurable {
  readonly name: string;
  /** Prepares a run or tidies up after it; not measured. */
  readonly before?: () => Promise<void> | void;
  readonly after?: () => Promise<void> | void;
}

/** The value of a subject in one round. */
export type Reading = (subject: string) => number;

/** What a row is divided by. */
export interface Divisor {
  readonly title: string;
  readonly value: (read: Reading) => number;
}

interface Target {
  /** The title of the divisor, or `MS`; null where megabytes are meant. */
  readonly against: string | null;
  readonly must: number;
  readonly best: number;
}

export interface Row {
  readonly title: string;
  /** The words that choose it. */
  readonly words: readonly string[];
  /** One subject, or a sum or difference of several. */
  readonly value: (read: Reading) => number;
  readonly divisors: readonly Divisor[];
  readonly targets: readonly Target[];
}

/** Rows that share a repository, and are measured in turn. */
export interface Group {
  readonly title: string;
  readonly rows: readonly Row[];
  /** Prepares the subjects with these names; some may be missing where the machine cannot run them. */
  readonly prepare: (bench: Bench, names: ReadonlySet<string>) => Promise<Prepared>;
}

export interface Prepared {
  readonly subjects: readonly Subject[];
  /** What was left out, and why. */
  readonly missing: readonly string[];
  /** Ends what the subjects needed. */
  readonly close?: () => Promise<void>;
}

export interface Peer {
  readonly name: string;
  readonly command: string;
}

/** What every group needs. */
export interface Bench {
  readonly folder: string;
  /** The installed executable. */
  readonly relais: string;
  readonly env: Readonly<Record<string, string>>;
  readonly meter: Meter;
  readonly peers: readonly Peer[];
  readonly runs: number;
  /** By how much every size is divided: to see that each row works, and not what it costs. */
  readonly scale: number;
}

export const NODE = "empty Node";
export const FLOOR = "floor";
/** A target in milliseconds, against nothing. */
export const MS = "ms";

export const perNode: Divisor = { title: NODE, value: (read) => read(NODE) };
export const only = (name: string) => (read: Reading) => read(name);

export function emptyNode({ folder, env }: Bench): Subject {
  return { name: NODE, commands: [[process.execPath, "-e", "0"]], cwd: folder, env, status: 0 };
}

/** The subjects that these rows read. */
export function listSubjects(rows: readonly Row[]): ReadonlySet<string> {
  const names = new Set<string>();
  const note: Reading = (name) => {
    names.add(name);
    return 1;
  };
  for (const { value, divisors } of rows) for (const part of [value, ...divisors.map((one) => one.value)]) part(note);
  return names;
}

export type Samples = ReadonlyMap<string, readonly Sample[]>;
