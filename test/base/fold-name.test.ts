import fc from "fast-check";
import { expect, test } from "vitest";
import { foldName } from "../../src/base/path-names.ts";

test.each([
  ["README", "readme"],
  ["caf\u00e9", "CAFE\u0301"],
  ["\u017fecret", "SECRET"],
  ["\u212aey", "key"],
  ["ΟΔΟΣ", "οδος"],
  ["straße", "STRASSE"],
  ["STRAẞE", "strasse"],
  ["\u1fb4", "\u03b1\u0345\u0301"],
  ["\u1fe2", "\u03a5\u0308\u0300"],
])("%s and %s are one name", (first, second) => {
  expect(foldName(first)).toBe(foldName(second));
});

test("different letters stay different", () => {
  expect(foldName("a")).not.toBe(foldName("b"));
  expect(foldName("e")).not.toBe(foldName("é"));
});

test("the case and the composition of a letter never matter", () => {
  const letters = Array.from({ length: 0x3000 }, (_, code) => String.fromCodePoint(code));
  const split = letters.filter((letter) => {
    const forms = [letter.toUpperCase(), letter.toLowerCase(), letter.normalize("NFD"), foldName(letter)];
    return forms.some((form) => foldName(form) !== foldName(letter));
  });
  expect(split).toEqual([]);
});

test("folding a name again changes nothing", () => {
  fc.assert(
    fc.property(fc.string({ unit: "grapheme" }), (name) => {
      expect(foldName(foldName(name))).toBe(foldName(name));
    }),
  );
});

test("letters of ASCII fold as they always did", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary-ascii" }), (name) => {
      expect(foldName(name)).toBe(name.toLowerCase());
    }),
  );
});
