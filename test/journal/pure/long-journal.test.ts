import fc from "fast-check";
import { expect, test } from "vitest";
import { foldLines } from "../../../src/records/folded-lines.ts";
import { parseConfig } from "../../../src/config/parse-config.ts";
import { listMilestoneArchives } from "../../../src/journal/pure/tick-account.ts";
import { TickRecords, listTickRecords } from "../../../src/tick/pure/tick-records.ts";
import { WorkspaceFold, foldWorkspaceState } from "../../../src/journal/pure/workspace-state.ts";
import { arbitraryTickOfJournal, journalOf } from "../../support/journals.ts";

const parsed = parseConfig({});
if (parsed.kind === "invalid") throw new Error("the defaults are no configuration");
const { budgets: LIMITS } = parsed.value;

const journals = fc.array(arbitraryTickOfJournal, { maxLength: 8 }).map(journalOf);

test("a journal that grows line by line says the same as one that is read at once", () => {
  fc.assert(
    fc.property(journals, (lines) => {
      const growing = foldLines([]);
      const [state, records] = [growing.fold(WorkspaceFold), growing.fold(TickRecords)];
      for (const line of lines) {
        growing.push(line);
        const atOnce = [...growing.lines()];
        expect(state.state(LIMITS)).toEqual(foldWorkspaceState(atOnce, LIMITS));
        expect(records.all()).toEqual(listTickRecords(atOnce));
      }
      expect(growing.fold(WorkspaceFold)).toBe(state);
      // What was handed out stays.
      const before = { state: state.state(LIMITS), records: records.all() };
      const kept = structuredClone(before);
      for (const line of journalOf([{}, {}])) growing.push({ ...line, run_id: `${line.run_id}-later` });
      expect(before).toEqual(kept);
    }),
    { numRuns: 30 },
  );
});

/** How often fields of earlier lines are read during some further ticks, the state being asked for after each line. */
function countReads(ticks: number): number {
  let reads = 0;
  const watch = <T extends object>(watched: T): T =>
    new Proxy(watched, { get: (target, name): unknown => ((reads += 1), Reflect.get(target, name)) });
  const all = journalOf(Array.from({ length: ticks + 20 }, () => ({})));
  const known = (all.length / (ticks + 20)) * ticks;
  const lines = foldLines(all.slice(0, known).map((line) => watch({ ...line, event: watch(line.event) })));
  lines.fold(WorkspaceFold);
  lines.fold(TickRecords).all();
  expect(reads).toBeGreaterThan(known);
  reads = 0;
  for (const line of all.slice(known)) {
    lines.push(line);
    lines.fold(WorkspaceFold).state(LIMITS);
    lines.fold(TickRecords).all();
  }
  return reads;
}

test("no earlier line is read again, after thousands of ticks as after some", () => {
  expect([50, 4000].map(countReads)).toEqual([0, 0]);
});

const archivesOf = (lines: ReturnType<typeof journalOf>) =>
  listMilestoneArchives(foldLines(lines).fold(WorkspaceFold).left);

test("a milestone is archived once another one follows, and again when it was left again", () => {
  expect(archivesOf(journalOf([{ milestone: 1 }, { milestone: 1 }]))).toEqual([]);
  const left = journalOf([{ milestone: 1 }, { milestone: 1, isPatch: true }, { milestone: 2 }]);
  expect(archivesOf(left)).toMatchObject([
    { milestone_id: "M-1", times_left: 1, patch_attempts: 1, budgets: { ticks: 2, builder_calls: 2 } },
  ]);
  const again = [1, 2, 1, 3].map((milestone) => ({ milestone }));
  expect(archivesOf(journalOf(again))).toMatchObject([
    { milestone_id: "M-2", times_left: 1, budgets: { ticks: 1 } },
    { milestone_id: "M-1", times_left: 2, budgets: { ticks: 2 } },
  ]);
});
