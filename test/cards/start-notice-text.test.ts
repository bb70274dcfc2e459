import { expect, test } from "vitest";
import { renderStartNotice } from "../../src/cards/start-notice-text.ts";
import { plainStyle } from "../../src/base/style.ts";

const NOTICE = {
  agent: "claude_code",
  model: null,
  liftedPaths: [],
  uncommitted: 0,
  allowedGlobs: ["src/**"],
  checks: [],
  installer: null,
  branch: null,
} as const;

test.each([
  [{ isCommitted: false, isAsked: false }, "waits for `relais accept`"],
  [{ isCommitted: true, isAsked: false }, "is committed"],
  [
    { isCommitted: true, isAsked: false, branch: "relais/fix-7f3a" },
    "is committed on relais/fix-7f3a, because this branch is protected",
  ],
  [{ isCommitted: true, isAsked: true }, "waits for your decision"],
])("the third line says what happens to a passing change: %j", (end, words) => {
  const text = renderStartNotice({ ...NOTICE, ...end }, { style: plainStyle, columns: 120 });
  expect(text.split("\n")[2]).toBe(`A passing change ${words}; anything else is reverted.`);
});
