import { expect, test } from "vitest";
import { quote, shortenList } from "../../src/base/words.ts";

test("a short list is shown whole and a long one is counted", () => {
  expect(shortenList(["a", "b"])).toBe("`a`, `b`");
  expect(shortenList(["a", "b", "c", "d", "e"])).toBe("`a`, `b`, `c`, `d`, `e`");
  expect(shortenList(["a", "b", "c", "d", "e", "f", "g"])).toBe("`a`, `b`, `c`, `d`, `e` and 2 more");
});

test("long text is cut between characters", () => {
  expect(quote("short")).toBe("`short`");
  expect(quote("😀".repeat(200))).toBe(`\`${"😀".repeat(120)}…\``);
});
