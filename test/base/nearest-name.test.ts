import fc from "fast-check";
import { expect, test } from "vitest";
import { findNearestName } from "../../src/base/nearest-name.ts";
import { runs } from "../support/runs.ts";

/** The definition itself, without a table: exponential and obviously right. */
function naiveDistance(a: string, b: string): number {
  if (a === "" || b === "") return a.length + b.length;
  const options = [
    naiveDistance(a.slice(1), b) + 1,
    naiveDistance(a, b.slice(1)) + 1,
    naiveDistance(a.slice(1), b.slice(1)) + (a[0] === b[0] ? 0 : 1),
  ];
  if (a.length > 1 && b.length > 1 && a[0] === b[1] && a[1] === b[0])
    options.push(naiveDistance(a.slice(2), b.slice(2)) + 1);
  return Math.min(...options);
}

const word = fc.string({ unit: fc.constantFrom("a", "b", "c"), maxLength: 6 });

/** Near, by the definition: at most a third of the longer word has to change, or two fifths after a like beginning. */
function naiveNearest(name: string, known: readonly string[]): string | null {
  const distance = (candidate: string) => naiveDistance(name, candidate);
  const start = (candidate: string) =>
    Array.from(name, (_, at) => name.slice(0, at + 1)).filter((part) => candidate.startsWith(part)).length;
  const near = known.filter((candidate) => {
    const longer = Math.max(name.length, candidate.length);
    const share = distance(candidate) / longer;
    return share <= 1 / 3 || (share <= 2 / 5 && start(candidate) > longer / 2);
  });
  const least = Math.min(...near.map(distance));
  const nearest = near.filter((candidate) => distance(candidate) === least);
  const longest = Math.max(...nearest.map(start));
  const containing = name.length < 4 ? undefined : known.find((candidate) => candidate.includes(name));
  if (name === "") return null;
  return nearest.find((candidate) => start(candidate) === longest) ?? containing ?? null;
}

test("nothing nearer is passed over", () => {
  fc.assert(
    fc.property(word, fc.array(word, { maxLength: 6 }), (name, known) => {
      expect(findNearestName(name, known)).toBe(naiveNearest(name, known));
    }),
    runs(1000),
  );
});

test.each([
  ["alowed_globs", "allowed_globs"],
  ["allowedGlobs", "allowed_globs"],
  ["ALLOWED-GLOBS", "allowed_globs"],
  ["forbiden_glosb", "forbidden_globs"],
  ["globs", "allowed_globs"],
  ["max", null],
  ["entirely_different", null],
  ["", null],
  ["x".repeat(1_000_000), null],
])("%s means %s", (name, expected) => {
  expect(findNearestName(name, ["allowed_globs", "forbidden_globs", "max_turns"])).toBe(expected);
});

test("of two names that are as near, the one that begins alike is meant", () => {
  expect(findNearestName("scoop", ["loop", "scope"])).toBe("scope");
  expect(findNearestName("scoop", ["loop"])).toBe(null);
  expect(findNearestName("gitt", ["bit", "git"])).toBe("git");
});
