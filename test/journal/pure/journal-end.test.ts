/** A journal that is opened by its end says what a journal says that was read whole. */
import { hash } from "node:crypto";
import fc from "fast-check";
import { expect, test } from "vitest";
import type { JournalLine } from "../../../src/records/event.ts";
import {
  findRecent,
  foldEnd,
  foldLines,
  type LineFold,
  RECENT_LINES,
  RECENT_TICKS,
} from "../../../src/records/folded-lines.ts";
import { TickRecords } from "../../../src/tick/pure/tick-records.ts";
import { AcceptedFold, findLastAccepted, RunsFold } from "../../../src/journal/pure/journal-runs.ts";
import { RateLimitFold } from "../../../src/journal/pure/rate-limit.ts";
import { WorkspaceFold } from "../../../src/journal/pure/workspace-state.ts";
import { SeriesFold } from "../../../src/workflows/pure/last-series.ts";
import { makeDefaultConfig } from "../../../src/config/config.ts";
import { arbitraryTickOfJournal, journalOf } from "../../support/journals.ts";
import { runs } from "../../support/runs.ts";

const KINDS: readonly (new () => Required<LineFold>)[] = [
  AcceptedFold,
  RateLimitFold,
  RunsFold,
  SeriesFold,
  WorkspaceFold,
];
const { budgets } = makeDefaultConfig();
const ROOTS = new Set(["/repo"]);

function summarise(lines: readonly JournalLine[]) {
  const folded = foldLines(lines);
  return {
    recent: folded.recent(),
    older: [],
    folds: Object.fromEntries(KINDS.map((kind) => [kind.name, folded.fold(kind).save()])),
  };
}

/** Each a series of its own: a command that continues a series reads every line. */
const ticks = fc
  .array(arbitraryTickOfJournal, { minLength: 1, maxLength: 40 })
  .map((all) => all.map((tick, series) => ({ ...tick, kept: null, series })));

test("what is saved after some ticks goes on like a fold of all lines", () => {
  fc.assert(
    fc.property(ticks, fc.nat(), (all, cut) => {
      const lines = journalOf(all);
      const ends = lines.flatMap(({ event }, at) => (event.type === "tick_ended" ? [at + 1] : []));
      const at = ends[cut % ends.length] ?? lines.length;
      let reads = 0;
      const readAll = () => {
        reads += 1;
        return lines.slice(0, at);
      };
      const readSeries = (id: string) => lines.slice(0, at).filter(({ series_id }) => series_id === id);
      const byEnd = foldEnd({ ...summarise(lines.slice(0, at)), readAll, readSeries });
      for (const line of lines.slice(at)) byEnd.push(line);
      const whole = foldLines(lines);
      expect(byEnd.fold(WorkspaceFold).state(budgets)).toEqual(whole.fold(WorkspaceFold).state(budgets));
      expect(byEnd.fold(RateLimitFold).limit).toEqual(whole.fold(RateLimitFold).limit);
      expect(byEnd.fold(RunsFold).count).toBe(whole.fold(RunsFold).count);
      expect(byEnd.fold(SeriesFold).list("/repo")).toEqual(whole.fold(SeriesFold).list("/repo"));
      expect(byEnd.recent()).toEqual(whole.recent());
      expect(byEnd.fold(WorkspaceFold).left).toEqual(whole.fold(WorkspaceFold).left);
      for (const { series_id: id } of lines) expect(byEnd.linesOfSeries(id)).toEqual(whole.linesOfSeries(id));
      expect(reads).toBe(0);
      expect(findLastAccepted(byEnd, ROOTS)?.runId).toBe(findLastAccepted(whole, ROOTS)?.runId);
      expect(byEnd.lines()).toEqual(lines);
      expect(byEnd.fold(WorkspaceFold).allSeries).toEqual(whole.fold(WorkspaceFold).allSeries);
      expect(reads).toBe(1);
    }),
    runs(100, 20),
  );
});

test("the recent lines begin with a tick, and are those of the last ticks", () => {
  const lines = journalOf(Array.from({ length: 50 }, () => ({})));
  const first = findRecent(lines);
  expect(lines[first]?.event.type).toBe("tick_started");
  const recent = lines.slice(first).filter(({ event }) => event.type === "tick_started");
  expect(recent.length).toBeGreaterThanOrEqual(RECENT_TICKS);
  expect(lines.length - first).toBeGreaterThanOrEqual(RECENT_LINES);
  expect(findRecent(journalOf([{}, {}]))).toBe(0);
});

test("short ticks are not cut in two, so that a kept one has each of its lines once", () => {
  for (let short = 1; short <= 30; short += 1) {
    const refused = Array.from({ length: short }, () => ({ kind: "dirty" as const }));
    const lines = journalOf([...Array.from({ length: 30 }, () => ({})), ...refused]);
    const first = findRecent(lines);
    expect(lines[first]?.event.type).toBe("tick_started");
    expect(lines.length - first).toBeGreaterThanOrEqual(RECENT_LINES);
    expect(first).toBeGreaterThan(0);
  }
});

const NOT_READ = { readAll: () => [], readSeries: () => [] };

const idOf = (line: JournalLine | undefined) => line?.run_id ?? "";

test("lines of one tick are found without the others, if it is recent", () => {
  const lines = journalOf(Array.from({ length: 60 }, () => ({})));
  let reads = 0;
  const readAll = () => {
    reads += 1;
    return lines;
  };
  const journal = foldEnd({ ...summarise(lines), readAll, readSeries: () => [] });
  const ofRun = (runId: string) => lines.filter(({ run_id }) => run_id === runId);
  expect(journal.linesOf(idOf(lines.at(-1)))).toEqual(ofRun(idOf(lines.at(-1))));
  expect(reads).toBe(0);
  expect(journal.linesOf(idOf(lines[0]))).toEqual(ofRun(idOf(lines[0])));
  expect(reads).toBe(1);
});

test("where what a fold saves of the same lines changes, the form of what is remembered is raised", () => {
  const lines = journalOf([{ milestone: 1, cost: 0.5 }, { kind: "goingOn", series: 2 }, { milestone: 2 }]);
  // Another value: raise FORM in src/journal/remembered-file.ts, and write the value here.
  expect(hash("sha256", JSON.stringify(summarise(lines).folds)).slice(0, 8)).toMatchInlineSnapshot(`"10e9f01b"`);
});

test("a line about a tick that is no longer recent disturbs neither the recent folds nor the recent lines", () => {
  const lines = journalOf(Array.from({ length: 60 }, () => ({})));
  const [first] = lines;
  if (first === undefined) throw new Error("there are no lines");
  const pruned: JournalLine = { ...first, seq: lines.length, event: { type: "pruned" } };
  const journal = foldEnd({ ...summarise(lines), ...NOT_READ });
  const before = journal.foldRecent(TickRecords).all().length;
  journal.push(pruned);
  expect(journal.foldRecent(TickRecords).all()).toHaveLength(before);
  // The same where the line is part of the end that is saved.
  const next = foldEnd({ ...summarise([...lines, pruned]), recent: journal.tail(), ...NOT_READ });
  expect(next.foldRecent(TickRecords).all()).toHaveLength(before);
  expect(next.recent()).not.toContain(pruned);
  expect(next.tail().at(-1)).toBe(pruned);
  expect(foldLines([...lines, pruned]).recent()).toEqual(next.recent());
});

test("the lines of a series grow with the journal, and only those that are not recent are read", () => {
  const lines = journalOf(Array.from({ length: 60 }, (_, at) => ({ series: at < 58 ? 1 : 2 })));
  const [old, late] = [lines[0]?.series_id ?? "", lines.at(-1)?.series_id ?? ""];
  const asked: string[] = [];
  const readSeries = (id: string) => {
    asked.push(id);
    return lines.filter(({ series_id }) => series_id === id);
  };
  const journal = foldEnd({ ...summarise(lines), readAll: () => lines, readSeries });
  expect(journal.linesOfSeries(old)).toEqual(lines.filter(({ series_id }) => series_id === old));
  const [line] = lines;
  if (line === undefined) throw new Error("there are no lines");
  journal.push({ ...line, seq: lines.length });
  expect(journal.linesOfSeries(old).at(-1)?.seq).toBe(lines.length);
  expect(journal.linesOfSeries(late)).toEqual(lines.filter(({ series_id }) => series_id === late));
  expect(new Set(asked)).toEqual(new Set([old, late]));
});
