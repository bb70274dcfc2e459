import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import {
  appendFileSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import fc from "fast-check";
import { expect, test } from "vitest";
import type { JournalLine } from "../../src/records/event.ts";
import { InvariantError, MeasurementError } from "../../src/base/errors.ts";
import { type Journal, openJournal } from "../../src/journal/journal.ts";
import { readJournal } from "../../src/journal/read-journal.ts";
import { bundle } from "../support/bundle.ts";
import { journalOf } from "../support/journals.ts";
import { scratchFolder } from "../support/scratch-repository.ts";
import { partOf } from "../support/part-of.ts";
import { runs } from "../support/runs.ts";

const sha256 = (text: string) => createHash("sha256").update(text).digest("hex");
type JournalEntry = Parameters<Journal["append"]>[0];

const ENTRIES: readonly JournalEntry[] = journalOf([{}, { kind: "question" }, { kind: "dirty" }]);

async function opened(path: string, ledger: string | null = null): Promise<Journal> {
  const result = await openJournal({ path, ledger });
  if (result.kind !== "open") throw new Error(JSON.stringify(result));
  return result.journal;
}

async function appendAll(journal: Journal, entries: readonly JournalEntry[]): Promise<readonly JournalLine[]> {
  const lines: JournalLine[] = [];
  for (const { at, run_id, series_id, event } of entries)
    lines.push(await journal.append({ at, run_id, series_id, event }));
  return lines;
}

/** A journal on the disk with so many lines. */
async function written(length: number): Promise<{ path: string; lines: readonly JournalLine[] }> {
  const path = join(scratchFolder(), "journal.jsonl");
  const journal = await opened(path);
  const lines = await appendAll(journal, ENTRIES.slice(0, length));
  await journal.close();
  return { path, lines };
}

/** The lines and what is behind them; anything but a readable journal fails the test. */
async function content(path: string): Promise<{ lines: readonly JournalLine[]; torn: string }> {
  const read = await readJournal(path);
  if (read.kind !== "read") throw new Error(JSON.stringify(read));
  return { lines: read.lines, torn: read.torn.toString("utf8") };
}

const textsOf = (path: string) => readFileSync(path, "utf8").trimEnd().split("\n");

test("what was appended is read back, and the next process goes on from there", async () => {
  const { path, lines } = await written(5);
  expect(lines.map(({ seq }) => seq)).toEqual([0, 1, 2, 3, 4]);
  expect(await content(path)).toEqual({ lines, torn: "" });
  const journal = await opened(path);
  const added = await appendAll(journal, ENTRIES.slice(5, 7));
  expect(journal.lines()).toEqual([...lines, ...added]);
  await journal.close();
  expect(await content(path)).toEqual({ lines: [...lines, ...added], torn: "" });
});

test("every line is JSON and names the hash of the line before it", async () => {
  const { path, lines } = await written(8);
  const texts = textsOf(path);
  expect(texts.map((text) => Object.keys(JSON.parse(text)))).toEqual(
    texts.map(() => ["version", "seq", "at", "run_id", "series_id", "prev", "event", "sha256"]),
  );
  expect(lines.map(({ prev }) => prev)).toEqual([null, ...texts.slice(0, -1).map(sha256)]);
});

test("opening writes nothing; the first line makes a file for its owner alone", async () => {
  const folder = scratchFolder();
  const journal = await opened(join(folder, "journal.jsonl"), join(folder, "no-ledger.jsonl"));
  expect(readdirSync(folder)).toEqual([]);
  expect(await readJournal(journal.path)).toEqual({ kind: "missing" });
  await appendAll(journal, ENTRIES.slice(0, 1));
  await journal.close();
  expect(readdirSync(folder)).toEqual(["journal.jsonl"]);
  expect(lstatSync(journal.path).mode & 0o777).toBe(0o600);
});

/** What a reader makes of these bytes: how many lines it accepts and what it leaves behind them, or where it refuses. */
async function seen(path: string, bytes: Buffer): Promise<{ lines: readonly JournalLine[]; rest: string } | number> {
  writeFileSync(path, bytes);
  const read = await readJournal(path);
  if (read.kind === "read") return { lines: read.lines, rest: read.torn.toString("latin1") };
  return read.kind === "corrupt" ? (read.line ?? 0) : -1;
}

test("a journal cut at any byte gives the lines before the cut, or is refused", async () => {
  const { path, lines } = await written(6);
  const whole = readFileSync(path);
  const ends = [...whole.entries()].flatMap(([at, byte]) => (byte === 0x0a ? [at + 1] : []));
  const nearEnds = new Set(ends.flatMap((end) => [end - 1, end, end + 1]));
  const kindOf = (cut: number): string => (nearEnds.has(cut) ? String(cut) : "inside");
  for (const cut of partOf([...whole.keys()], { kindOf, oneIn: 10 })) {
    const complete = ends.filter((end) => end <= cut).length;
    const rest = whole.toString("latin1", ends[complete - 1] ?? 0, cut);
    const expected = complete === 0 ? 1 : { lines: lines.slice(0, complete), rest };
    expect(await seen(path, whole.subarray(0, cut))).toEqual(expected);
  }
});

test("a change of any byte is noticed", async () => {
  const { path, lines } = await written(6);
  const whole = readFileSync(path);
  const lastStart = whole.lastIndexOf("\n", whole.length - 2) + 1;
  const newlines = [...whole.entries()].flatMap(([at, byte]) => (byte === 0x0a ? [at] : []));
  const lineOf = (at: number) => whole.subarray(0, at).filter((byte) => byte === 0x0a).length + 1;
  await fc.assert(
    fc.asyncProperty(
      fc.oneof(
        fc.nat({ max: whole.length - 1 }),
        fc.integer({ min: lastStart, max: whole.length - 1 }),
        fc.constantFrom(...newlines),
      ),
      fc.oneof(fc.constantFrom(1, 2, 4, 8, 16, 32, 64, 128), fc.integer({ min: 1, max: 255 })),
      async (at, flip) => {
        const changed = Buffer.from(whole);
        changed[at] = (whole[at] ?? 0) ^ flip;
        const result = await seen(path, changed);
        // At the very end a change cannot be told from a write that was cut short; then the line does not count.
        const torn = { lines: lines.slice(0, -1), rest: changed.toString("latin1", lastStart) };
        expect(at < lastStart ? [lineOf(at)] : [lineOf(at), torn]).toContainEqual(result);
      },
    ),
    runs(1500),
  );
});

test.for([
  ["dropped", 3, (lines: string[]) => lines.toSpliced(2, 1)],
  ["repeated", 4, (lines: string[]) => lines.toSpliced(3, 0, lines[2] ?? "")],
  ["swapped", 2, (lines: string[]) => [lines[0], lines[2], lines[1], ...lines.slice(3)]],
  ["empty", 3, (lines: string[]) => lines.toSpliced(2, 0, "")],
  ["replaced by other JSON", 3, (lines: string[]) => lines.toSpliced(2, 1, "{}")],
  ["replaced by no JSON", 3, (lines: string[]) => lines.toSpliced(2, 1, "}")],
] as const)("a line that is %s is damage at line %i", async ([, line, change]) => {
  const { path } = await written(6);
  writeFileSync(path, `${change(textsOf(path)).join("\n")}\n`);
  expect(await readJournal(path)).toMatchObject({ kind: "corrupt", path, line });
  expect(await openJournal({ path, ledger: null })).toMatchObject({ kind: "corrupt", path, line });
});

/** A line that holds its own hash and continues the chain, whatever else it says. */
function forged(before: string, fields: Readonly<Record<string, unknown>>): string {
  const line = { version: 1, seq: 1, at: "2026-01-31T23:59:59.000Z", run_id: "run-00000001", series_id: "series-0001" };
  const body = JSON.stringify({ ...line, prev: sha256(before), ...fields });
  return `${body.slice(0, -1)},"sha256":"${sha256(body)}"}`;
}

test("a line with a good hash must still be a line of a journal", async () => {
  const { path } = await written(1);
  const [first = ""] = textsOf(path);
  const reported = { type: "reported", report_sha256: null };
  const reading = async (fields: Readonly<Record<string, unknown>>) => {
    writeFileSync(path, `${first}\n${forged(first, fields)}\n`);
    return readJournal(path);
  };
  expect(await reading({ event: reported })).toMatchObject({ kind: "read" });
  expect(await reading({ event: { type: "repotred" } })).toMatchObject({ kind: "corrupt", line: 2 });
  expect(await reading({ event: reported, seq: 2 })).toMatchObject({
    reason: "its number is 2, expected 1",
  });
  expect(await reading({ event: reported, prev: null })).toMatchObject({
    reason: "it does not name the hash of the line before it",
  });
  expect(await reading({ event: reported, extra: 1 })).toMatchObject({ kind: "corrupt", line: 2 });
});

test.for([
  ['{"seq":4,"at":"2026', "without an end"],
  ["\0\0\0\0\0\0", "of zeros"],
  ['{"seq":4,"at":"20\0\0\0\0"}\n', "with its newline but not its middle"],
  ["\n", "that is empty"],
  [
    `{"seq":4,"event":{"type":"reported","history_files":[{"name":"a","sha256":"${"0".repeat(64)}"},{"name":"b"`,
    "behind the hash of a file that it lists",
  ],
] as const)("a last line %j (%s) is kept aside and cut off", async ([rest]) => {
  const { path, lines } = await written(4);
  appendFileSync(path, rest);
  expect(await content(path)).toEqual({ lines, torn: rest });
  const journal = await opened(path);
  expect(journal.lines()).toEqual(lines);
  const kept = join(dirname(path), "journal.torn-4");
  expect(readFileSync(kept, "utf8")).toBe(rest);
  expect(lstatSync(kept).mode & 0o777).toBe(0o600);
  const added = await appendAll(journal, ENTRIES.slice(4, 5));
  await journal.close();
  expect(await content(path)).toEqual({ lines: [...lines, ...added], torn: "" });
});

test("a line longer than any line can be is damage", async () => {
  const { path } = await written(1);
  appendFileSync(path, Buffer.alloc(17 * 1024 * 1024, "x"));
  expect(await readJournal(path)).toMatchObject({ kind: "corrupt", line: 2 });
});

test("lines appended at the same time follow each other", async () => {
  const path = join(scratchFolder(), "journal.jsonl");
  const journal = await opened(path);
  const [entry] = ENTRIES;
  if (entry === undefined) throw new Error("no entries");
  const { at, run_id, series_id, event } = entry;
  await Promise.all(Array.from({ length: 40 }, () => journal.append({ at, run_id, series_id, event })));
  await journal.close();
  expect((await content(path)).lines.map(({ seq }) => seq)).toEqual([...Array(40).keys()]);
});

test("an event that could not be read back is refused before it is written", async () => {
  const { path, lines } = await written(2);
  const journal = await opened(path);
  const yesterday = ENTRIES.slice(2, 3).map((entry) => ({ ...entry, at: "yesterday" }));
  await expect(appendAll(journal, yesterday)).rejects.toThrow(InvariantError);
  const added = await appendAll(journal, ENTRIES.slice(2, 3));
  await journal.close();
  expect((await content(path)).lines).toEqual([...lines, ...added]);
});

test.for([
  ["was removed", (path: string) => rmSync(path)],
  ["was appended to", (path: string) => appendFileSync(path, "x\n")],
  ["was emptied", (path: string) => writeFileSync(path, "")],
] as const)("nothing is appended to a journal that %s meanwhile", async ([, harm]) => {
  const { path } = await written(2);
  const journal = await opened(path);
  await appendAll(journal, ENTRIES.slice(2, 3));
  harm(path);
  await expect(appendAll(journal, ENTRIES.slice(3, 4))).rejects.toThrow(MeasurementError);
  await journal.close();
});

test.for([
  ["a link", (path: string) => symlinkSync("/dev/null", path)],
  ["a folder", (path: string) => mkdirSync(path)],
  ["an empty file", (path: string) => writeFileSync(path, "")],
] as const)("%s is no journal", async ([, put]) => {
  const path = join(scratchFolder(), "journal.jsonl");
  put(path);
  expect((await readJournal(path)).kind).toBe("corrupt");
  expect((await openJournal({ path, ledger: null })).kind).toBe("corrupt");
});

test("without a journal the ledger is taken up, and the chain goes on", async () => {
  const { path: ledger, lines } = await written(6);
  const path = join(scratchFolder(), "journal.jsonl");
  const journal = await opened(path, ledger);
  expect(journal.lines()).toEqual(lines);
  const added = await appendAll(journal, ENTRIES.slice(6, 8));
  await journal.close();
  expect(await content(path)).toEqual({ lines: [...lines, ...added], torn: "" });
  expect(lstatSync(path).mode & 0o777).toBe(0o600);
  expect((await content(ledger)).lines).toEqual(lines);
});

test("where there is a journal the ledger plays no part", async () => {
  const { path, lines } = await written(3);
  const ledger = join(dirname(path), "ledger.jsonl");
  writeFileSync(ledger, "nonsense\n");
  const journal = await opened(path, ledger);
  expect(journal.lines()).toEqual(lines);
});

test.for([
  ["changed", (ledger: string) => writeFileSync(ledger, readFileSync(ledger, "utf8").replace("relay", "goal"))],
  ["cut off", (ledger: string) => writeFileSync(ledger, readFileSync(ledger).subarray(0, -5))],
  ["empty", (ledger: string) => writeFileSync(ledger, "")],
] as const)("a ledger that is %s is not taken up", async ([, harm]) => {
  const { path: ledger } = await written(4);
  harm(ledger);
  const path = join(scratchFolder(), "journal.jsonl");
  expect(await openJournal({ path, ledger })).toMatchObject({ kind: "corrupt", path: ledger });
  expect(await readJournal(path)).toEqual({ kind: "missing" });
});

test("a link is not followed to a ledger", async () => {
  const { path: real } = await written(2);
  const folder = scratchFolder();
  symlinkSync(real, join(folder, "ledger.jsonl"));
  const result = await openJournal({
    path: join(folder, "journal.jsonl"),
    ledger: join(folder, "ledger.jsonl"),
  });
  expect(result).toMatchObject({ kind: "corrupt", reason: "it is a link" });
});

test("a killed writer loses no line that it was told is safe, and readers never see damage", async () => {
  const folder = scratchFolder();
  const program = await bundle("journal-writer.ts", folder);
  const path = join(folder, "journal.jsonl");
  let safe = -1;
  for (let round = 0; round < 6; round += 1) {
    const child = spawn(process.execPath, [program, path, "100000", "reason"], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    const ended = once(child, "exit");
    let output = "";
    child.stdout.on("data", (chunk: Buffer) => (output += chunk.toString()));
    const target = safe + 5 + round * 17;
    while (Number(output.trimEnd().split("\n").at(-1) || -1) < target) {
      expect(["missing", "read"]).toContain((await readJournal(path)).kind);
      expect(child.exitCode).toBeNull();
    }
    child.kill("SIGKILL");
    await ended;
    safe = Number(output.slice(0, output.lastIndexOf("\n")).split("\n").at(-1));
    expect((await content(path)).lines.length).toBeGreaterThan(safe);
  }
});

test("a write that fails leaves the journal as it was", async () => {
  const folder = scratchFolder();
  const program = await bundle("journal-writer.ts", folder);
  const path = join(folder, "journal.jsonl");
  // A limit on the size of files, as a disk that is full: the last write is cut in the middle of a line.
  const script = `trap '' XFSZ; ulimit -f 8; exec "$@"`;
  const args = ["-c", script, "sh", process.execPath, program, path, "1000", "reason ".repeat(9)];
  const child = spawn("sh", args, { stdio: ["ignore", "pipe", "pipe"] });
  let [output, errors] = ["", ""];
  child.stdout.on("data", (chunk: Buffer) => (output += chunk.toString()));
  child.stderr.on("data", (chunk: Buffer) => (errors += chunk.toString()));
  const [status] = await once(child, "close");
  expect(status).toBe(1);
  expect(errors).toContain("EFBIG");
  const { lines, torn } = await content(path);
  expect(torn).toBe("");
  expect(lines.map(({ seq }) => String(seq))).toEqual(output.trimEnd().split("\n"));
});

test("texts that are too long for the journal are cut by it, and nothing else of an event is", async () => {
  const long = "x".repeat(9000);
  const [first] = ENTRIES;
  if (first === undefined) throw new Error("there is no entry");
  const events: readonly JournalEntry["event"][] = [
    { type: "refused", code: "STOP_INTERRUPTED", cause: long, message: long },
    { type: "plan_rejected", cause: long, message: long, excerpt: long, usage: null },
    {
      type: "build_ended",
      failure: { code: "STOP_BUILDER_TIMEOUT", cause: long },
      builder_output_valid: null,
      summary: long,
      duration_ms: 1,
      usage: null,
    },
    { type: "rollback_failed", message: long, differences: [long] },
    { type: "series_ended", end: "interrupted", reason: long, message: long, hint: long },
  ];
  const path = join(scratchFolder(), "journal.jsonl");
  const journal = await opened(path);
  const lines = await appendAll(
    journal,
    events.map((event) => ({ ...first, event })),
  );
  await journal.close();
  const [short, middle] = ["x".repeat(400), "x".repeat(4000)];
  expect(lines.map(({ event }) => event)).toMatchObject([
    { cause: short, message: middle },
    { cause: short, message: middle, excerpt: middle },
    { failure: { cause: long }, summary: middle },
    { message: middle, differences: [long] },
    { reason: short, message: middle, hint: middle },
  ]);
  expect((await content(path)).lines.map(({ event }) => event)).toEqual(lines.map(({ event }) => event));
});
