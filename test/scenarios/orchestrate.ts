/** Ticks whose task is proposed by an orchestrator: what it is told, and what it answers. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import { calls, CONTROL, DONE, firstThen, invalid, PROPOSE, QUESTION, TASK_FILE } from "../support/planning.ts";
import type { Scenario } from "../support/scenario.ts";
import { GOOD_EDIT, RESULT } from "../support/scenario-documents.ts";

export const ORCHESTRATE: readonly Scenario[] = [
  {
    shows: "an orchestrator changes nothing at all, build output included",
    brain: `mkdir -p dist\necho x > dist/x\n${PROPOSE}`,
    ends: { code: "STOP_IGNORED_MUTATION", cause: "orchestrator_wrote", report: calls(1, 0) },
  },
  {
    shows: "an orchestrator deletes an ignored file and asks a question",
    brain: `rm debug.log\n${PROPOSE}`,
    task: QUESTION,
    ends: { code: "STOP_QUESTION_SIDE_EFFECTS", report: calls(1, 0) },
  },
  ...[["**"], ["src/**", "notes/**"]].map((allowed_globs): Scenario => ({
    shows: `a plan that allows ${allowed_globs.join(" ")} does not go beyond the configuration`,
    brain: PROPOSE,
    files: { "notes/a.md": "a\n" },
    task: { scope: { allowed_globs } },
    steps: [GOOD_EDIT, { do: "write", path: "notes/a.md", text: "b\n" }],
    ends: {
      code: "STOP_SCOPE_VIOLATION_OUTSIDE_ALLOWED",
      report: { findings_total: 1, findings: [{ subject: "notes/a.md" }] },
    },
  })),
  {
    shows: "F001: a proposed task is built with one call each",
    keys: ["roles.orchestrator.driver", "orchestrator.command.command", "orchestrator.command.args"],
    config: { roles: { orchestrator: { driver: "command" } }, orchestrator: { command: { command: "sh" } } },
    brain: PROPOSE,
    ends: {
      code: "SUCCESS",
      changed: DONE,
      report: { ...calls(1, 1), task: { task_id: "T-1" }, verification: { runs_total: 2 } },
      after: ({ read }, { report }) => {
        const folder = `${report?.pointers.history_dir}`;
        const prompt = read(`${folder}/orchestrator.prompt.txt`);
        expect(prompt).toContain("You plan for relais");
        expect(prompt).toContain("Facts.");
        expect(prompt).toContain("find: grep -q {{word}} src/main.ts; parameters: word (string_token)");
        const bytes = report?.prompt_bytes ?? {};
        expect(Object.keys(bytes).join(" ")).toBe(
          "system goal checks limits facts answer blocked milestone last_report budgets git_status total",
        );
        expect(bytes["total"]).toBe(Buffer.byteLength(prompt) - 2);
        expect(JSON.parse(read(`${folder}/meta.json`))).toMatchObject({
          drivers: { orchestrator: "command", builder: "scripted" },
          prompt_sha256: { "orchestrator.user.txt": expect.stringMatching(/^[0-9a-f]{64}$/) },
        });
        expect(JSON.parse(read(`${folder}/task.json`))).toMatchObject({ task_id: "T-1" });
      },
    },
  },
  {
    shows: "a script proposes the task",
    keys: ["orchestrator.scripted.script"],
    brain: "exit 9\n",
    config: {
      roles: { orchestrator: { driver: "scripted" } },
      orchestrator: { scripted: { script: "docs/plan.json" } },
    },
    files: {
      "docs/plan.json": JSON.stringify({
        steps: [
          { do: "run", argv: ["sh", "-c", 'grep -q "Goal of the project" "$RELAIS_PROMPT_PATH"'] },
          {
            do: "result",
            content: { task_id: "T-2", milestone_id: "M-1", control: { action: "stop", reason: "Done." } },
          },
        ],
      }),
    },
    ends: { code: "SUCCESS", report: { ...calls(1, 0), task: { task_id: "T-2", task_kind: null } } },
  },
  {
    shows: "what an orchestrator is told, and where",
    keys: ["models.orchestrator_model"],
    config: { models: { orchestrator_model: "large" } },
    brain: [
      'test "$RELAIS_ROLE" = orchestrator -a "$RELAIS_MODEL" = large -a -z "$RELAIS_TASK_PATH" || exit 8',
      'cmp -s - "$RELAIS_PROMPT_PATH" || exit 7',
      'grep -q control "$RELAIS_SCHEMA_PATH" && test -d "$RELAIS_DROP" || exit 6',
      PROPOSE,
    ].join("\n"),
    ends: { code: "SUCCESS", changed: DONE },
  },
  {
    shows: "the model of the role wins",
    keys: ["roles.orchestrator.model"],
    config: { roles: { orchestrator: { model: "small" } } },
    brain: `test "$RELAIS_MODEL" = small || exit 8\n${PROPOSE}`,
    ends: { code: "SUCCESS", changed: DONE },
  },
  {
    shows: "an answer on standard output, in a code fence",
    brain: `echo '\`\`\`json'; cat ${TASK_FILE}; echo; echo '\`\`\`'\n`,
    ends: { code: "SUCCESS", changed: DONE, report: calls(1, 1) },
  },
  {
    shows: "a builder's program that plans too, as its role says",
    brain: "exit 9\n",
    config: { orchestrator: { command: undefined } },
    program: [
      'if [ "$RELAIS_ROLE" = orchestrator ]; then cat "${0%/*}/task.json"; exit; fi',
      'grep -q "Set the answer to 42" "$RELAIS_PROMPT_PATH" || exit 7',
      `echo "answer = 42" > src/main.ts`,
      `printf '%s' '${JSON.stringify(RESULT)}' > "$RELAIS_RESULT_PATH"`,
    ].join("\n"),
    ends: { code: "SUCCESS", changed: DONE, report: calls(1, 1) },
  },
  {
    shows: "F001: an answer that is no task is asked for once more, with the reason",
    brain: firstThen(
      'echo "I would rather talk about it."',
      `grep -q "could not be used" "$RELAIS_PROMPT_PATH" && grep -q "rather talk" "$RELAIS_PROMPT_PATH" || exit 9\n${PROPOSE}`,
    ),
    ends: {
      code: "SUCCESS",
      changed: DONE,
      report: { ...calls(2, 1), prompt_bytes: { rejection: expect.any(Number) } },
    },
  },
  {
    shows: "F002: no JSON, twice",
    brain: 'echo "No."\n',
    ends: {
      ...invalid("answer_not_json", /expected `\{`[\s\S]*The answer began: No\./),
      after: ({ read }) =>
        expect(JSON.parse(read("relais/BLOCKED.json"))).toMatchObject({
          code: "BLOCKED_ORCHESTRATOR_OUTPUT_INVALID",
          message: expect.stringContaining("The answer began: No."),
        }),
    },
  },
  {
    shows: "no second attempt where the configuration wants none",
    keys: ["orchestrator.max_parse_retries_per_tick"],
    config: { orchestrator: { max_parse_retries_per_tick: 0 } },
    brain: 'echo "No."\n',
    ends: { code: "BLOCKED_ORCHESTRATOR_OUTPUT_INVALID", report: calls(1, 0) },
  },
  {
    shows: "a task with a key too many and one too few names both",
    brain: PROPOSE,
    task: { colour: "red", scope: undefined },
    ends: invalid("answer_invalid", /scope[\s\S]*colour|colour[\s\S]*scope/),
  },
  {
    shows: "a task with words after it",
    brain: `cat ${TASK_FILE}; echo "I hope this helps."\n`,
    ends: invalid("answer_not_json", /text after the object/),
  },
  {
    shows: "a task that says one thing twice",
    brain: `printf '{"task_id":"a","task_id":"b"}'\n`,
    ends: invalid("answer_duplicate_key"),
  },
  {
    shows: "a key that reaches for a prototype",
    brain: `printf '{"task_id":"a","__proto__":{"x":1}}'\n`,
    ends: invalid("answer_unsafe_key"),
  },
  {
    shows: "an answer that is not UTF-8, with what hides in it made visible",
    brain: `printf '\\377\\376\\033[2J' > "$RELAIS_RESULT_PATH"\n`,
    ends: invalid("answer_not_utf8", /\\u\{1b\}\[2J$/),
  },
  {
    shows: "an answer that is nested without end",
    brain: `printf '{"a":%0.s' $(seq 1 2000)\n`,
    ends: invalid("answer_too_deep"),
  },
  {
    shows: "an enormous answer",
    brain: "head -c 3000000 /dev/zero | tr '\\0' x\n",
    ends: invalid("result_too_large"),
  },
  { shows: "no answer at all", brain: "true\n", ends: invalid("result_missing") },
  {
    shows: "a proposed task for a builder that nobody configured",
    brain: PROPOSE,
    task: { builder: { mode: "codex" } },
    ends: invalid("builder_mode_not_configured"),
  },
  {
    shows: "a proposed task with a check that does not exist is not asked for again",
    brain: PROPOSE,
    task: { verification: { fast: ["nothing"], slow: [] } },
    ends: { code: "STOP_VERIFY_TAINTED", report: calls(1, 0) },
  },
  {
    shows: "a proposed question waits for a person",
    brain: PROPOSE,
    task: QUESTION,
    ends: {
      code: "STOP_QUESTION",
      report: { ...calls(1, 0), question: { prompt: "Which one?", choices: ["this", "that"] } },
    },
  },
  {
    shows: "a proposed task that only runs the checks",
    brain: PROPOSE,
    task: { task_kind: "verify_only", verification: { fast: ["green"], slow: [] }, builder: undefined },
    ends: { code: "SUCCESS", report: { ...calls(1, 0), verification: { runs_total: 1 } } },
  },
  {
    shows: "an orchestrator that has reached the goal",
    brain: PROPOSE,
    task: { ...CONTROL, control: { action: "stop", reason: "All is done." } },
    ends: { code: "SUCCESS", report: { ...calls(1, 0), blast_radius: { files_touched: 0 } } },
  },
  {
    shows: "an orchestrator that has nothing to do",
    brain: PROPOSE,
    task: { ...CONTROL, control: { action: "continue" } },
    ends: { code: "SUCCESS", report: calls(1, 0) },
  },
  {
    shows: "a proposed task whose builder leaves its scope",
    brain: PROPOSE,
    steps: [GOOD_EDIT, { do: "append", path: "README.md", text: "more\n" }],
    ends: { code: "STOP_SCOPE_VIOLATION_OUTSIDE_ALLOWED", report: calls(1, 1) },
  },
  {
    shows: "a prompt of the project's own, with what looks like a slot in its data",
    keys: ["orchestrator.user_prompt_file", "orchestrator.system_prompt_file"],
    config: {
      orchestrator: { user_prompt_file: "docs/ask.txt", system_prompt_file: "docs/role.txt" },
    },
    files: {
      "docs/ask.txt": "<{{FACTS_MD}}>\n",
      "docs/role.txt": "Plan.\n",
      "relais/FACTS.md": "See {{PROJECT_GOAL}}.\n",
    },
    brain: `cat > "$HOME/told"\n${PROPOSE}`,
    ends: {
      code: "SUCCESS",
      changed: DONE,
      after: ({ box }) =>
        expect(readFileSync(join(box, "home", "told"), "utf8")).toBe("Plan.\n\n\n<```\nSee {{PROJECT_GOAL}}.\n```>\n"),
    },
  },
  {
    shows: "a schema of the project's own is what the orchestrator is given",
    keys: ["orchestrator.task_schema_file"],
    config: { orchestrator: { task_schema_file: "docs/task.json" } },
    files: { "docs/task.json": '{ "title": "narrower" }' },
    brain: `grep -q narrower "$RELAIS_SCHEMA_PATH" || exit 9\n${PROPOSE}`,
    ends: { code: "SUCCESS", changed: DONE },
  },
  {
    shows: "an orchestrator's program that writes its answer where it insists on",
    keys: ["orchestrator.command.output_file"],
    config: { orchestrator: { command: { output_file: "out/task.json" } } },
    brain: `mkdir -p out && cat ${TASK_FILE} > out/task.json\n`,
    ends: { code: "SUCCESS", changed: DONE, after: ({ has }) => expect(has("out")).toBe(false) },
  },
  {
    shows: "a prompt with a slot that nobody fills in",
    config: { orchestrator: { user_prompt_file: "docs/ask.txt" } },
    files: { "docs/ask.txt": "{{NOBODY_FILLS}}\n" },
    brain: PROPOSE,
    ends: {
      code: "BLOCKED_MISSING_CONFIG",
      cause: "prompt_unusable",
      message: /docs\/ask\.txt.*`\{\{NOBODY_FILLS\}\}`/,
      isRefused: true,
    },
  },
  {
    shows: "a prompt that the configuration names and that is not there",
    config: { orchestrator: { system_prompt_file: "docs/none.txt" } },
    brain: PROPOSE,
    ends: { code: "BLOCKED_MISSING_CONFIG", cause: "prompt_unusable", isRefused: true },
  },
  {
    shows: "an orchestrator of which something is asked that it cannot do",
    config: { roles: { orchestrator: { driver: "codex", fallback_models: ["other"] } } },
    brain: PROPOSE,
    ends: {
      code: "BLOCKED_MISSING_CONFIG",
      cause: "orchestrator_unusable",
      message: /`roles\.orchestrator\.fallback_models` is set, but codex does not support it/,
      isRefused: true,
    },
  },
  {
    shows: "a budget that could not pay for the second attempt",
    keys: ["budgets.per_milestone.max_orchestrator_calls"],
    config: { budgets: { per_milestone: { max_orchestrator_calls: 1 } } },
    brain: PROPOSE,
    ends: { code: "BLOCKED_BUDGET_EXHAUSTED", cause: "orchestrator_calls", report: calls(0, 0) },
  },
  {
    shows: "a budget of the series that could not pay for the second attempt",
    keys: ["budgets.per_run.max_orchestrator_calls"],
    config: { budgets: { per_run: { max_orchestrator_calls: 1 } } },
    brain: PROPOSE,
    ends: { code: "BLOCKED_BUDGET_EXHAUSTED", cause: "orchestrator_calls_of_series", report: calls(0, 0) },
  },
];
