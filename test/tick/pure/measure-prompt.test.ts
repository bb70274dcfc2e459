import fc from "fast-check";
import { expect, test } from "vitest";
import { measurePrompt } from "../../../src/tick/pure/measure-prompt.ts";
import { runs } from "../../support/runs.ts";

const sum = (sections: Readonly<Record<string, number>>): number =>
  Object.values(sections).reduce((bytes, more) => bytes + more, 0);

test("bytes are counted by heading, and those before the first one too", () => {
  const text = "You build.\n\n# Rules\n- äöü\n## Task\nOne.\n### Detail\nTwo.\n# Rules\nMore.\n";
  expect(measurePrompt(text, null)).toEqual({
    bytes: 72,
    shared_bytes: null,
    sections: { "(beginning)": 12, Rules: 31, Task: 29 },
  });
});

test("a heading in a fence belongs to the section around it", () => {
  const text = "# Goal\n````\n# Theirs\n```\n## Also theirs\n````\n# Next\n```json\n# No\n```\n";
  expect(Object.keys(measurePrompt(text, null).sections)).toEqual(["Goal", "Next"]);
});

test("the shared beginning is counted in bytes", () => {
  expect(measurePrompt("äb1", "äb2").shared_bytes).toBe(3);
  expect(measurePrompt("äb", "äbc").shared_bytes).toBe(3);
  expect(measurePrompt("a", "").shared_bytes).toBe(0);
});

test("many sections are summed, and a long title is cut", () => {
  const text = Array.from({ length: 40 }, (_, at) => `# Part ${at}\n${"x".repeat(at)}\n`).join("");
  const { bytes, sections } = measurePrompt(text, null);
  expect(Object.keys(sections)).toHaveLength(31);
  expect(Object.keys(sections).at(-1)).toBe("(others)");
  expect(sum(sections)).toBe(bytes);
  const [title = ""] = Object.keys(measurePrompt(`# ${"long ".repeat(100)}\n`, null).sections);
  expect(title.length).toBeLessThanOrEqual(80);
});

test("the sections are the whole prompt", () => {
  const line = fc.oneof(fc.string({ unit: "binary" }), fc.constantFrom("# One", "## Two", "```", "````", "# 😀", ""));
  fc.assert(
    fc.property(fc.array(line, { maxLength: 8 }), fc.array(line, { maxLength: 8 }), (one, other) => {
      const [text, previous] = [one.join("\n"), other.join("\n")];
      const { bytes, shared_bytes, sections } = measurePrompt(text, previous);
      expect(sum(sections)).toBe(bytes);
      expect(shared_bytes).toBeLessThanOrEqual(bytes);
      expect(measurePrompt(text, text).shared_bytes).toBe(bytes);
    }),
    runs(300, 30),
  );
});
