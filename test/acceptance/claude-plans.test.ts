/** A tick that Claude Code plans: how it is called, and what becomes of an answer that is none. */
import { chmodSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import * as v from "valibot";
import { Report } from "../../src/records/report.ts";
import { tickRepository } from "../support/tick-repository.ts";

const TASK = {
  task_id: "T-1",
  milestone_id: "M-1",
  task_kind: "verify_only",
  intent: "Look whether it is still green.",
  scope: {
    allowed_globs: ["src/**"],
    forbidden_globs: [],
    allow_new_files: false,
    allow_lockfile_changes: false,
  },
  diff_limits: { max_files_touched: 1, max_lines_changed: 1 },
  verification: { fast: ["green"], slow: [] },
};
const WRAPPER = {
  type: "result",
  subtype: "success",
  is_error: false,
  num_turns: 1,
  result: JSON.stringify(TASK),
};

/** A repository whose orchestrator is a program that prints this, again and again. */
async function plannedBy(printed: string, before = "") {
  const repository = tickRepository({
    config: {
      builder: { default_mode: "scripted" },
      claude_code_cli: { command: "../claude" },
      models: { orchestrator_model: "opus", orchestrator_fallback_model: "sonnet" },
      orchestrator: { max_turns: 3, permission_mode: "plan" },
      verification: { templates: [{ id: "green", cmd: "true" }] },
    },
  });
  const { box } = repository;
  writeFileSync(join(box, "answer"), printed);
  writeFileSync(
    join(box, "claude"),
    `#!/bin/sh\ncase " $* " in *" --version "*) echo "2.1.0 (Claude Code)"; exit 0;; esac\n${before}` +
      `for arg; do printf '%s\\0' "$arg"; done > "$0.args"\ncat "\${0%/*}/answer"\n`,
  );
  chmodSync(join(box, "claude"), 0o755);
  const { status } = await repository.relais("run");
  const written = readFileSync(join(repository.root, "relais/REPORT.json"), "utf8");
  return { ...repository, status, report: v.parse(Report, JSON.parse(written)) };
}

test("it is called without a terminal, with the format, turns, permissions and models of the configuration", async () => {
  const { box, status, report } = await plannedBy(`${JSON.stringify(WRAPPER)}\n`);
  expect({ status, code: report.code }).toEqual({ status: 0, code: "SUCCESS" });
  expect(report.budgets).toMatchObject({ orchestrator_calls: 1, builder_calls: 0, verify_runs: 1 });
  const args = readFileSync(join(box, "claude.args"), "utf8").split("\0");
  const after = (name: string): string | undefined => args[args.indexOf(name) + 1];
  expect(args).toContain("-p");
  expect(after("--output-format")).toMatch(/json$/);
  expect(after("--max-turns")).toBe("3");
  expect(after("--permission-mode")).toBe("plan");
  expect(after("--model")).toBe("opus");
  expect(after("--fallback-model")).toBe("sonnet");
});

const { result: _, ...WITHOUT } = WRAPPER;
const BROKEN: readonly (readonly [string, string])[] = [
  ["that is no JSON", "I would rather talk.\n"],
  ["without a wrapper", ""],
  ["whose wrapper is cut off", `${JSON.stringify(WRAPPER).slice(0, 60)}\n`],
  ["whose wrapper is not one", `${JSON.stringify({ type: "result", is_error: "no" })}\n`],
  ["whose wrapper has no result", `${JSON.stringify(WITHOUT)}\n`],
  ["whose result is not a text", `${JSON.stringify({ ...WRAPPER, result: { a: 1 } })}\n`],
];

test.each(BROKEN)("an answer %s interrupts the tick and changes nothing", async (_name, printed) => {
  const { status, report, git } = await plannedBy(printed);
  expect(report).toMatchObject({ code: "STOP_INTERRUPTED", task: null, budgets: { builder_calls: 0 } });
  expect(status).toBe(10);
  expect(git("status", "--porcelain")).toBe("");
});

test("a result that is no task, twice, blocks", async () => {
  const { status, report, git, root } = await plannedBy(`${JSON.stringify({ ...WRAPPER, result: "No." })}\n`);
  expect(report).toMatchObject({
    code: "BLOCKED_ORCHESTRATOR_OUTPUT_INVALID",
    budgets: { orchestrator_calls: 2, builder_calls: 0 },
  });
  expect(status).toBe(11);
  expect(JSON.parse(readFileSync(join(root, "relais/BLOCKED.json"), "utf8"))).toMatchObject({
    code: report.code,
  });
  expect(git("status", "--porcelain")).toBe("");
});

test("an answer that misses the schema within its turns leaves a second try, whatever max_turns is", async () => {
  const out = {
    ...WITHOUT,
    subtype: "error_max_turns",
    is_error: true,
    errors: ["Reached maximum number of turns (3)"],
  };
  const again = `if [ -e "$HOME/asked" ]; then printf '%s\\n' '${JSON.stringify(WRAPPER)}'; exit 0; fi; touch "$HOME/asked"`;
  const second = `case " $* " in *" --max-turns "*) ${again};; esac\n`;
  const { report } = await plannedBy(`${JSON.stringify(out)}\n`, second);
  expect(report).toMatchObject({ code: "SUCCESS", budgets: { orchestrator_calls: 2 } });
  const never = await plannedBy(`${JSON.stringify(out)}\n`);
  expect(never.report).toMatchObject({
    code: "STOP_INTERRUPTED",
    cause: "orchestrator_max_turns",
    budgets: { orchestrator_calls: 2, builder_calls: 0 },
  });
});
