import fc from "fast-check";
import { expect, test } from "vitest";
import { runs } from "../test/support/runs.ts";
import { readSections, writeSections } from "./sections.mjs";

const line = fc.constantFrom(
  "%% 001",
  "%% a (escaped)",
  "%% ",
  "%",
  "\\x00",
  "\\\\",
  "é",
  "\u{1f600}",
  "\u2028",
  "\r",
  "",
);
const data = fc.oneof(
  fc.uint8Array({ maxLength: 40 }).map((bytes) => Buffer.from(bytes)),
  fc.array(line, { maxLength: 6 }).map((lines) => Buffer.from(lines.join("\n"))),
  fc.string({ unit: "binary", maxLength: 20 }).map((text) => Buffer.from(text)),
);
const section = fc.record({ name: fc.stringMatching(/^[\w./-]+$/), data, isExecutable: fc.boolean() });

test("what is written is read again, whatever its bytes are", () => {
  fc.assert(
    fc.property(fc.array(section, { maxLength: 5 }), (sections) => {
      expect(readSections(writeSections(sections))).toEqual(sections);
    }),
    runs(1000, 100),
  );
});

test("text stands as it is, and only what cannot be shown is escaped", () => {
  const texts = ["one\ntwo\n", "no end", "a\\b\0", "", "%% like a head"];
  const sections = texts.map((text, at) => ({ name: String(at), data: Buffer.from(text) }));
  expect(writeSections(sections)).toBe(
    [
      "%% 0\none\ntwo\n",
      "%% 1 (no newline)\nno end\n",
      "%% 2 (escaped, no newline)\na\\\\b\\x00\n",
      "%% 3 (no newline)\n\n",
      "%% 4 (escaped, no newline)\n\\x25% like a head\n",
    ].join(""),
  );
});

test.each([
  ["a line\n%% a\n", "above the first section"],
  ["%% a (encoded)\n", "unknown words"],
  ["%% a\ntext", "no end"],
])("%j is refused", (text, why) => {
  expect(() => readSections(text)).toThrow(why);
});
