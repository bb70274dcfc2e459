/** The kinds of tasks, and tasks that are refused by reading them. */
import { expect } from "vitest";
import { meddler } from "../support/meddler.ts";
import type { Scenario } from "../support/scenario.ts";
import { GOOD_EDIT } from "../support/scenario-documents.ts";

const QUESTION = {
  task_kind: "question",
  question: { prompt: "Which one?", choices: ["this", "that"] },
  builder: undefined,
} as const;
const CHANGES_NOTHING = {
  task_kind: undefined,
  intent: undefined,
  scope: undefined,
  diff_limits: undefined,
  verification: undefined,
  builder: undefined,
} as const;
const VERIFY_ONLY = { task_kind: "verify_only", verification: { fast: ["green"], slow: [] } } as const;
/** Nobody is paid for a task that can be refused by reading it. */
const UNPAID = { settle: null, budgets: { ticks: 0, builder_calls: 0, verify_runs: 0 } } as const;

export const PLAN: readonly Scenario[] = [
  {
    shows: "a question ends the tick without a builder and is in the report",
    task: QUESTION,
    ends: {
      code: "STOP_QUESTION",
      message: /^Which one\?$/,
      report: {
        question: { prompt: "Which one?", choices: ["this", "that"] },
        budgets: { builder_calls: 0 },
      },
      after: ({ read }) =>
        expect(JSON.parse(read("relais/STATE.json"))).toMatchObject({
          open_question: { prompt: "Which one?" },
        }),
    },
  },
  {
    shows: "F003: something changes while a question is asked",
    task: QUESTION,
    before: (world) => meddler(world, { after: "planned", does: 'fs.appendFileSync(root + "/src/main.ts", "x");' }),
    ends: { code: "STOP_QUESTION_SIDE_EFFECTS", report: { settle: { action: "rollback" } } },
  },
  {
    shows: "a verify_only task without a builder runs its checks",
    task: { ...VERIFY_ONLY, builder: undefined },
    ends: { code: "SUCCESS", report: { budgets: { builder_calls: 0, verify_runs: 1 } } },
  },
  {
    shows: "a verify_only task without a builder needs no call of one, not even where none is left",
    config: { budgets: { per_milestone: { max_builder_calls: 0 }, per_run: { max_builder_calls: 0 } } },
    task: { ...VERIFY_ONLY, builder: undefined },
    ends: { code: "SUCCESS", report: { budgets: { builder_calls: 0, verify_runs: 1 } } },
  },
  {
    shows: "a verify_only task tells that a check is red",
    task: { task_kind: "verify_only", builder: undefined },
    ends: { code: "STOP_VERIFY_FAILED_FAST", cause: "exit_1" },
  },
  {
    shows: "a verify_only task with a builder that only looks",
    task: VERIFY_ONLY,
    steps: [{ do: "run", argv: ["git", "status"] }],
    ends: { code: "SUCCESS", report: { budgets: { builder_calls: 1 } } },
  },
  {
    shows: "F004: a verify_only task with a builder that edits",
    task: VERIFY_ONLY,
    steps: [GOOD_EDIT],
    ends: { code: "STOP_VERIFY_ONLY_SIDE_EFFECTS", report: { verification: { runs: [] } } },
  },
  {
    shows: "control.stop is a success that changes nothing",
    task: { ...CHANGES_NOTHING, control: { action: "stop", reason: "All is done." } },
    ends: { code: "SUCCESS", report: { task: { task_kind: null }, budgets: { builder_calls: 0 } } },
  },
  {
    shows: "control.continue is an empty tick",
    task: { ...CHANGES_NOTHING, control: { action: "continue" } },
    ends: { code: "SUCCESS", report: { blast_radius: { files_touched: 0 } } },
  },
  {
    shows: "a patch where the configuration wants none",
    keys: ["builder.allow_patch_mode"],
    config: { builder: { allow_patch_mode: false } },
    task: {
      builder: {
        mode: "patch",
        patch: "diff --git a/x b/x\n",
        max_turns: undefined,
        instructions: undefined,
      },
    },
    ends: { code: "STOP_PATCH_INVALID", cause: "patch_mode_not_allowed", report: UNPAID },
  },
];
