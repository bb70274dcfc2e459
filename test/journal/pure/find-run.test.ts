import fc from "fast-check";
import { expect, test } from "vitest";
import { findRun } from "../../../src/journal/pure/journal-runs.ts";

const KNOWN = ["20260102T000000Z-bbbbbbbb", "20260101T000000Z-aaaaaaaa"];

test("a tick is found by its name, or by a part that belongs to it alone", () => {
  for (const asked of [KNOWN[1] ?? "", "20260101", "aaaa"])
    expect(findRun(asked, KNOWN)).toEqual({ kind: "run", runId: KNOWN[1] });
  expect(findRun("2026", KNOWN)).toEqual({ kind: "several", runIds: KNOWN });
  for (const asked of ["", "T000000Z", "cccc"]) expect(findRun(asked, KNOWN)).toEqual({ kind: "none" });
  expect(findRun(null, KNOWN)).toEqual({ kind: "run", runId: KNOWN[0] });
  expect(findRun(null, [])).toEqual({ kind: "none" });
});

test("a whole name always finds its own tick, whatever others are called", () => {
  const names = fc.uniqueArray(fc.stringMatching(/^[ab]{1,4}$/), { minLength: 1 });
  fc.assert(
    fc.property(names, fc.nat(), (known, index) => {
      const runId = known[index % known.length] ?? "";
      expect(findRun(runId, known)).toEqual({ kind: "run", runId });
    }),
  );
});
