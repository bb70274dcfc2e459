import fc from "fast-check";
import { expect, test } from "vitest";
import { makeHarmless } from "../../../src/page/pure/harmless.ts";
import { makeTranscriptPage } from "../../../src/page/pure/transcript-page.ts";
import { makeHighlighter } from "../../../src/page/browser/highlight.ts";
import { runs } from "../../support/runs.ts";

test("no text of a document keeps a hidden character, wherever it is", () => {
  const hidden = "a\u001B[31mb\u202Ec\u200Bd\u0000e";
  const made = makeHarmless({ one: hidden, many: [{ deep: hidden }], none: null, count: 3, is: true });
  const text = JSON.stringify(made);
  for (const one of ["\u202E", "\u200B", "\u001B", String.raw`\u001b`, String.raw`\u0000`])
    expect(text).not.toContain(one);
  expect(made.one).toContain(String.raw`\u{202e}`);
  expect(made).toMatchObject({ none: null, count: 3, is: true });
});

test("an endless text is cut and says how much is missing", () => {
  const { text } = makeHarmless({ text: "x".repeat(1024 * 1024) });
  expect(text.length).toBeLessThan(21_000);
  expect(text).toMatch(/… 1028576 more characters$/);
});

test("a transcript is grouped by session, and a tool that failed looks so", () => {
  const session = { name: "builder", driver: "claude_code", startedAt: "2026-01-01T00:00:00Z" };
  const used = { type: "used", tool: "Bash", kind: "command", target: "npm test", exit: 1, output: "red" } as const;
  const page = makeTranscriptPage("r", [
    { session, entry: { type: "said", text: "hello" } },
    { session, entry: { ...used, status: "failed" } },
    { session, entry: { type: "ended", isGood: false, text: "done" } },
  ]);
  expect(page.sessions).toHaveLength(1);
  expect(page.sessions[0]?.entries.map(({ tone }) => tone)).toEqual(["calm", "bad", "bad"]);
  expect(page.sessions[0]?.entries[1]?.head).toBe("Bash npm test · failed 1");
});

const PATHS = ["a.ts", "a.py", "a.json", "a.rs", "a.go", "a.sql", "a.html", "a.unknown", "Makefile", "a.css"];

test("colours change no character of a line", () => {
  fc.assert(
    fc.property(fc.constantFrom(...PATHS), fc.array(fc.string({ unit: "grapheme" })), (path, lines) => {
      const colour = makeHighlighter(path);
      for (const line of lines)
        expect(
          colour(line)
            .map(({ text }) => text)
            .join(""),
        ).toBe(line);
    }),
    runs(300),
  );
});

test("comments, strings and keywords get their colours, also over several lines", () => {
  const colour = makeHighlighter("a.ts");
  const kinds = (line: string) =>
    colour(line)
      .filter(({ kind }) => kind !== "plain")
      .map(({ kind }) => kind);
  expect(kinds('const a = "x"; // y')).toEqual(["keyword", "string", "comment"]);
  expect(kinds("/* begins")).toEqual(["comment"]);
  expect(kinds("still */ return 12")).toEqual(["comment", "keyword", "number"]);
});
