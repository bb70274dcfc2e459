import { expect, test } from "vitest";
import { judge } from "../../../src/judge/pure/judge.ts";
import { change, evidence, findingsOf, rules } from "../../support/evidence.ts";

const KINDS = [
  ["question", "STOP_QUESTION_SIDE_EFFECTS"],
  ["verify_only", "STOP_VERIFY_ONLY_SIDE_EFFECTS"],
] as const;

test.each(KINDS)("a %s that changes a file answers with %s, in scope or not", (task_kind, code) => {
  for (const path of ["src/a", "docs/a"]) {
    expect(judge(evidence([change(path)], { rules: rules({ task_kind }) })).code).toBe(code);
  }
});

test.each(KINDS)("a %s that changes nothing passes", (task_kind) => {
  expect(judge(evidence([], { rules: rules({ task_kind }) })).code).toBe("SUCCESS");
});

test("ignored files count only where their own rules refuse them", () => {
  const changes = [change("cache/a", { standing: "ignored" }), change("cache/.env", { standing: "ignored" })];
  const subjects = (ignored: "report" | "forbid" | "allow") =>
    findingsOf("task-kind", changes, {
      task_kind: "verify_only",
      ignored,
      forbidden_globs: ["**/.env"],
    }).map(({ subject }) => subject);
  expect(subjects("report")).toEqual(["cache/.env"]);
  expect(subjects("allow")).toEqual(["cache/.env"]);
  expect(subjects("forbid")).toEqual(["cache/a", "cache/.env"]);
});

test("an execute task may change things", () => {
  expect(findingsOf("task-kind", [change("src/a")], { task_kind: "execute" })).toEqual([]);
  expect(findingsOf("task-kind", [change("src/a")], { task_kind: null })).toEqual([]);
});
