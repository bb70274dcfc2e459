/** What the gates refuse, one builder each. Everything is put back. */
import { expect } from "vitest";
import type { Scenario } from "../support/scenario.ts";
import { GOOD_EDIT, LEAVE_RESULT } from "../support/scenario-documents.ts";

const write = (path: string, text = "new\n") => ({ do: "write", path, text }) as const;
const run = (...argv: string[]) => ({ do: "run", argv }) as const;
const GOOD_CHANGE = ["src/main.ts"];

export const JUDGE: readonly Scenario[] = [
  {
    shows: "F001: one builder call and no retry for a task that is done well",
    keys: ["builder.default_mode"],
    config: { builder: { default_mode: "scripted" } },
    ends: {
      code: "SUCCESS",
      cause: null,
      changed: GOOD_CHANGE,
      report: {
        verdict: "success",
        settle: { action: "accept", commit: null },
        builder_output_valid: true,
        budgets: { ticks: 1, orchestrator_calls: 0, builder_calls: 1, verify_runs: 2 },
        blast_radius: { files_touched: 1, lines_added: 1, lines_deleted: 1, new_files: 0 },
        scope: { ok: true, touched_paths: ["src/main.ts"] },
        isolation: "in_place",
        sandbox: "none",
      },
    },
  },
  {
    shows: "F001: the same with a program as the builder",
    program: `echo 'export const answer = 42;' > src/main.ts\n${LEAVE_RESULT}`,
    ends: {
      code: "SUCCESS",
      changed: GOOD_CHANGE,
      report: { builder_output_valid: true, budgets: { builder_calls: 1 } },
    },
  },
  {
    shows: "a builder that changes nothing",
    program: `echo x > ignored.log\nmkdir -p src/empty\n${LEAVE_RESULT}`,
    files: { ".gitignore": "*.log\n" },
    task: { verification: { fast: ["green"], slow: [] } },
    ends: {
      code: "STOP_NO_CHANGE",
      report: {
        message: "It is done.",
        blast_radius: { files_touched: 0 },
        settle: { action: "rollback" },
        verification: { runs: [] },
      },
    },
  },
  {
    shows: "a builder that says in its own way that it cannot do it",
    program: `echo 'I cannot do that.' > "$RELAIS_RESULT_PATH"\n`,
    ends: { code: "STOP_NO_CHANGE", report: { message: "I cannot do that.", builder_output_valid: false } },
  },
  {
    shows: "a builder that may change nothing succeeds where the checks are green",
    steps: [],
    task: { verification: { fast: ["green"], slow: [] }, allow_no_change: true },
    ends: { code: "SUCCESS", report: { blast_radius: { files_touched: 0 }, settle: { action: "accept" } } },
  },
  {
    shows: "a person's own task goes further than the configuration, and the report says so",
    files: { "notes/a.md": "a\n", "src/tokenizer.js": "a\n" },
    task: { scope: { allowed_globs: ["src/**", "notes/**"] } },
    steps: [GOOD_EDIT, write("notes/a.md"), write("src/tokenizer.js")],
    ends: {
      code: "SUCCESS",
      changed: ["notes/a.md", "src/main.ts", "src/tokenizer.js"],
      report: {
        notes: ["Your own task goes beyond scope.default_allowed_globs: `notes/a.md`.", expect.any(String)],
      },
    },
  },
  {
    shows: "a change of a global that tests rely on is held, its checks run, and the report names its line",
    steps: [{ do: "write", path: "src/main.ts", text: "export const answer = 42;\nDate.now = () => 0;\n" }],
    ends: {
      code: "STOP_SUSPECT",
      cause: "suppression",
      report: {
        findings: [expect.objectContaining({ gate: "suppression", subject: "src/main.ts:2" })],
        verification: { runs: expect.arrayContaining([expect.objectContaining({ exit_code: 0 })]) },
        settle: { action: "rollback" },
        pointers: { salvage: expect.any(String) },
      },
    },
  },
  {
    shows: "the same stops where the configuration says so",
    keys: ["verification.rules.suppression"],
    config: { verification: { rules: { suppression: "stop" } } },
    steps: [{ do: "write", path: "src/main.ts", text: "export const answer = 42;\nDate.now = () => 0;\n" }],
    ends: {
      code: "STOP_CHECKS_WEAKENED",
      cause: "suppression",
      report: { verification: { runs: [] }, settle: { action: "rollback" } },
    },
  },
  {
    shows: "the same where a person's own task allows it",
    steps: [{ do: "write", path: "src/main.ts", text: "export const answer = 42;\nDate.now = () => 0;\n" }],
    task: { allows: ["suppression"] },
    ends: {
      code: "SUCCESS",
      changed: GOOD_CHANGE,
      report: {
        notes: expect.arrayContaining([expect.stringContaining("(`patched_global`): `src/main.ts:2`.")]),
      },
    },
  },
  {
    shows: "code that asks for the test runner, and a rule that is a note",
    keys: ["verification.rules.test_aware"],
    config: { verification: { rules: { test_aware: "note" } } },
    steps: [{ do: "write", path: "src/main.ts", text: "export const answer = process.env.VITEST ? 42 : 0;\n" }],
    ends: {
      code: "SUCCESS",
      changed: GOOD_CHANGE,
      report: { notes: expect.arrayContaining([expect.stringContaining("asks_for_runner")]) },
    },
  },
  {
    shows: "F005: an edit outside the allowed globs",
    steps: [GOOD_EDIT, write("package.json", "{}\n")],
    ends: {
      code: "STOP_SCOPE_VIOLATION_OUTSIDE_ALLOWED",
      report: {
        settle: { action: "rollback" },
        notes: [expect.stringContaining("the builder says")],
        scope: { ok: false, violations_total: 1, touched_paths: ["package.json", "src/main.ts"] },
        verification: { runs: [] },
        pointers: { salvage: expect.any(String) },
      },
    },
  },
  {
    shows: "F006: the runner's own state is forged",
    steps: [GOOD_EDIT, write("relais/STATE.json", "{}")],
    ends: {
      code: "STOP_RUNNER_OWNED_MUTATION",
      after: ({ read }) => expect(read("relais/STATE.json")).not.toBe("{}"),
    },
  },
  {
    shows: "F006: the facts that only people write are edited",
    steps: [write("relais/FACTS.md")],
    ends: { code: "STOP_RUNNER_OWNED_MUTATION" },
  },
  {
    shows: "the configuration is edited, whatever the task allows",
    steps: [write("relais.config.json", "{}")],
    task: { scope: { allowed_globs: ["**"] } },
    ends: { code: "STOP_RUNNER_OWNED_MUTATION" },
  },
  {
    shows: "F006: git's configuration is edited",
    steps: [run("git", "config", "core.hooksPath", "/tmp/hooks")],
    ends: { code: "STOP_GIT_METADATA_MUTATION" },
  },
  {
    shows: "a hook, a tag and a stash are made",
    steps: [
      write(".git/hooks/pre-commit", "#!/bin/sh\n"),
      run("git", "tag", "done"),
      write("src/main.ts"),
      run("git", "stash"),
    ],
    ends: { code: "STOP_GIT_METADATA_MUTATION" },
  },
  {
    shows: "the builder commits",
    steps: [GOOD_EDIT, run("git", "commit", "-qam", "mine")],
    ends: { code: "STOP_HEAD_MOVED", report: { pointers: { salvage: expect.any(String) } } },
  },
  {
    shows: "the builder switches to another branch and back on top of a commit",
    program: `git switch -qc other && echo 42 > src/main.ts && git commit -qam mine\n${LEAVE_RESULT}`,
    ends: { code: "STOP_HEAD_MOVED" },
  },
  {
    shows: "a forbidden path is edited although the task allows it",
    keys: ["scope.default_forbidden_globs"],
    config: { scope: { default_forbidden_globs: ["**/main.*"] } },
    ends: { code: "STOP_SCOPE_VIOLATION_FORBIDDEN" },
  },
  {
    shows: "a glob that the task forbids",
    task: { scope: { forbidden_globs: ["src/main.ts"] } },
    ends: { code: "STOP_SCOPE_VIOLATION_FORBIDDEN" },
  },
  {
    shows: "a tracked secret is edited",
    files: { "src/secret.txt": "s\n" },
    steps: [write("src/secret.txt")],
    ends: { code: "STOP_SCOPE_VIOLATION_FORBIDDEN" },
  },
  {
    shows: "F007: a new file where none may be",
    steps: [write("src/new.ts")],
    ends: { code: "STOP_SCOPE_VIOLATION_NEW_FILE", report: { blast_radius: { new_files: 1 } } },
  },
  {
    shows: "a new file where the task allows one",
    steps: [GOOD_EDIT, write("src/new.ts")],
    task: { scope: { allow_new_files: true } },
    ends: {
      code: "SUCCESS",
      changed: ["src/main.ts", "src/new.ts"],
      report: { blast_radius: { new_files: 1 } },
    },
  },
  {
    shows: "F008: a lockfile is changed",
    steps: [write("pnpm-lock.yaml")],
    task: { scope: { allowed_globs: ["**"] } },
    ends: { code: "STOP_LOCKFILE_CHANGE_FORBIDDEN" },
  },
  {
    shows: "a lockfile that only this configuration knows",
    keys: ["scope.lockfiles"],
    config: { scope: { lockfiles: ["main.ts"] } },
    ends: { code: "STOP_LOCKFILE_CHANGE_FORBIDDEN" },
  },
  {
    shows: "F009: more lines than the task allows",
    steps: [{ ...write("src/main.ts", "42\n"), repeat: 200 }],
    task: { diff_limits: { max_lines_changed: 20 } },
    ends: { code: "STOP_DIFF_TOO_LARGE" },
  },
  {
    shows: "more lines than the configuration allows, whatever the task says",
    keys: ["diff_limits.default_max_lines_changed"],
    config: { diff_limits: { default_max_lines_changed: 1 } },
    ends: { code: "STOP_DIFF_TOO_LARGE" },
  },
  {
    shows: "more files than the configuration allows, whatever the task says",
    keys: ["diff_limits.default_max_files_touched"],
    config: { diff_limits: { default_max_files_touched: 1 } },
    steps: [GOOD_EDIT, write("src/other.ts")],
    ends: { code: "STOP_DIFF_TOO_LARGE" },
  },
  {
    shows: "a link that leads out of the repository",
    steps: [{ do: "symlink", path: "src/way-out", target: "/etc/passwd" }],
    task: { scope: { allow_new_files: true } },
    ends: { code: "STOP_UNSAFE_PATH" },
  },
  {
    shows: "a secret is changed, ignored or not",
    steps: [GOOD_EDIT, write(".env")],
    ends: { code: "STOP_SCOPE_VIOLATION_FORBIDDEN" },
  },
  {
    shows: "an ignored file is changed where that is to be reported",
    keys: ["ignored"],
    config: { ignored: "report" },
    steps: [GOOD_EDIT, write("debug.log")],
    ends: {
      code: "SUCCESS",
      changed: ["debug.log", "src/main.ts"],
      report: { notes: ["Ignored files were changed: `debug.log`.", expect.any(String)] },
    },
  },
  {
    shows: "ignored files that were there before are changed and deleted",
    steps: [GOOD_EDIT, write("debug.log"), { do: "delete", path: "node_modules/dep/index.js" }],
    config: { scope: { default_forbidden_globs: [] } },
    ends: {
      code: "STOP_IGNORED_MUTATION",
      report: {
        findings_total: 2,
        findings: [
          { subject: "debug.log", rule: expect.stringContaining("changed") },
          { rule: expect.stringContaining("deleted") },
        ],
      },
    },
  },
  {
    shows: "a new ignored file is noted",
    steps: [GOOD_EDIT, write("more.log")],
    ends: {
      code: "SUCCESS",
      changed: ["more.log", "src/main.ts"],
      report: { notes: ["Ignored files are new: `more.log`.", expect.any(String)] },
    },
  },
  {
    shows: "ignored build output that a check starts, although build output may be written",
    config: {
      verification: {
        templates: [
          { id: "answer", cmd: "sh", args: ["dist/check.sh"] },
          { id: "green", cmd: "true" },
        ],
      },
    },
    steps: [write("src/main.ts", "broken\n"), write("dist/check.sh", "exit 0\n"), write("dist/other.js")],
    ends: {
      code: "STOP_IGNORED_MUTATION",
      report: { findings_total: 1, findings: [{ subject: "dist/check.sh" }] },
    },
  },
  {
    shows: "ignored build output that a script of the package starts",
    files: { "package.json": JSON.stringify({ scripts: { test: "sh dist/check.sh" } }) },
    config: {
      verification: {
        templates: [
          { id: "answer", cmd: "npm", args: ["test"] },
          { id: "green", cmd: "true" },
        ],
      },
    },
    steps: [write("src/main.ts", "broken\n"), write("dist/check.sh", "exit 0\n")],
    ends: {
      code: "STOP_IGNORED_MUTATION",
      report: { findings_total: 1, findings: [{ subject: "dist/check.sh" }] },
    },
  },
  {
    shows: "build output that a check makes again before a test loads it",
    files: {
      "test/run.test.sh": ". ./dist/lib.sh\n",
      "package.json": JSON.stringify({ scripts: { build: "mkdir -p dist && cp lib.sh dist/lib.sh" } }),
      "lib.sh": "grep -q 42 src/main.ts\n",
    },
    config: {
      verification: {
        templates: [
          { id: "answer", cmd: "npm", args: ["run", "build"] },
          { id: "green", cmd: "sh", args: ["test/run.test.sh"] },
        ],
      },
    },
    steps: [GOOD_EDIT, write("dist/lib.sh", "exit 0\n")],
    ends: { code: "SUCCESS", changed: ["dist/lib.sh", "src/main.ts"] },
  },
  {
    shows: "an ignored file that this configuration lets tools write",
    keys: ["ignored_writable_globs"],
    config: { ignored: "forbid", ignored_writable_globs: ["debug.log"] },
    steps: [GOOD_EDIT, write("debug.log")],
    ends: { code: "SUCCESS", changed: ["debug.log", "src/main.ts"] },
  },
  {
    shows: "a path that this configuration gives to the runner",
    keys: ["runner.runner_owned_globs"],
    config: { runner: { runner_owned_globs: ["src/main.ts"] } },
    ends: { code: "STOP_RUNNER_OWNED_MUTATION" },
  },
  {
    shows: "tests are edited where the configuration protects them",
    keys: ["verification.oracle"],
    config: { verification: { oracle: "frozen" } },
    task: { scope: { allowed_globs: ["**"] } },
    steps: [GOOD_EDIT, write("tests/main.test.ts")],
    ends: { code: "STOP_SCOPE_VIOLATION_FORBIDDEN" },
  },
  {
    shows: "what counts as a test is a matter of configuration",
    keys: ["verification.oracle_globs"],
    config: { verification: { oracle: "frozen", oracle_globs: ["src/main.ts"] } },
    ends: { code: "STOP_SCOPE_VIOLATION_FORBIDDEN" },
  },
  {
    shows: "everything at once is listed, and the first gate names the code",
    steps: [write("relais/FACTS.md"), write("src/new.ts"), write("pnpm-lock.yaml"), run("git", "tag", "done")],
    ends: {
      code: "STOP_GIT_METADATA_MUTATION",
      report: {
        findings: expect.arrayContaining([
          expect.objectContaining({ code: "STOP_RUNNER_OWNED_MUTATION" }),
          expect.objectContaining({ code: "STOP_SCOPE_VIOLATION_OUTSIDE_ALLOWED" }),
          expect.objectContaining({ code: "STOP_SCOPE_VIOLATION_NEW_FILE" }),
          expect.objectContaining({ code: "STOP_LOCKFILE_CHANGE_FORBIDDEN" }),
        ]),
      },
    },
  },
  {
    shows: "the repository is torn down",
    steps: [run("sh", "-c", "rm -rf .git src docs .env node_modules relais && mkdir src"), { do: "exit", status: 0 }],
    ends: { code: "STOP_HEAD_MOVED" },
  },
];
