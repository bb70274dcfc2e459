/** The width of text is that of the library that others use, which is too slow to be asked for every line of a frame. */
import fc from "fast-check";
import stringWidth from "string-width";
import { expect, test } from "vitest";
import { measureDisplayWidth, splitClusters } from "../../src/base/wrap-text.ts";

test.each([
  ["abc", 3],
  ["日本", 4],
  ["e\u0301", 1],
  ["🎉", 2],
  ["🇩🇪", 2],
  ["👩\u200d💻", 2],
  ["👨\u200d👩\u200d👧\u200d👦", 2],
  ["👍🏽", 2],
  ["❤\ufe0f", 2],
  ["❤", 1],
  ["1\ufe0f\u20e3", 2],
  ["🏴\u{e0067}\u{e0062}\u{e0073}\u{e0063}\u{e0074}\u{e007f}", 2],
  ["\u1112\u1161\u11ab", 2],
  ["\u200b", 0],
  ["ｶﾞ", 2],
  ["", 0],
])("%j takes %i columns", (text, width) => {
  expect(measureDisplayWidth(text)).toBe(width);
  expect(stringWidth(text)).toBe(width);
});

/** Where signs are of many kinds, each of them; elsewhere a sample. */
const isTried = (codePoint: number): boolean =>
  codePoint % 23 === 0 ||
  (codePoint >= 0x1100 && codePoint < 0x1200) ||
  (codePoint >= 0x2000 && codePoint < 0x3400) ||
  (codePoint >= 0xfe00 && codePoint < 0x1_0000) ||
  (codePoint >= 0x1_f000 && codePoint < 0x1_fb00);

test("every character is as wide as the library says", () => {
  const wrong: string[] = [];
  for (let codePoint = 0; codePoint < 0x3_2000; codePoint += 1) {
    if (!isTried(codePoint)) continue;
    const character = String.fromCodePoint(codePoint);
    if (measureDisplayWidth(character) !== stringWidth(character)) wrong.push(codePoint.toString(16));
  }
  expect(wrong).toEqual([]);
});

const sign = fc.constantFrom(
  ..."a é 日 │ ✓ 🎉 🇩 🇪 🇫 👩 💻 ❤ 1 # 🏽 한 ｶ ﾞ".split(" "),
  "\u200d",
  "\ufe0f",
  "\u20e3",
  "\u0301",
  "\u1112",
  "\u1161",
  "\u11ab",
  "\u00ad",
);

test("signs that join are as wide as the library says, and no cluster is lost", () => {
  fc.assert(
    fc.property(fc.array(sign, { maxLength: 6 }), (signs) => {
      const text = signs.join("");
      expect(measureDisplayWidth(text)).toBe(stringWidth(text));
      expect([...splitClusters(text)].join("")).toBe(text);
    }),
    { numRuns: 500 },
  );
});
