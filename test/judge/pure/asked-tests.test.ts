import { expect, test } from "vitest";
import { asksForOtherTests } from "../../../src/judge/pure/asked-work.ts";

test.each([
  "Round up instead and update the test.",
  "rename the test",
  "Say hi. Change greet and its tests",
  "Say hello in capitals, updating the old tests",
  "rewrite `greet` together with the snapshots",
])("asks for other tests: %s", (sentence) => {
  expect(asksForOtherTests(sentence)).toBe(true);
});

test.each([
  "",
  "Fix the failing test",
  "Add a test for the parser",
  "Change the code so that the tests pass",
  "Change the greeting and test it",
  "Do not change the tests",
  "Update the greeting without changing the tests",
  "Update the greeting. All tests must pass.",
])("asks for no other tests: %s", (sentence) => {
  expect(asksForOtherTests(sentence)).toBe(false);
});
