import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { expect, test } from "vitest";
import type { Evidence } from "../../src/records/evidence.ts";
import type { JournalLine, TickEvent } from "../../src/records/event.ts";
import { parseConfig } from "../../src/config/parse-config.ts";
import { RECORD_VERSION } from "../../src/base/record-version.ts";
import { judge } from "../../src/judge/pure/judge.ts";
import { findReportable } from "../../src/tick/pure/tick-facts.ts";
import { findTickRecord } from "../../src/tick/pure/tick-records.ts";
import { countHistoryBytes, listHistory, showRun } from "../../src/workspace/history.ts";
import { publishHistory } from "../../src/workspace/publish.ts";
import { replayRun } from "../../src/history/past-tick-files.ts";
import { arbitraryEvidence } from "../support/arbitrary-evidence.ts";
import { added, change, evidence } from "../support/evidence.ts";
import { runName, seriesName, whole } from "../support/journals.ts";
import { scratchFolder } from "../support/scratch-repository.ts";
import { reportOf, TICKS } from "../support/ticks.ts";
import { runs } from "../support/runs.ts";

const RUN = runName(0);

/** The text of the evidence, and the events of a tick whose gates saw it. */
function judgedTick(seen: Evidence): { readonly text: string; readonly events: readonly TickEvent[] } {
  const text = `${JSON.stringify(seen, null, 2)}\n`;
  const { verdict, findings, ...judgement } = judge(seen);
  const event: TickEvent = {
    type: "judged",
    ...judgement,
    findings: findings.slice(0, 200),
    findings_total: findings.length,
    evidence_sha256: createHash("sha256").update(text).digest("hex"),
    touched_paths: seen.changes.map(({ path }) => path),
    touched_paths_total: seen.changes.length,
  };
  const ending = verdict === "success" ? TICKS.accepted.slice(7) : TICKS.outsideScope.slice(-2);
  return { text, events: [...TICKS.accepted.slice(0, 6), event, ...ending] };
}

interface PublishedTick {
  readonly history: string;
  readonly folder: string;
  readonly original: string;
  readonly lines: readonly JournalLine[];
}

async function publish(events: readonly TickEvent[], evidenceText: string | null): Promise<PublishedTick> {
  const box = scratchFolder();
  const [root, original] = [join(box, "repo"), join(box, "runs", RUN)];
  mkdirSync(root);
  mkdirSync(original, { recursive: true });
  if (evidenceText !== null) writeFileSync(join(original, "evidence.json"), evidenceText);
  const lines = whole(events).map((event, seq): JournalLine => ({
    version: RECORD_VERSION,
    seq,
    at: "2026-01-31T23:59:59.000Z",
    run_id: RUN,
    series_id: seriesName(0),
    prev: null,
    event,
  }));
  const [config, record] = [parseConfig({}), findTickRecord(lines, RUN)];
  const state = record === null ? null : findReportable(record.state);
  if (config.kind === "invalid" || record === null || state === null) throw new Error("the tick cannot be made");
  const { problems } = await publishHistory({
    root,
    runDirectory: original,
    settings: config.value.history,
    record: { ...record, state },
    extras: { drivers: {}, promptSha256: {} },
    report: reportOf(events, { run_id: RUN, series_id: seriesName(0) }),
    reportMarkdown: null,
  });
  expect(problems).toEqual([]);
  const history = join(root, "relais/history");
  return { history, folder: join(history, RUN), original, lines };
}

function published(seen: Evidence): Promise<PublishedTick> {
  const { text, events } = judgedTick(seen);
  return publish(events, text);
}

/** Replaces the first occurrence of a text in a file of the tick. */
function edit({ folder }: Pick<PublishedTick, "folder">, file: string, [from, to]: readonly [string, string]): void {
  const text = readFileSync(join(folder, file), "utf8");
  if (!text.includes(from)) throw new Error(`${file} does not hold ${from}`);
  writeFileSync(join(folder, file), text.replace(from, to));
}

const IN_SCOPE = evidence([change("src/a.ts")]);
const OUT_OF_SCOPE = evidence([change("docs/b.md"), added("docs/c.md")]);

test.for([
  ["accepted", IN_SCOPE, "SUCCESS"],
  ["refused", OUT_OF_SCOPE, "STOP_SCOPE_VIOLATION_OUTSIDE_ALLOWED"],
] as const)("a tick that was %s replays to what was recorded, with the journal and without", async ([, seen, code]) => {
  const tick = await published(seen);
  expect(await replayRun(tick)).toMatchObject({ kind: "same", judgement: { code }, isHashChecked: true });
  expect(await replayRun({ ...tick, lines: null })).toMatchObject({ kind: "same", isHashChecked: false });
});

test("whatever was seen replays to what was recorded", async () => {
  await fc.assert(
    fc.asyncProperty(arbitraryEvidence, async (seen) => {
      // An event has no room for the longest and the emptiest cause; a tick that has one is cut elsewhere.
      const tick = await published({ ...seen, builder_failure: null });
      expect((await replayRun(tick)).kind).toBe("same");
      expect((await replayRun({ ...tick, lines: null })).kind).toBe("same");
    }),
    runs(60, 20),
  );
});

test("a tick with more findings than are kept replays as well", async () => {
  const many = evidence(Array.from({ length: 450 }, (_, number) => change(`docs/${number}.md`)));
  const tick = await published(many);
  expect(await replayRun(tick)).toMatchObject({ kind: "same" });
  expect(await replayRun({ ...tick, lines: null })).toMatchObject({ kind: "same" });
});

test("one changed byte of the evidence is named", async () => {
  const tick = await published(OUT_OF_SCOPE);
  const text = readFileSync(join(tick.folder, "evidence.json"), "utf8");
  const at = text.indexOf("docs/b.md");
  edit(tick, "evidence.json", ["docs/b.md", "src/b.md"]);
  expect(await replayRun(tick)).toMatchObject({
    kind: "differs",
    file: "evidence.json",
    place: `byte ${at}`,
    recorded: expect.stringContaining("docs/b.md"),
    derived: expect.stringContaining("src/b.md"),
    sha256: {
      recorded: createHash("sha256").update(text).digest("hex"),
      found: createHash("sha256")
        .update(readFileSync(join(tick.folder, "evidence.json")))
        .digest("hex"),
    },
  });
  rmSync(tick.original, { recursive: true });
  expect(await replayRun(tick)).toMatchObject({ kind: "differs", file: "evidence.json", place: "sha256" });
});

test("every changed byte of the evidence is noticed", async () => {
  const tick = await published(IN_SCOPE);
  const path = join(tick.folder, "evidence.json");
  const text = readFileSync(path);
  for (let at = 0; at < text.length; at += 1) {
    const changed = Buffer.from(text);
    changed[at] = (text[at] ?? 0) ^ (1 << (at % 7));
    writeFileSync(path, changed);
    expect(await replayRun(tick)).toMatchObject({ kind: "differs", place: `byte ${at}` });
  }
  writeFileSync(path, text.subarray(0, -1));
  expect(await replayRun(tick)).toMatchObject({ place: `byte ${text.length - 1}`, derived: "nothing" });
});

test("without a journal, evidence that judges otherwise is told by the first field", async () => {
  const tick = { ...(await published(OUT_OF_SCOPE)), lines: null };
  edit(tick, "evidence.json", ['"src/**"', '"docs/**"']);
  expect(await replayRun(tick)).toEqual({
    kind: "differs",
    file: "report.json",
    place: "code",
    recorded: '"STOP_SCOPE_VIOLATION_OUTSIDE_ALLOWED"',
    derived: '"SUCCESS"',
    sha256: null,
    others: [],
  });
});

test.for([
  ["report.json", ['"lines_added": 2', '"lines_added": 3'], "blast_radius.lines_added"],
  ["report.json", ["docs/b.md", "docs/x.md"], "scope.violations[0]"],
  ["report.json", ['"cause": null', '"cause": "none"'], "cause"],
  ["report.json", ['"ok": false', '"ok": true'], "scope.ok"],
  ["meta.json", ["STOP_SCOPE_VIOLATION_OUTSIDE_ALLOWED", "STOP_HEAD_MOVED"], "code"],
] as const)("a forged %s with %j differs", async ([file, forgery, place]) => {
  const tick = await published(OUT_OF_SCOPE);
  edit(tick, file, forgery);
  expect(await replayRun(tick)).toMatchObject({ kind: "differs", file, place });
});

test.for([
  ["blast_radius.lines_added", ['"lines_added": 2', '"lines_added": 3']],
  ["findings[0].subject", ['"subject": "docs/b.md"', '"subject": "docs/x.md"']],
  ["code", ['"code": "STOP_SCOPE_VIOLATION_OUTSIDE_ALLOWED"', '"code": "STOP_HEAD_MOVED"']],
] as const)("without a journal, a forged %s differs", async ([place, forgery]) => {
  const tick = { ...(await published(OUT_OF_SCOPE)), lines: null };
  edit(tick, "report.json", forgery);
  expect(await replayRun(tick)).toMatchObject({ kind: "differs", file: "report.json", place });
});

test("a journal that recorded another judgement differs", async () => {
  const tick = await published(OUT_OF_SCOPE);
  const lines = tick.lines.map((line) =>
    line.event.type === "judged" ? { ...line, event: { ...line.event, findings_total: 9 } } : line,
  );
  expect(await replayRun({ ...tick, lines })).toMatchObject({
    kind: "differs",
    file: "journal",
    place: "findings_total",
  });
});

test("a tick that was never judged has nothing to replay, but its report is compared", async () => {
  const tick = await publish(TICKS.dirty, null);
  expect(await replayRun(tick)).toEqual({ kind: "nothing-judged" });
  expect(await replayRun({ ...tick, lines: null })).toEqual({ kind: "nothing-judged" });
  edit(tick, "report.json", ['"files_touched": 0', '"files_touched": 1']);
  expect(await replayRun(tick)).toMatchObject({ place: "blast_radius.files_touched" });
});

test("what is decided about a tick after its end does not change how it replays", async () => {
  const tick = await published(IN_SCOPE);
  const last = tick.lines.at(-1);
  if (last === undefined) throw new Error("the tick has no lines");
  const later: readonly TickEvent[] = [
    { type: "accepted", commit: "c".repeat(40), branch: "topic" },
    { type: "undone" },
  ];
  const lines = [...tick.lines, ...later.map((event) => ({ ...last, event }))];
  expect(await replayRun({ ...tick, lines })).toMatchObject({ kind: "same" });
});

test("a rollback that succeeded only afterwards does not change how the tick replays", async () => {
  const { text, events } = judgedTick(OUT_OF_SCOPE);
  const tick = await publish([...events.slice(0, -1), ...TICKS.rollbackFailed.slice(-1)], text);
  const last = tick.lines.at(-1);
  if (last === undefined) throw new Error("the tick has no lines");
  const event: TickEvent = {
    type: "settled",
    action: "rollback",
    commit: null,
    branch: null,
    salvage: null,
  };
  expect(await replayRun(tick)).toMatchObject({ kind: "same" });
  const lines = [...tick.lines, { ...last, event }];
  expect(await replayRun({ ...tick, lines })).toMatchObject({ kind: "same" });
});

test("evidence that was left by an interrupted tick is not held against it", async () => {
  const tick = await publish(TICKS.interrupted, "anything");
  expect(await replayRun(tick)).toEqual({ kind: "nothing-judged" });
});

test.for([
  ["evidence.json", "it is missing"],
  ["report.json", "it is missing"],
  ["meta.json", "it is missing"],
] as const)("a tick without its %s is damaged", async ([file, reason]) => {
  const tick = await published(IN_SCOPE);
  rmSync(join(tick.folder, file));
  expect(await replayRun(tick)).toEqual({ kind: "damaged", file, reason, others: [] });
});

test("evidence that is no evidence is damage, not a verdict", async () => {
  const tick = { ...(await published(IN_SCOPE)), lines: null };
  edit(tick, "evidence.json", [`"version": ${RECORD_VERSION}`, `"version": ${RECORD_VERSION + 1}`]);
  expect(await replayRun(tick)).toMatchObject({ kind: "damaged", file: "evidence.json" });
  writeFileSync(join(tick.folder, "evidence.json"), "{");
  expect(await replayRun(tick)).toMatchObject({ kind: "damaged", file: "evidence.json" });
});

test("the history lists the newest ticks first, damaged ones too", async () => {
  const { history } = await published(IN_SCOPE);
  for (const number of [2, 1]) mkdirSync(join(history, runName(number)));
  mkdirSync(join(history, "milestones"));
  mkdirSync(join(history, "not a run"));
  symlinkSync(history, join(history, runName(9)));
  const listed = await listHistory(history, { limit: 10 });
  const names = listed.entries.map(({ runId, meta }) => [runId, meta?.code ?? null]);
  expect(names).toEqual([
    [runName(2), null],
    [runName(1), null],
    [RUN, "SUCCESS"],
  ]);
  expect(listed.runIds).toEqual([runName(2), runName(1), RUN]);
  const known = new Set([runName(1)]);
  const strangers = await listHistory(history, { limit: 10, known });
  expect(strangers.runIds).toEqual(listed.runIds);
  expect(strangers.entries.map(({ runId }) => runId)).toEqual([runName(2), RUN]);
  expect((await listHistory(history, { limit: 1 })).entries.length).toBe(1);
  expect(await listHistory(join(history, "nowhere"), { limit: 10 })).toEqual({
    runIds: [],
    entries: [],
  });
});

test("one tick is shown with its files", async () => {
  const { history, folder } = await published(IN_SCOPE);
  const shown = await showRun({ history, stateDirectory: history }, RUN);
  expect(shown).toMatchObject({ kind: "run", meta: { code: "SUCCESS" }, report: { run_id: RUN } });
  const files = shown.kind === "run" ? shown.files : [];
  expect(files.map(({ name }) => name)).toEqual(["evidence.json", "meta.json", "report.json"]);
  expect(files.map(({ bytes }) => bytes)).toEqual(files.map(({ name }) => readFileSync(join(folder, name)).length));
  expect(await showRun({ history, stateDirectory: history }, runName(5))).toEqual({ kind: "unknown" });
  expect(await showRun({ history: join(history, ".."), stateDirectory: history }, "../history")).toEqual({
    kind: "unknown",
  });
  writeFileSync(join(folder, "meta.json"), "{}");
  expect(await showRun({ history, stateDirectory: history }, RUN)).toMatchObject({
    kind: "damaged",
    file: "meta.json",
  });
});

test("the size of the history follows no link", async () => {
  const { history } = await published(IN_SCOPE);
  const before = countHistoryBytes(history);
  const shown = await showRun({ history, stateDirectory: history }, RUN);
  expect(before).toBe(shown.kind === "run" ? shown.files.reduce((sum, { bytes }) => sum + bytes, 0) : 0);
  const elsewhere = scratchFolder();
  writeFileSync(join(elsewhere, "large"), Buffer.alloc(1_000_000));
  symlinkSync(elsewhere, join(history, "link"));
  writeFileSync(join(history, "small"), "12345");
  expect(countHistoryBytes(history)).toBe(before + 5 + elsewhere.length);
  expect(countHistoryBytes(join(history, "nowhere"))).toBe(0);
});
