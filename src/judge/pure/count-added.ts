/**
 * Which occurrences a change adds. A file counts by kind: after an edit of a line there are as many as before. A line
 * that moved to another file is not new either.
 */
import { type ChangedFile, makeWeakening, type Occurrence, type Weakening } from "./changed-file.ts";

export interface FileOccurrences {
  readonly file: ChangedFile;
  readonly before: readonly Occurrence[];
  readonly after: readonly Occurrence[];
}

/** The most of one file; more say nothing new. */
const ADDED_MAX = 20;

type Tally = Map<string, number>;

const nameOccurrence = ({ kind, text }: Occurrence): string => `${kind}\0${text}`;

/** By path. */
export function listAdded(files: readonly FileOccurrences[]): readonly (readonly [string, Weakening])[] {
  const lost: Tally = new Map();
  for (const { before, after } of files)
    for (const occurrence of subtract(before, after)) addTo(lost, nameOccurrence(occurrence), 1);
  return files.flatMap(({ file, before, after }) => {
    const source = file.after;
    if (source === null) return [];
    const gained = subtract(after, before).filter((occurrence) => !takeFrom(lost, nameOccurrence(occurrence)));
    const net = countNet(before, after);
    return gained
      .filter(({ kind }) => takeFrom(net, kind))
      .slice(0, ADDED_MAX)
      .map(({ kind, at }) => [file.path, makeWeakening(kind, source, at)] as const);
  });
}

/** The occurrences on one side without those that the other side has too. */
function subtract(from: readonly Occurrence[], others: readonly Occurrence[]): readonly Occurrence[] {
  const known: Tally = new Map();
  for (const occurrence of others) addTo(known, nameOccurrence(occurrence), 1);
  return from.filter((occurrence) => !takeFrom(known, nameOccurrence(occurrence)));
}

function countNet(before: readonly Occurrence[], after: readonly Occurrence[]): Tally {
  const net: Tally = new Map();
  for (const { kind } of after) addTo(net, kind, 1);
  for (const { kind } of before) addTo(net, kind, -1);
  return net;
}

function addTo(tally: Tally, name: string, count: number): void {
  tally.set(name, (tally.get(name) ?? 0) + count);
}

function takeFrom(tally: Tally, name: string): boolean {
  const count = tally.get(name) ?? 0;
  if (count <= 0) return false;
  tally.set(name, count - 1);
  return true;
}
