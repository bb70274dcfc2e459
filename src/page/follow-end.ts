/** Follows a journal whose lines are known, from its end on. */
import { setTimeout as delay } from "node:timers/promises";
import type { JournalLine } from "../records/event.ts";
import { readStamp } from "../journal/journal-file.ts";
import { type JournalTail, readJournal } from "../journal/read-journal.ts";

interface FollowedJournal {
  readonly path: string;
  readonly tail: JournalTail;
  readonly signal: AbortSignal;
  readonly onLines: (lines: readonly JournalLine[]) => void;
}

const LOOK_MS = 200;

/** Ends with the signal, or when the known lines may not hold any more: cut, replaced, damaged or of another version. */
export async function followEnd({ path, tail, signal, onLines }: FollowedJournal): Promise<void> {
  let at = tail;
  let seen: string | null = null;
  while (!signal.aborted) {
    const stamp = readStamp(path);
    if (stamp !== seen) {
      const read = await readJournal(path, at);
      const isGrown = read.kind === "read" && read.lines.length > 0;
      // The first look only makes sure of the end.
      if (!isGrown && (seen !== null || read.kind !== "read")) return;
      if (isGrown) onLines(read.lines);
      if (read.kind === "read") at = read;
    }
    seen = stamp;
    await delay(LOOK_MS, null, { signal }).catch(() => null);
  }
}
