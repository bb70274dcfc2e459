/** What checks can say, and what becomes of the change then. */
import { symlinkSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import type { Scenario } from "../support/scenario.ts";
import { GOOD_EDIT, LEAVE_RESULT } from "../support/scenario-documents.ts";

const DONE = ["src/main.ts"];
const EDIT = "echo 'export const answer = 42;' > src/main.ts\n";
const checks = (fast: readonly string[], slow: readonly string[] = [], params: object = {}) => ({
  verification: { fast, slow, params },
});
const template = (id: string, ...[cmd, ...args]: string[]) => ({ id, cmd, args });
const templates = (...list: readonly object[]) => ({ verification: { templates: list } });
/** Refused by reading: nobody is paid and nothing is run. */
const TAINTED = {
  code: "STOP_VERIFY_TAINTED",
  report: { verification: { runs_total: 0 }, budgets: { builder_calls: 0, verify_runs: 0 }, settle: null },
} as const;
const BROKEN = { "src/broken.ts": "broken\n" };
const WHOLE = [template("whole", "sh", "-c", "! grep -rq broken src")];
const word = (value: unknown) => checks(["find"], [], { find: { word: value } });

export const VERIFY: readonly Scenario[] = [
  {
    shows: "a path that leads through a link out of the repository",
    before: ({ root, git }) => {
      symlinkSync("/etc", join(root, "src/out"));
      git("add", "-A");
      git("commit", "-qm", "link");
    },
    task: checks(["show"], [], { show: { file: "src/out/passwd" } }),
    ends: { ...TAINTED, cause: "param_refused" },
  },
  {
    shows: "a path that leads out through a link that the builder has made",
    files: { ".gitignore": "loose\n" },
    program: `${EDIT}ln -s /etc loose\n${LEAVE_RESULT}`,
    task: checks(["show"], [], { show: { file: "loose/passwd" } }),
    ends: {
      code: "STOP_VERIFY_TAINTED",
      cause: "param_refused",
      report: { verification: { runs_total: 0 }, settle: { action: "rollback" } },
    },
  },
  {
    shows: "a template that nobody configured",
    task: checks(["answer", "nonsense"]),
    ends: { ...TAINTED, cause: "template_unknown" },
  },
  {
    shows: "F010: a parameter with a shell character",
    task: word("a;rm -rf"),
    ends: { ...TAINTED, cause: "param_refused" },
  },
  {
    shows: "a parameter that is missing",
    task: checks(["find"]),
    ends: { ...TAINTED, cause: "param_missing" },
  },
  {
    shows: "a parameter that nobody declared",
    task: checks(["green"], [], { green: { word: "x" } }),
    ends: { ...TAINTED, cause: "param_extra" },
  },
  {
    shows: "a parameter that a program would take for an option",
    task: word("-rf"),
    ends: { ...TAINTED, cause: "param_refused" },
  },
  {
    shows: "a path that leaves the repository",
    task: checks(["show"], [], { show: { file: "../secret" } }),
    ends: { ...TAINTED, cause: "param_refused" },
  },
  {
    shows: "a parameter that is too long for this configuration",
    keys: ["verification.max_param_len"],
    config: { verification: { max_param_len: 3 } },
    task: word("answer"),
    ends: { ...TAINTED, cause: "param_refused" },
  },
  {
    shows: "a parameter that this configuration rejects",
    keys: ["verification.reject_metachars_regex"],
    config: { verification: { reject_metachars_regex: "w" } },
    task: word("answer"),
    ends: { ...TAINTED, cause: "param_refused" },
  },
  {
    shows: "white space in a parameter, where the configuration lets it pass",
    keys: ["verification.reject_whitespace_in_params"],
    config: { verification: { reject_whitespace_in_params: false } },
    task: word("answer = 42"),
    ends: { code: "SUCCESS", changed: DONE },
  },
  {
    shows: "two dots in a parameter, where the configuration lets them pass",
    keys: ["verification.reject_dotdot"],
    config: { verification: { reject_dotdot: false } },
    task: checks(["show"], [], { show: { file: "src/../src/main.ts" } }),
    ends: {
      code: "SUCCESS",
      changed: DONE,
      report: { verification: { runs: [{ args: ["src/../src/main.ts"] }] } },
    },
  },
  {
    shows: "a shell is never used, so a template is taken word for word",
    keys: ["verification.templates"],
    config: templates(template("literal", "test", "$HOME; exit 1", "=", "$HOME; exit 1")),
    task: checks(["literal"]),
    ends: { code: "SUCCESS", changed: DONE },
  },
  {
    shows: "F011: a fast check fails and no slow one is run",
    task: checks(["green", "red", "green"], ["answer"]),
    ends: {
      code: "STOP_VERIFY_FAILED_FAST",
      cause: "exit_1",
      report: {
        verification: {
          runs: [{ template_id: "green" }, { template_id: "red", exit_code: 1 }],
          runs_total: 2,
        },
        budgets: { verify_runs: 2 },
        settle: { action: "rollback" },
        pointers: { salvage: expect.any(String) },
      },
    },
  },
  {
    shows: "a slow check fails",
    task: checks(["answer"], ["red", "green"]),
    ends: { code: "STOP_VERIFY_FAILED_SLOW", cause: "exit_1", report: { budgets: { verify_runs: 2 } } },
  },
  {
    shows: "a program of a check that does not exist",
    config: templates(template("gone", "no-such-check")),
    task: checks(["gone"]),
    ends: { code: "BLOCKED_MISSING_CONFIG", cause: "check_not_found" },
  },
  {
    shows: "a fast check that takes too long",
    keys: ["verification.timeout_fast_seconds"],
    config: { verification: { timeout_fast_seconds: 1, templates: [template("wait", "sleep", "3")] } },
    task: checks(["wait"]),
    ends: {
      code: "STOP_VERIFY_FAILED_FAST",
      cause: "timed_out",
      report: { verification: { runs: [{ timed_out: true, exit_code: -1 }] } },
    },
  },
  {
    shows: "a slow check that takes too long",
    keys: ["verification.timeout_slow_seconds"],
    config: { verification: { timeout_slow_seconds: 1, templates: [template("wait", "sleep", "3")] } },
    task: checks([], ["wait"]),
    ends: { code: "STOP_VERIFY_FAILED_SLOW", cause: "timed_out" },
  },
  {
    shows: "the deadline of the tick ends a check",
    config: { runner: { max_tick_seconds: 3 }, ...templates(template("wait", "sleep", "20")) },
    task: checks(["wait"]),
    ends: { code: "STOP_TICK_TIMEOUT" },
  },
  {
    shows: "a check that floods its log",
    config: templates(template("loud", "sh", "-c", "yes | head -c 100000000")),
    task: checks(["loud"]),
    ends: { code: "STOP_VERIFY_FAILED_FAST", cause: "output_limit" },
  },
  {
    shows: "a check that changes what it was to verify",
    config: templates(template("format", "sh", "-c", "echo 43 >> src/main.ts")),
    task: checks(["format"]),
    ends: { code: "STOP_VERIFY_SIDE_EFFECTS" },
  },
  {
    shows: "a check that writes where this configuration lets it",
    keys: ["verification.scratch_globs"],
    config: {
      verification: {
        scratch_globs: ["docs/**"],
        templates: [template("write", "sh", "-c", "echo 1 > docs/out.txt")],
      },
    },
    task: checks(["write"]),
    ends: {
      code: "SUCCESS",
      changed: ["docs/out.txt", "src/main.ts"],
      report: { scope: { touched_paths: ["src/main.ts"] } },
    },
  },
  {
    shows: "a check that commits",
    config: templates(template("commit", "git", "commit", "-qam", "mine")),
    task: checks(["commit"]),
    ends: { code: "STOP_VERIFY_SIDE_EFFECTS" },
  },
  {
    shows: "what a check finds in its environment",
    keys: ["env.checks"],
    env: { WANTED: "yes", UNWANTED: "secret" },
    config: {
      env: { checks: ["WANTED"] },
      ...templates(template("look", "sh", "-c", 'test "$WANTED" = yes -a -z "$UNWANTED" -a -z "$RELAIS_DROP"')),
    },
    task: checks(["look"]),
    ends: { code: "SUCCESS", changed: DONE },
  },
  {
    shows: "a failure that the change did not cause is still a failure",
    steps: [GOOD_EDIT],
    files: BROKEN,
    config: { verification: { templates: WHOLE } },
    task: checks(["whole"]),
    ends: { code: "STOP_VERIFY_FAILED_FAST", cause: "exit_1" },
  },
  {
    shows: "a check that fails before any work: nobody is paid for it",
    keys: ["verification.baseline"],
    files: BROKEN,
    config: { verification: { baseline: "auto", templates: WHOLE } },
    task: checks(["whole"]),
    ends: {
      code: "BLOCKED_BASELINE_RED",
      message: /^Before any work, `whole` fails\./,
      report: {
        verification: { baseline: [{ template_id: "whole", exit_code: 1 }], runs_total: 0 },
        budgets: { builder_calls: 0 },
      },
    },
  },
  {
    shows: "a check that failed before, and fails in the same way, where the configuration compares",
    keys: ["verification.inherited"],
    files: BROKEN,
    config: { verification: { baseline: "auto", inherited: "compare", templates: WHOLE } },
    task: checks(["whole"]),
    ends: {
      code: "SUCCESS",
      changed: DONE,
      report: { verification: { runs: [{ template_id: "whole", exit_code: 1, state: "red_before" }] } },
    },
  },
  {
    shows: "a check that failed before, and that the task is to fix",
    config: { verification: { baseline: "auto" } },
    task: { fixes: ["answer"] },
    ends: {
      code: "SUCCESS",
      changed: DONE,
      report: { verification: { runs: [{ template_id: "answer", state: "mended" }, { state: "passed" }] } },
    },
  },
  {
    shows: "a check that failed before, and that the work has not fixed",
    config: { verification: { baseline: "auto", templates: WHOLE } },
    files: BROKEN,
    task: { ...checks(["whole"]), fixes: ["whole"] },
    ends: { code: "STOP_VERIFY_FAILED_FAST", cause: "exit_1" },
  },
];
