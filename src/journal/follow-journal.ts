/**
 * Follows a journal while others write it.
 *
 * New lines are read from the last known end. If the journal was repaired, cut, set aside or replaced, all of it is
 * read again, and the lines after the common beginning are new.
 */
import { setTimeout as delay } from "node:timers/promises";
import type { JournalLine } from "../records/event.ts";
import { readStamp } from "./journal-file.ts";
import { type JournalRefusal, type JournalTail, readJournal } from "./read-journal.ts";

const LOOK_MS = 200;

export interface FollowRequest {
  readonly path: string;
  /** Those that are known already. */
  readonly lines: readonly JournalLine[];
  readonly signal: AbortSignal;
  readonly onLines: (lines: readonly JournalLine[]) => void;
  /** Called once for each kind of trouble, until the journal can be read again. */
  readonly onTrouble: (trouble: JournalTrouble) => void;
}

/** It cannot be read for now, or it was replaced. */
type JournalTrouble =
  | { readonly kind: "foreign"; readonly line: number; readonly version: number }
  | { readonly kind: "damaged"; readonly line: number | null; readonly reason: string }
  | { readonly kind: "replaced"; readonly line: number };

/**
 * Reads the journal again and again until the signal fires, and once more then, for the last recorded lines. Trouble
 * with the journal does not end it.
 */
export async function followJournal({ signal, path, ...request }: FollowRequest): Promise<void> {
  const follower = openFollower({ path, ...request });
  let seen: string | null = null;
  for (;;) {
    const isLast = signal.aborted;
    const stamp = readStamp(path);
    if (stamp !== null && stamp !== seen) await follower.look();
    seen = stamp;
    if (isLast) return;
    await delay(LOOK_MS, null, { signal }).catch(() => null);
  }
}

function openFollower({ path, lines, onLines, onTrouble }: Omit<FollowRequest, "signal">) {
  let known = [...lines];
  let tail: JournalTail | null = null;
  let told: string | null = null;

  const readOn = async (): Promise<boolean> => {
    if (tail === null) return false;
    const read = await readJournal(path, tail);
    if (read.kind !== "read" || read.lines.length === 0) return false;
    tail = read;
    known.push(...read.lines);
    onLines(read.lines);
    return true;
  };

  const readAgain = async (): Promise<void> => {
    const read = await readJournal(path);
    tail = null;
    if (read.kind === "missing") return;
    if (read.kind !== "read") {
      const trouble = describeTrouble(read);
      const name = trouble.kind === "damaged" ? trouble.reason : trouble.kind;
      const isNew = told !== name;
      told = name;
      if (isNew) onTrouble(trouble);
      return;
    }
    told = null;
    const shared = countSharedLines(known, read.lines);
    // A journal that was only cut may get its lines back; until other lines follow, the reported ones stay.
    if (shared === read.lines.length && shared < known.length) return;
    tail = read;
    if (shared === read.lines.length) return;
    if (shared < known.length) onTrouble({ kind: "replaced", line: shared + 1 });
    known = [...read.lines];
    onLines(read.lines.slice(shared));
  };

  return {
    look: async (): Promise<void> => {
      if (!(await readOn())) await readAgain();
    },
  };
}

function describeTrouble(refusal: JournalRefusal): JournalTrouble {
  if (refusal.kind === "foreign") return { kind: "foreign", line: refusal.line, version: refusal.version };
  return { kind: "damaged", line: refusal.line, reason: refusal.reason };
}

function countSharedLines(known: readonly JournalLine[], read: readonly JournalLine[]): number {
  const isSame = (at: number): boolean => JSON.stringify(known[at]) === JSON.stringify(read[at]);
  const shorter = Math.min(known.length, read.length);
  // A line names the one before it by its hash, so where the last ones agree all of them do.
  if (shorter === 0 || isSame(shorter - 1)) return shorter;
  let at = 0;
  while (isSame(at)) at += 1;
  return at;
}
