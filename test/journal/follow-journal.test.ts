import { join } from "node:path";
import { expect, test } from "vitest";
import type { JournalLine } from "../../src/records/event.ts";
import { followJournal } from "../../src/journal/follow-journal.ts";
import { openJournal } from "../../src/journal/journal.ts";
import { journalOf } from "../support/journals.ts";
import { scratchFolder } from "../support/scratch-repository.ts";

test("what is recorded before the end is told, however soon the end comes", async () => {
  const path = join(scratchFolder(), "journal.jsonl");
  const opened = await openJournal({ path, ledger: null });
  if (opened.kind !== "open") throw new Error(JSON.stringify(opened));
  const { journal } = opened;
  const told: JournalLine[] = [];
  const over = new AbortController();
  const following = followJournal({
    path,
    lines: [],
    signal: over.signal,
    onLines: (lines) => told.push(...lines),
    onTrouble: ({ kind }) => expect(kind).toBe("no trouble"),
  });
  for (const { at, run_id, series_id, event } of journalOf([{}]))
    await journal.append({ at, run_id, series_id, event });
  over.abort();
  await following;
  expect(told).toEqual(journal.lines());
  await journal.close();
});
