/** The quick look at a journal: the same lines as the thorough one, or none. */
import { hash } from "node:crypto";
import { appendFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { readJournal } from "../../src/journal/read-journal.ts";
import { readUnchecked } from "../../src/journal/read-unchecked.ts";
import { HISTORIES, journalOfHistory } from "../support/histories.ts";
import { scratchFolder } from "../support/scratch-repository.ts";

test.each(HISTORIES)("%s has the lines and the end that a check finds", async (name) => {
  const path = join(scratchFolder(), "journal.jsonl");
  writeFileSync(path, await journalOfHistory(name));
  const [quick, checked] = [await readUnchecked(path), await readJournal(path)];
  if (quick === null || checked.kind !== "read") throw new Error("it is not read");
  expect(quick.lines).toMatchObject(checked.lines);
  expect(quick.lines).toHaveLength(checked.lines.length);
  expect(quick.tail).toEqual({ end: checked.end, bytes: checked.bytes });
});

test("a line that is being written is left out; a journal that is none, or of another version, is left to the check", async () => {
  const path = join(scratchFolder(), "journal.jsonl");
  const text = await journalOfHistory("relay");
  const lines = text.trimEnd().split("\n").length;
  writeFileSync(path, `${text}{"seq":`);
  expect((await readUnchecked(path))?.lines).toHaveLength(lines);
  expect((await readUnchecked(path))?.tail.bytes).toBe(Buffer.byteLength(text));
  appendFileSync(path, "\n");
  expect(await readUnchecked(path)).toBeNull();
  writeFileSync(path, `${text}${JSON.stringify({ version: 999, seq: lines })}\n`);
  expect(await readUnchecked(path)).toBeNull();
  expect(await readUnchecked(`${path}.none`)).toBeNull();
  const long = [0, 1, 2].map((seq) => JSON.stringify({ version: 1, seq, text: "é".repeat(seq === 1 ? 1_000_000 : 1) }));
  writeFileSync(path, `${long.join("\n")}\n`);
  const read = await readUnchecked(path);
  expect(read?.lines.map((line) => JSON.stringify(line))).toEqual(long);
  expect(read?.tail.end.sha256).toBe(hash("sha256", long[2] ?? ""));
});
