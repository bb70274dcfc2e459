/** The same hash as that of Node, whatever the text and its length. */
import { createHash } from "node:crypto";
import fc from "fast-check";
import { expect, test } from "vitest";
import { hashShortText } from "../../src/io/machine/short-hash.ts";

const hashByNode = (text: string): string => createHash("sha256").update(text).digest("hex");

test("texts of every length around a block", () => {
  for (let length = 0; length < 200; length += 1) {
    const text = "é".repeat(length % 3) + "a".repeat(length);
    expect(hashShortText(text)).toBe(hashByNode(text));
  }
});

test("any text, short or long", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary", maxLength: 300 }), fc.integer({ min: 1, max: 300 }), (text, times) => {
      expect(hashShortText(text.repeat(times))).toBe(hashByNode(text.repeat(times)));
    }),
    { numRuns: 100 },
  );
});
