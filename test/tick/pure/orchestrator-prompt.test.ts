import { expect, test } from "vitest";
import * as v from "valibot";
import { parseConfig } from "../../../src/config/parse-config.ts";
import { Task } from "../../../src/records/task.ts";
import { readTaskAnswer } from "../../../src/tick/pure/read-task-answer.ts";
import { composeBuilderPrompt, countBytes } from "../../../src/tick/pure/framed-section.ts";
import { composeOrchestratorPrompt, type PlanFacts } from "../../../src/tick/pure/orchestrator-prompt.ts";
import { combineRules } from "../../../src/judge/pure/combine-rules.ts";
import { foldWorkspaceState } from "../../../src/journal/pure/workspace-state.ts";
import { SHIPPED_PROMPTS } from "../../../src/workspace/session-files.ts";
import { journalOf } from "../../support/journals.ts";
import { executeTask } from "../../support/tasks.ts";

const parsed = parseConfig({ budgets: { per_milestone: { max_ticks: 2 } } });
if (parsed.kind === "invalid") throw new Error("the fixture is no configuration");
const config = parsed.value;
const system = SHIPPED_PROMPTS["orchestrator.system.txt"] ?? "";
const user = SHIPPED_PROMPTS["orchestrator.user.txt"] ?? "";

const stateAfter = (...ticks: Parameters<typeof journalOf>[0]) => foldWorkspaceState(journalOf(ticks), config.budgets);

const FACTS: PlanFacts = {
  config,
  goal: "Become a good parser.",
  facts: "Tabs are four columns.",
  branch: "work",
  commit: "a".repeat(40),
  state: stateAfter(),
  lastReport: "",
  blocked: null,
};

const promptOf = (facts: Partial<PlanFacts> = {}, rejection: { message: string; excerpt: string } | null = null) =>
  composeOrchestratorPrompt({ system, user, facts: { ...FACTS, ...facts }, rejection });

test("two prompts in a row begin alike, through everything that rarely changes", () => {
  const first = promptOf();
  const second = promptOf({
    state: stateAfter({ kind: "accepted" }),
    commit: "b".repeat(40),
    lastReport: "# success: SUCCESS",
    blocked: { code: "BLOCKED_BUDGET_CAP" },
  });
  expect(second.system).toBe(first.system);
  let shared = 0;
  while (first.user[shared] === second.user[shared]) shared += 1;
  const stable = first.user.slice(0, shared);
  for (const text of ["Become a good parser.", "typecheck: pnpm", "always forbidden: ", "Tabs are four columns."])
    expect(stable).toContain(text);
  expect(stable).toContain("## Open question");
});

test("what was wrong with an answer comes behind everything else", () => {
  const first = promptOf();
  const again = promptOf({}, { message: "scope: is missing", excerpt: "Sure! ```" });
  expect(again.user.startsWith(first.user)).toBe(true);
  expect(again.user.slice(first.user.length)).toContain("scope: is missing");
  expect(again.user.slice(first.user.length)).toContain("````\nSure! ```\n````");
  expect(again.bytes).toMatchObject({ rejection: countBytes(again.user) - countBytes(first.user) });
});

test("the sections are measured, and each has a cap", () => {
  const { bytes, user: text } = promptOf({ goal: "long\n".repeat(100_000), facts: "x".repeat(500_000) });
  expect(bytes["total"]).toBe(countBytes(system) + countBytes(text));
  expect(bytes["goal"]).toBeLessThan(17_000);
  expect(bytes["facts"]).toBeLessThan(17_000);
  expect(text).toContain("of 499999 bytes)");
});

test("milestone, budgets, question and what blocked are told", () => {
  const { user: text } = promptOf({
    state: {
      ...stateAfter({ milestone: 7 }, { milestone: 7 }),
      open_question: {
        run_id: "20260131T235959Z-00000000",
        asked_at: "2026-01-31T23:59:59.000Z",
        prompt: "Which one?",
        choices: ["this", "that"],
        answer: "that",
      },
    },
    blocked: { code: "BLOCKED_BUDGET_CAP", cause: "ticks" },
  });
  expect(text).toContain("```\nM-7\n```");
  expect(text).toContain("left of this milestone: ticks 0, ");
  expect(text).toContain("Budget critical: ticks of this milestone: 2 of 2 used.");
  expect(text).toContain("Question: Which one?\n1. this\n2. that\nAnswer: that");
  expect(text).toContain('"code": "BLOCKED_BUDGET_CAP"');
});

test("the examples of the prompt are tasks", () => {
  const examples = [...system.matchAll(/^\{\n[\s\S]*?^\}$/gm)].map(([text]) => text);
  expect(examples).toHaveLength(3);
  for (const text of examples) expect(readTaskAnswer(Buffer.from(text))).toMatchObject({ kind: "task" });
});

test("a builder is told the task and its limits as they will be applied", () => {
  const task = v.parse(Task, { ...executeTask, intent: "Say ```{{TASK_JSON}}```." });
  const rules = combineRules(config, executeTask);
  const text = composeBuilderPrompt(SHIPPED_PROMPTS["builder.user.txt"] ?? "", task, rules);
  expect(text).toContain('"intent": "Say ```{{TASK_JSON}}```."');
  expect(text).toContain("```\nsrc/**\n```");
  expect(text).toContain("**/.env*");
  expect(text).toContain("- new files allowed: false");
  expect(text).toContain("- at most 3 files and 40 changed lines");
});
