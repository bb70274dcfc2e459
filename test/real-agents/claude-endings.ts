/** How a session of Claude Code can end besides well, and what the tick says then. */
import { expect } from "vitest";
import { ENVELOPE_KEY } from "../../src/agents/claude-arguments.ts";
import { RESULT } from "../support/scenario-documents.ts";
import { agentTask, type AgentTick } from "./agent-tick.ts";
import { ALONE, BUILDS, failing, GOOD, PLANS, shell, status, structured, working } from "./claude-turns.ts";

const DONE = ["src/main.ts"];

/** A program in front of the real one that changes its arguments: `a` is one of them, `before` the one before. */
function inFront(change: string): Pick<AgentTick, "config" | "files"> {
  const lines = [
    "#!/bin/sh",
    "left=$#; before=",
    'while [ "$left" -gt 0 ]; do',
    "a=$1; shift; left=$((left - 1))",
    change,
    'before=$a; set -- "$@" "$a"',
    "done",
    'exec claude "$@"',
    "",
  ];
  return {
    config: { claude_code_cli: { command: "tools/claude" }, ...ALONE },
    files: { "tools/claude": lines.join("\n") },
  };
}

/** As a program does that leaves a schema out without a word, which some versions do with what they do not know. */
const DROPPED_SCHEMA = inFront('if [ "$a" = --json-schema ]; then shift; left=$((left - 1)); continue; fi');
const withoutSchema: NonNullable<AgentTick["asked"]> = ({ claude_code: requests }) => {
  for (const { body } of requests) expect(JSON.stringify(body)).not.toContain('"name":"StructuredOutput"');
};
const task = agentTask("claude_code");

export const CLAUDE_ENDINGS: readonly AgentTick[] = [
  {
    shows: "a schema that is left out without a word: a plan and a result in plain text are read all the same",
    hands: "claude_code",
    brain: "claude_code",
    ...DROPPED_SCHEMA,
    claude: [
      { when: [PLANS], json: task },
      ...GOOD.map((call) => ({ when: [BUILDS], calls: [call] })),
      { when: [BUILDS], json: RESULT },
    ],
    ends: { code: "SUCCESS", changed: DONE, report: { builder_output_valid: true } },
    asked: withoutSchema,
  },
  {
    shows: "a schema that is left out without a word, and words in place of a plan",
    hands: "claude_code",
    brain: "claude_code",
    ...DROPPED_SCHEMA,
    claude: [{ when: [PLANS], text: "Let us talk about it.", times: 2 }],
    ends: { code: "BLOCKED_ORCHESTRATOR_OUTPUT_INVALID", cause: "answer_not_json" },
    asked: withoutSchema,
  },
  {
    shows: "a schema that is left out without a word, and a plan that breaks it",
    hands: "claude_code",
    brain: "claude_code",
    ...DROPPED_SCHEMA,
    claude: [
      { when: [PLANS], json: { task_id: "T-1", surprise: true } },
      { when: [PLANS], json: task },
      ...GOOD.map((call) => ({ when: [BUILDS], calls: [call] })),
      { when: [BUILDS], json: RESULT },
    ],
    ends: { code: "SUCCESS", changed: DONE, report: { budgets: { orchestrator_calls: 2 } } },
  },
  {
    shows: "words in place of a plan, twice",
    hands: "claude_code",
    brain: "claude_code",
    claude: [{ when: [PLANS], text: "Let us talk about it.", times: 8 }],
    ends: { code: "BLOCKED_ORCHESTRATOR_OUTPUT_INVALID" },
  },
  {
    shows: "a plan that never satisfies the schema",
    hands: "claude_code",
    brain: "claude_code",
    config: { orchestrator: { max_turns: 20 } },
    claude: [{ when: [PLANS], calls: [structured({ [ENVELOPE_KEY]: { task_id: 1 } })], times: 20 }],
    ends: { code: "STOP_INTERRUPTED", cause: "orchestrator_schema_unsatisfied" },
  },
  {
    shows: "JSON that breaks off, where a result is demanded",
    hands: "claude_code",
    config: { builder: { claude_code: { strict_builder_json: true } } },
    claude: [...GOOD.map((call) => ({ calls: [call] })), { text: '{"summary": "It is', times: 5 }],
    ends: { code: "STOP_BUILDER_OUTPUT_INVALID", cause: "result_not_json" },
  },
  {
    shows: "a model that does not exist",
    hands: "claude_code",
    config: { ...ALONE, roles: { builder: { model: "nope-model-9" } } },
    claude: status(404, { message: "model: nope-model-9" }),
    ends: { code: "STOP_INTERRUPTED", cause: "model_unavailable" },
  },
  {
    shows: "a model that is overloaded gives way to the one that was named for that",
    hands: "claude_code",
    config: { models: { builder_model: "sonnet", builder_fallback_model: "haiku" } },
    claude: [
      { fault: { kind: "status", status: 529, headers: { "retry-after": "0" } }, times: 3 },
      ...working(...GOOD),
    ],
    ends: { code: "SUCCESS", changed: DONE },
    asked: ({ claude_code: requests }) => {
      const models = requests.map(({ body }) => String(Object(body)["model"] ?? ""));
      expect(models.some((name) => name.includes("sonnet"))).toBe(true);
      expect(models.at(-1)).toContain("haiku");
    },
  },
  {
    shows: "a connection that is dropped",
    hands: "claude_code",
    config: ALONE,
    claude: failing({ kind: "drop" }),
    ends: { code: "STOP_INTERRUPTED", cause: "connection_failed" },
  },
  {
    shows: "an answer that breaks off once is asked for again",
    hands: "claude_code",
    config: ALONE,
    claude: [{ when: [BUILDS], fault: { kind: "cut", afterEvents: 2 } }, ...working(...GOOD)],
    ends: { code: "SUCCESS", changed: DONE },
  },
  {
    shows: "an answer that breaks off again and again",
    hands: "claude_code",
    config: ALONE,
    claude: failing({ kind: "cut", afterEvents: 2 }),
    ends: { code: "STOP_INTERRUPTED", cause: "connection_failed" },
  },
  {
    shows: "a model that refuses",
    hands: "claude_code",
    config: ALONE,
    claude: [{ text: "I cannot help with that.", stop: "refusal", times: 5 }],
    ends: { code: "STOP_INTERRUPTED", cause: "refusal" },
  },
  {
    shows: "an answer that is longer than a model may answer",
    hands: "claude_code",
    config: ALONE,
    claude: [{ text: "On and on", stop: "max_tokens", times: 9 }],
    ends: { code: "STOP_INTERRUPTED", cause: "max_tokens" },
  },
  {
    shows: "nobody is logged in",
    hands: "claude_code",
    env: { ANTHROPIC_API_KEY: undefined },
    ends: { code: "BLOCKED_MISSING_CONFIG", cause: "not_logged_in" },
  },
  {
    shows: "an option that the program does not know",
    hands: "claude_code",
    ...inFront('[ "$a" = --strict-mcp-config ] && a=--no-such-flag'),
    ends: { code: "STOP_INTERRUPTED", cause: "usage_error", message: /no-such-flag/ },
  },
  {
    shows: "a program that is not there is said so",
    hands: "claude_code",
    config: { claude_code_cli: { command: "claude-that-nobody-installed" } },
    ends: { code: "BLOCKED_BUILDER_COMMAND_NOT_FOUND", cause: "not_found" },
  },
  ...(["TERM", "HUP", "INT"] as const).map((signal) => ({
    shows: `SIG${signal} from somebody else, while a request is under way`,
    hands: "claude_code" as const,
    claude: [
      { calls: [shell(`(sleep 1; kill -${signal} $PPID) >/dev/null 2>&1 & echo soon`)] },
      { fault: { kind: "hang" as const }, times: 5 },
    ],
    ends: { code: "STOP_INTERRUPTED" as const, cause: "interrupted" },
  })),
  {
    shows: "a kill from somebody else",
    hands: "claude_code",
    claude: [{ calls: [shell("kill -KILL $PPID; sleep 30")] }],
    ends: { code: "STOP_INTERRUPTED", cause: "signal_SIGKILL" },
  },
];
