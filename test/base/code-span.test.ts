import { expect, test } from "vitest";
import { renderCodeSpan, renderProseSpan, renderQuotedSpans } from "../../src/base/code-span.ts";

test.each([
  ["src/a.ts", "`src/a.ts`"],
  ["a`b", "`a\\u{60}b`"],
  ["<b>", "`\\u{3c}b>`"],
  ["a\nb", "`a\\u{a}b`"],
  // A pair of backticks with nothing between them would open a span instead of being one.
  ["", "(empty)"],
  ["  ", "(empty)"],
])("the name %j is %j", (text, span) => {
  expect(renderCodeSpan(text)).toBe(span);
});

test("a sentence keeps its quotation marks as apostrophes", () => {
  expect(renderProseSpan("`x` matches no glob")).toBe("`'x' matches no glob`");
});

test("several lines are one quotation, without the empty ones", () => {
  expect(renderQuotedSpans("one\r\n\n# two\n")).toEqual(["> `one`\\", "> `# two`"]);
  expect(renderQuotedSpans("\n")).toEqual([]);
});

test("what is too long is cut, a question later than a name", () => {
  expect(renderCodeSpan("x".repeat(5000))).toHaveLength(402);
  expect(renderProseSpan("x".repeat(5000))).toHaveLength(2002);
});
