/**
 * Waiting jobs that nothing but a worker, a key or a time keeps from starting, in an order that makes the choice cheap:
 * it costs the same with ten jobs and with ten thousand.
 *
 * Each key has a sorted line of jobs for each set of labels that they need. The first of each line of a free key stands
 * among the heads of its set, which are sorted, too. Jobs with a time stand apart until it has come.
 */
import type { JobKey } from "./job.ts";
import type { JobRow } from "./job-row.ts";

export interface ReadyJobs {
  /** The lines of each key, by the labels that their jobs need. */
  readonly lines: Map<JobKey, Map<string, JobRow[]>>;
  readonly sets: Map<string, LabelSet>;
  readonly timed: JobRow[];
  readonly busy: Set<JobKey>;
}

interface LabelSet {
  readonly needs: readonly string[];
  readonly heads: JobRow[];
}

export interface ChoiceInput {
  /** The wall clock, as a timestamp in UTC. */
  readonly now: string;
  readonly labels: readonly string[];
}

type Order = (one: JobRow, other: JobRow) => boolean;

export function noReadyJobs(): ReadyJobs {
  return { lines: new Map(), sets: new Map(), timed: [], busy: new Set() };
}

/** What decides its place must not change while it is here. */
export function addReady(ready: ReadyJobs, row: JobRow): void {
  if (row.isPaused || row.blockers.length > 0) return;
  if (row.terms.not_before === null) joinLine(ready, row);
  else insert(ready.timed, row, isSooner);
}

export function removeReady(ready: ReadyJobs, row: JobRow): void {
  if (!remove(ready.timed, row, isSooner)) leaveLine(ready, row);
}

export function setBusy(ready: ReadyJobs, key: JobKey): void {
  ready.busy.add(key);
  for (const [head] of ready.lines.get(key)?.values() ?? []) if (head !== undefined) dropHead(ready, head);
}

export function setFree(ready: ReadyJobs, key: JobKey): void {
  ready.busy.delete(key);
  for (const [head] of ready.lines.get(key)?.values() ?? []) if (head !== undefined) addHead(ready, head);
}

/** The first one in order whose key is free, whose time has come, and whose labels are there. */
export function findReady(ready: ReadyJobs, { now, labels }: ChoiceInput): JobRow | null {
  for (;;) {
    admitTimed(ready, now);
    const first = findFirst(ready, labels);
    if ((first?.terms.not_before ?? "") <= now || first === null) return first;
    // The clock was set back since its time came.
    leaveLine(ready, first);
    insert(ready.timed, first, isSooner);
  }
}

function findFirst({ sets }: ReadyJobs, labels: readonly string[]): JobRow | null {
  let first: JobRow | null = null;
  for (const { needs, heads } of sets.values()) {
    const [head] = heads;
    if (head === undefined || !needs.every((label) => labels.includes(label))) continue;
    if (first === null || isEarlier(head, first)) first = head;
  }
  return first;
}

function admitTimed(ready: ReadyJobs, now: string): void {
  for (let [row] = ready.timed; row !== undefined && (row.terms.not_before ?? "") <= now; [row] = ready.timed) {
    ready.timed.shift();
    joinLine(ready, row);
  }
}

function joinLine(ready: ReadyJobs, row: JobRow): void {
  const { key } = row.head;
  const lines = ready.lines.get(key) ?? new Map<string, JobRow[]>();
  const set = nameSet(row);
  const line = lines.get(set) ?? [];
  const [before] = line;
  insert(line, row, isEarlier);
  lines.set(set, line);
  ready.lines.set(key, lines);
  if (line[0] !== row || ready.busy.has(key)) return;
  if (before !== undefined) dropHead(ready, before);
  addHead(ready, row);
}

function leaveLine(ready: ReadyJobs, row: JobRow): void {
  const { key } = row.head;
  const lines = ready.lines.get(key);
  const line = lines?.get(nameSet(row));
  if (lines === undefined || line === undefined) return;
  const isHead = line[0] === row;
  if (!remove(line, row, isEarlier)) return;
  const [next] = line;
  if (isHead && !ready.busy.has(key)) {
    dropHead(ready, row);
    if (next !== undefined) addHead(ready, next);
  }
  if (line.length === 0) lines.delete(nameSet(row));
  if (lines.size === 0) ready.lines.delete(key);
}

function addHead({ sets }: ReadyJobs, row: JobRow): void {
  const name = nameSet(row);
  const set = sets.get(name) ?? { needs: row.head.needs, heads: [] };
  insert(set.heads, row, isEarlier);
  sets.set(name, set);
}

function dropHead({ sets }: ReadyJobs, row: JobRow): void {
  const name = nameSet(row);
  const set = sets.get(name);
  if (set === undefined) return;
  remove(set.heads, row, isEarlier);
  if (set.heads.length === 0) sets.delete(name);
}

function nameSet({ head: { needs } }: JobRow): string {
  return needs.length < 2 ? needs.join("") : needs.toSorted().join(" ");
}

function isEarlier(one: JobRow, other: JobRow): boolean {
  if (one.terms.priority !== other.terms.priority) return one.terms.priority > other.terms.priority;
  return one.order < other.order;
}

function isSooner(one: JobRow, other: JobRow): boolean {
  const [time, otherTime] = [one.terms.not_before ?? "", other.terms.not_before ?? ""];
  return time === otherTime ? one.order < other.order : time < otherTime;
}

function insert(rows: JobRow[], row: JobRow, isBefore: Order): void {
  rows.splice(findPlace(rows, row, isBefore), 0, row);
}

function remove(rows: JobRow[], row: JobRow, isBefore: Order): boolean {
  const at = findPlace(rows, row, isBefore);
  if (rows[at] !== row) return false;
  rows.splice(at, 1);
  return true;
}

/** The index of a job in a sorted list, or where it belongs. */
function findPlace(rows: readonly JobRow[], row: JobRow, isBefore: Order): number {
  let [low, high] = [0, rows.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    const other = rows[middle];
    if (other !== undefined && isBefore(other, row)) low = middle + 1;
    else high = middle;
  }
  return low;
}
