import { expect, test } from "vitest";
import { writeUnkeptNote, listUnkeptNotes } from "../../../src/evidence/pure/unkept-notes.ts";

const of = (...reasons: Parameters<typeof listUnkeptNotes>[0]["left_out"][number]["reason"][]) =>
  listUnkeptNotes({ left_out: reasons.map((reason, index) => ({ path: `p${index}`, reason })) });

test("what a person would miss is named, a few paths one by one", () => {
  expect(of("ignored", "runner_owned", "type")).toEqual([]);
  expect(of("size", "ignored", "name")).toEqual([
    "not kept in salvage: p0 (too large)",
    "not kept in salvage: p2 (a name that git does not take)",
  ]);
  expect(of("size", "forbidden", "nested_repository", "size", "size")).toEqual([
    "not kept in salvage: p0 (too large)",
    "not kept in salvage: p1 (a forbidden path)",
    "not kept in salvage: p2 (inside another repository)",
    "not kept in salvage: others (`relais salvage show` lists them)",
  ]);
});

test("a note fits into a report, and a long name does not push the reason out", () => {
  const note = writeUnkeptNote("x".repeat(1000), "y".repeat(1000));
  expect(note.length).toBe(400);
  expect(note).toMatch(/^not kept in salvage: x+… \(y+…\)$/);
});
