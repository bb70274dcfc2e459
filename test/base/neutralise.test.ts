import fc from "fast-check";
import { expect, test } from "vitest";
import { neutralise } from "../../src/base/style.ts";

test.each([
  ["\u001b[31mred", "\\u{1b}[31mred"],
  ["one\r\ntwo\tthree", "one\\u{d}\\u{a}two\\u{9}three"],
  ["\u009b2J", "\\u{9b}2J"],
  ["a\u202eb\u2066c\u200fd", "a\\u{202e}b\\u{2066}c\\u{200f}d"],
  ["zero\u200bwidth\ufeff", "zero\\u{200b}width\\u{feff}"],
  ["a\u2028b", "a\\u{2028}b"],
  ["half \ud800 pair", "half \\u{d800} pair"],
  ["tag \u{e0041}", "tag \\u{e0041}"],
])("%j is shown as %j", (text, shown) => {
  expect(neutralise(text)).toBe(shown);
});

test("ordinary text of any script is left alone", () => {
  for (const text of ["src/a b.ts", "Größe", "日本語", "emoji 🎉", "C:\\path"]) expect(neutralise(text)).toBe(text);
});

const isObeyed = (point: number) =>
  point < 0x20 || (point >= 0x7f && point < 0xa0) || (point >= 0x202a && point <= 0x202e);

test("nothing that a terminal would obey survives", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), (text) => {
      expect(Array.from(neutralise(text), (character) => character.codePointAt(0) ?? 0).filter(isObeyed)).toEqual([]);
    }),
  );
});
