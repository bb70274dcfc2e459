import fc from "fast-check";
import { expect, test } from "vitest";
import { measureDisplayWidth, padText, wrapText } from "../../src/base/wrap-text.ts";

const words = fc.array(
  fc.string({ unit: fc.constantFrom("a", "é", "日", "🎉", "e\u0301", "🇩🇪", "👩\u200d💻"), maxLength: 30 }),
);

test("wrapping keeps every character in order and every line within the width", () => {
  fc.assert(
    fc.property(words, fc.integer({ min: 2, max: 40 }), (list, width) => {
      const text = list.join(" ");
      const lines = wrapText(text, width);
      expect(lines.join("").replaceAll(" ", "")).toBe(text.replaceAll(" ", ""));
      expect(lines.filter((line) => measureDisplayWidth(line) > width)).toEqual([]);
    }),
  );
});

test("a flag or a joined emoji is never cut", () => {
  expect(wrapText("🇩🇪🇫🇷👩\u200d💻", 2)).toEqual(["🇩🇪", "🇫🇷", "👩\u200d💻"]);
  expect(wrapText("a🇩🇪🇫🇷", 3)).toEqual(["a🇩🇪", "🇫🇷"]);
});

test("words are not broken where they fit", () => {
  expect(wrapText("one two three", 7)).toEqual(["one two", "three"]);
  expect(wrapText("abcdefgh ij", 4)).toEqual(["abcd", "efgh", "ij"]);
});

test("a number stays with its unit", () => {
  expect(wrapText("committed; 4.2 s", 14)).toEqual(["committed;", "4.2 s"]);
  expect(wrapText("took 1 min 02 s so far", 10)).toEqual(["took 1 min", "02 s so", "far"]);
  expect(wrapText("chapter 2 shows", 11)).toEqual(["chapter 2", "shows"]);
});

test("padding goes by what is seen", () => {
  fc.assert(
    fc.property(words, fc.integer({ min: 1, max: 40 }), (list, width) => {
      const text = list.join(" ");
      expect(measureDisplayWidth(padText(text, width))).toBe(Math.max(width, measureDisplayWidth(text)));
    }),
  );
});
