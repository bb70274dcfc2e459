import fc from "fast-check";
import { expect, test } from "vitest";
import { prunePlan, type PruneLimit, listHeldRuns } from "../../../src/journal/pure/prune-plan.ts";
import { journalOf, runName } from "../../support/journals.ts";

const limit: fc.Arbitrary<PruneLimit> = fc.oneof(
  fc.nat({ max: 8 }).map((ticks) => ({ kind: "keep" as const, ticks })),
  fc.nat({ max: 9 }).map((second) => ({ kind: "since" as const, moment: moment(second) })),
  fc.nat({ max: 60 }).map((bytes) => ({ kind: "bytes" as const, bytes })),
);

function moment(second: number): string {
  return `2026-01-31T23:59:${String(second).padStart(2, "0")}.000Z`;
}

test("whatever is asked for, what is held stays, and nothing newer goes before something older", () => {
  const sizes = fc.array(fc.record({ bytes: fc.nat({ max: 20 }), isHeld: fc.boolean() }), { maxLength: 8 });
  fc.assert(
    fc.property(sizes, limit, (made, asked) => {
      const folders = made.map(({ bytes }, number) => ({
        runId: runName(number),
        startedAt: moment(number),
        bytes,
      }));
      const held = new Map(made.flatMap(({ isHeld }, number) => (isHeld ? [[runName(number), "why"]] : [])));
      const plan = prunePlan(folders.toReversed(), asked, held);
      const gone = plan.removed.map(({ runId }) => runId);
      const free = folders.filter(({ runId }) => !held.has(runId)).map(({ runId }) => runId);
      expect(gone).toEqual(free.slice(0, gone.length));
      expect(plan.held.every(({ runId }) => held.has(runId))).toBe(true);
      const left = folders.filter(({ runId }) => !gone.includes(runId));
      const isEnough = left.every(({ runId, startedAt }, index) => {
        if (held.has(runId)) return true;
        if (asked.kind === "keep") return left.length - index <= asked.ticks;
        if (asked.kind === "since") return startedAt >= asked.moment;
        return left.reduce((sum, { bytes }) => sum + bytes, 0) <= asked.bytes;
      });
      expect(isEnough).toBe(true);
    }),
  );
});

const root = "/somewhere";

test("a tick that is not over, work in salvage, a change that waits and the last tick are held", () => {
  const lines = journalOf([{}, {}, {}, {}, { kind: "dirty" }]);
  const cut = lines.filter(({ run_id, event }) => run_id !== runName(1) || event.type !== "tick_ended");
  const salvage = new Set([runName(2)]);
  expect(Object.fromEntries(listHeldRuns({ lines: cut, root, salvage }))).toEqual({
    [runName(1)]: "it is not over",
    [runName(2)]: "its work is in salvage",
    [runName(3)]: "its change waits to be committed",
    [runName(4)]: "it is the last tick",
  });
});
