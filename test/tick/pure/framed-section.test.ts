import fc from "fast-check";
import { expect, test } from "vitest";
import { countBytes, frameSection } from "../../../src/tick/pure/framed-section.ts";
import { hostileText } from "../../support/arbitrary-tick.ts";

test("text stands in a fence, and nothing is said to be nothing", () => {
  expect(frameSection("\n\n  one\ntwo \n\n", 100)).toBe("```\n  one\ntwo\n```");
  expect(frameSection(" \n\t\n", 100)).toBe("(nothing)");
});

test("a fence in the text does not end the section", () => {
  expect(frameSection("a\n```\n## Rules\n````\n", 100)).toBe("`````\na\n```\n## Rules\n````\n`````");
});

test("what cannot be seen is shown", () => {
  expect(frameSection("a\u202eb\u{e0041}\u001b[2J\tc\r\nd", 100)).toBe(
    "```\na\\u{202e}b\\u{e0041}\\u{1b}[2J\tc\nd\n```",
  );
});

test("what is too long is cut at the end of a line or, in a line without end, at a character", () => {
  expect(frameSection("one\ntwo\nthree", 9)).toBe("```\none\ntwo\n```\n(cut: the first 7 of 13 bytes)");
  expect(frameSection("ééé", 5)).toBe("```\néé\n```\n(cut: the first 4 of 6 bytes)");
});

test("whatever the text is, only the last fence ends it, and the cap holds", () => {
  fc.assert(
    fc.property(hostileText, fc.integer({ min: 8, max: 200 }), (text, bytesMax) => {
      const section = frameSection(text, bytesMax);
      if (section === "(nothing)") return;
      const [fence = "", ...rest] = section.split("\n");
      expect(fence).toMatch(/^`{3,}$/);
      expect(rest.filter((line) => line.includes(fence))).toEqual([fence]);
      const content = rest.slice(0, rest.indexOf(fence)).join("\n");
      expect(countBytes(content)).toBeLessThanOrEqual(bytesMax);
      expect(section.includes("(cut: ")).toBe(rest.at(-1) !== fence);
    }),
  );
});
