import { expect, test } from "vitest";
import type { Head } from "../../../src/records/evidence.ts";
import { judge } from "../../../src/judge/pure/judge.ts";
import { evidence } from "../../support/evidence.ts";

const main: Head = { text: "ref: refs/heads/main", commit: "1".repeat(40) };

const findings = (after: Head) => judge(evidence([], { head: { before: main, after } })).findings;

test("a HEAD that stayed is no finding", () => {
  expect(findings(main)).toEqual([]);
});

test("a commit on the branch moves the branch", () => {
  expect(findings({ ...main, commit: "2".repeat(40) })).toMatchObject([
    { code: "STOP_HEAD_MOVED", subject: "refs/heads/main" },
  ]);
});

test("another branch at the same commit moves HEAD", () => {
  expect(findings({ ...main, text: "ref: refs/heads/other" })).toMatchObject([{ subject: "HEAD" }]);
});

test("a detached HEAD at another commit is told as both", () => {
  const after = { text: "2".repeat(40), commit: "2".repeat(40) };
  expect(findings(after)).toMatchObject([{ subject: "HEAD" }, { subject: "HEAD" }]);
});

test("a branch that can no longer be resolved has moved", () => {
  const [finding] = findings({ ...main, commit: null });
  expect(finding?.rule).toContain("is now at no commit");
});
