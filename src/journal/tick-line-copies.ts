/**
 * A copy of each tick's lines, in the folder of that tick.
 *
 * A journal that somebody cut at the end of an earlier line still has a chain without a fault. The copies show that it
 * was longer, and restore the lost lines. They are written after the journal, so they hold nothing that it did not
 * hold.
 */
import { appendFileSync, closeSync, constants, openSync, writeFileSync } from "node:fs";
import type { JournalLine } from "../records/event.ts";
import { renderJournalText } from "./journal-text.ts";
import { locateTickLines } from "./run-directory.ts";

const { O_WRONLY, O_CREAT, O_TRUNC, O_NOFOLLOW } = constants;

export function openTickLineCopies(stateDirectory: string) {
  const begun = new Set<string>();
  return {
    /** Copies a line that is in the journal by now; `listAll` has all lines of its tick up to that one. */
    add: (line: JournalLine, listAll: () => readonly JournalLine[]): void => {
      const path = locateTickLines(stateDirectory, line.run_id);
      try {
        if (begun.has(line.run_id)) return appendFileSync(path, renderLine(line));
        // A process that was killed may have left the copy behind the journal.
        replace(path, listAll().map(renderLine));
        begun.add(line.run_id);
      } catch {
        // A tick of another machine has no folder here, and a full disk has no room: what counts is the journal.
      }
    },
  };
}

function renderLine(line: JournalLine): string {
  return `${renderJournalText(line).text}\n`;
}

/** No syncing: a killed process loses nothing that was written, and after a power cut the journal itself is there. */
function replace(path: string, texts: readonly string[]): void {
  const file = openSync(path, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW, 0o600);
  try {
    writeFileSync(file, texts.join(""));
  } finally {
    closeSync(file);
  }
}
