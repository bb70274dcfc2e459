import fc from "fast-check";
import { expect, test } from "vitest";
import type { JournalLine } from "../../src/contract/journal/event.ts";
import { parseConfig } from "../../src/contract/config/parse-config.ts";
import { milestoneArchives } from "../../src/core/history/milestone-archives.ts";
import { tickRecords } from "../../src/core/tick/tick-records.ts";
import { workspaceState } from "../../src/core/history/workspace-state.ts";
import { arbitraryTickOfJournal, journalOf } from "../support/journals.ts";

const parsed = parseConfig({});
if (parsed.kind === "invalid") throw new Error("the defaults are no configuration");
const { budgets: LIMITS } = parsed.value;

const journals = fc.array(arbitraryTickOfJournal, { maxLength: 8 }).map(journalOf);

test("a journal that grows line by line says the same as one that is read at once", () => {
  fc.assert(
    fc.property(journals, (lines) => {
      const growing: JournalLine[] = [];
      for (const line of lines) {
        growing.push(line);
        const atOnce = [...growing];
        expect(workspaceState(growing, LIMITS)).toEqual(workspaceState(atOnce, LIMITS));
        expect(tickRecords(growing)).toEqual(tickRecords(atOnce));
      }
      // What was handed out stays, and a list that became another one is read anew.
      const [before, records] = [workspaceState(growing, LIMITS), tickRecords(growing)];
      const kept = structuredClone({ before, records });
      growing.splice(0, growing.length, ...journalOf([{}, {}]));
      expect(workspaceState(growing, LIMITS)).toEqual(workspaceState(journalOf([{}, {}]), LIMITS));
      expect({ before, records }).toEqual(kept);
    }),
    { numRuns: 30 },
  );
});

/** The time of some further ticks after so many others, the state being asked for after each line. */
function costAfter(ticks: number): number {
  const all = journalOf(Array.from({ length: ticks + 20 }, () => ({})));
  const perTick = all.length / (ticks + 20);
  const lines = all.slice(0, ticks * perTick);
  workspaceState(lines, LIMITS);
  tickRecords(lines);
  const began = performance.now();
  for (const line of all.slice(ticks * perTick)) {
    lines.push(line);
    workspaceState(lines, LIMITS);
    tickRecords(lines);
  }
  return performance.now() - began;
}

test("a line costs no more after thousands of ticks than after some", () => {
  costAfter(50);
  const ratios = [1, 2, 3].map(() => costAfter(4000) / costAfter(200)).toSorted((one, two) => one - two);
  // Reading everything again for each line would make it about twenty.
  expect(ratios[0]).toBeLessThan(10);
});

test("a milestone is archived once another one follows, and again when it was left again", () => {
  expect(milestoneArchives(journalOf([{ milestone: 1 }, { milestone: 1 }]))).toEqual([]);
  const left = journalOf([{ milestone: 1 }, { milestone: 1, isPatch: true }, { milestone: 2 }]);
  expect(milestoneArchives(left)).toMatchObject([
    { milestone_id: "M-1", times_left: 1, patch_attempts: 1, budgets: { ticks: 2, builder_calls: 2 } },
  ]);
  const again = [1, 2, 1, 3].map((milestone) => ({ milestone }));
  expect(milestoneArchives(journalOf(again))).toMatchObject([
    { milestone_id: "M-2", times_left: 1, budgets: { ticks: 1 } },
    { milestone_id: "M-1", times_left: 2, budgets: { ticks: 2 } },
  ]);
});
