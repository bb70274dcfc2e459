import { expect, test } from "vitest";
import { formatAge, formatDuration, formatMoment } from "../../src/base/duration-text.ts";

test.each([
  [0, "0 ms"],
  [999.9, "999 ms"],
  [1000, "1.0 s"],
  [59_999, "59.9 s"],
  [60_000, "1 min 00 s"],
  [3_599_999, "59 min 59 s"],
  [3_600_000, "1 h 00 min"],
  [90_061_000, "25 h 01 min"],
])("%d ms is %s", (ms, text) => {
  expect(formatDuration(ms)).toBe(text);
});

test.each([
  [0, "just now"],
  [59, "just now"],
  [60, "1 min ago"],
  [3599, "59 min ago"],
  [3600, "1 h ago"],
  [86_399, "23 h ago"],
  [86_400, "1 day ago"],
  [200_000, "2 days ago"],
])("%d seconds are %s", (seconds, text) => {
  expect(formatAge(seconds)).toBe(text);
});

test("a moment is shown to the minute", () => {
  expect(formatMoment("2026-01-31T23:59:59.000Z")).toBe("2026-01-31 23:59");
});
