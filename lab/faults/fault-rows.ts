/** What is kept of the faults of a run: a row for each tick, place and fault. */
import { tmpdir } from "node:os";
import type { Isolation, Kind } from "../../test/crash/site.ts";
import type { Fault } from "../../test/faults/fault-library.ts";
import type { Deed, FaultyTick } from "../../test/faults/faulty-tick.ts";
import { nameFileSystem } from "../../scripts/outing-words.ts";

export interface FaultOuting extends Omit<Fault, "at" | "shiftSeconds"> {
  readonly deed: Deed;
  readonly isolation: Isolation;
  readonly kind: Kind;
  /** How many calls change a file. */
  readonly calls: number;
  /** How many of them are to fail: one of each class, or all. */
  readonly chosen: number;
  readonly ticks: readonly FaultyTick[];
}

interface FaultRow extends Omit<FaultOuting, "ticks"> {
  readonly tried: number;
  /** How often each end was reached. */
  readonly ends: Readonly<Record<string, number>>;
  /** The calls after which something was wrong. */
  readonly failures: readonly string[];
  readonly date: string;
  readonly commit: string;
  readonly node: string;
  readonly file_system: string;
}

export function makeFaultRow({ ticks, ...outing }: FaultOuting, commit: string): FaultRow {
  const ends: Record<string, number> = {};
  for (const { outcome } of ticks) ends[outcome] = (ends[outcome] ?? 0) + 1;
  return {
    ...outing,
    tried: ticks.length,
    ends,
    failures: ticks.filter(({ failures }) => failures.length > 0).map(({ fault, call }) => `${fault.at} ${call ?? ""}`),
    date: new Date().toISOString().slice(0, 10),
    commit,
    node: process.version,
    file_system: nameFileSystem(tmpdir()),
  };
}

export const nameFaultRow = ({ deed, kind, isolation, error, mode }: FaultRow): string =>
  [deed, kind, isolation, error, mode].join(" ");
