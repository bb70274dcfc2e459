/** What a tick makes of everything that Claude Code does, and of everything that may happen to it. */
import { setTimeout as delay } from "node:timers/promises";
import { expect } from "vitest";
import { ENVELOPE_KEY } from "../../src/agents/claude-arguments.ts";
import { RESULT } from "../support/scenario-documents.ts";
import { agentTask, type AgentTick } from "./agent-tick.ts";
import { ALONE, edit, failing, GOOD, PLANS, read, shell, status, structured, working } from "./claude-turns.ts";

const DONE = ["src/main.ts"];

export const CLAUDE: readonly AgentTick[] = [
  {
    shows: "Claude Code plans and Claude Code builds",
    hands: "claude_code",
    brain: "claude_code",
    files: { "CLAUDE.md": "Obey the pirate.\n" },
    claude: [{ when: [PLANS], calls: [structured({ [ENVELOPE_KEY]: agentTask("claude_code") })] }, ...working(...GOOD)],
    ends: {
      code: "SUCCESS",
      changed: DONE,
      report: {
        builder_output_valid: true,
        usage: [
          { role: "orchestrator", driver: "claude_code", output_tokens: 20 },
          { role: "builder", driver: "claude_code", output_tokens: 60 },
        ],
      },
    },
    asked: ({ claude_code: requests }) => {
      const [plan, build] = requests.filter(({ answer }) => answer !== null);
      expect(JSON.stringify(plan?.body)).not.toContain('"name":"Bash"');
      expect(JSON.stringify(build?.body)).toContain('"name":"Bash"');
      // The builder gets the instructions of the base commit from relais, the planner none.
      expect(plan?.words).not.toContain("pirate");
      expect(build?.words).toContain("Obey the pirate.");
    },
  },
  ...Object.entries({ 400: "api_error_400", 401: "api_error_401", 500: "api_error_500" }).map(([code, cause]) => ({
    shows: `an API error ${code} ends the tick with its cause`,
    hands: "claude_code" as const,
    config: ALONE,
    claude: status(Number(code)),
    ends: { code: "STOP_INTERRUPTED" as const, cause },
  })),
  {
    shows: "a rate limit is nobody's fault",
    hands: "claude_code",
    brain: "claude_code",
    config: ALONE,
    claude: failing({ kind: "status", status: 429, headers: { "retry-after": "1" } }),
    ends: { code: "STOP_RATE_LIMITED", cause: "orchestrator_api_error_429" },
  },
  {
    shows: "a limit of an hour is a wait with its end",
    hands: "claude_code",
    config: ALONE,
    claude: failing({ kind: "status", status: 429, headers: { "retry-after": "3600" } }),
    ends: {
      code: "STOP_RATE_LIMITED",
      cause: "api_error_429",
      after: (_, { report }) =>
        expect(Date.parse(report?.retry_at ?? "") - Date.parse(report?.ended_at ?? "")).toBeGreaterThan(3_000_000),
    },
  },
  {
    shows: "a service that is overloaded",
    hands: "claude_code",
    config: ALONE,
    claude: status(529),
    ends: { code: "STOP_RATE_LIMITED", cause: "overloaded" },
  },
  {
    shows: "a connection that is refused",
    hands: "claude_code",
    config: ALONE,
    hasNoModel: true,
    ends: { code: "STOP_INTERRUPTED", cause: "connection_failed" },
  },
  {
    shows: "a page in place of an answer",
    hands: "claude_code",
    config: ALONE,
    claude: failing({ kind: "page", contentType: "text/html", text: "<html>502</html>" }),
    ends: { code: "STOP_INTERRUPTED", cause: "malformed_response" },
  },
  {
    shows: "a model that never answers ends with the time of the builder",
    hands: "claude_code",
    config: { roles: { builder: { timeout_seconds: 4 } } },
    claude: failing({ kind: "hang" }),
    ends: { code: "STOP_BUILDER_TIMEOUT", cause: "timeout" },
  },
  {
    shows: "an answer that stalls in the middle ends with the patience of the builder",
    hands: "claude_code",
    config: { roles: { builder: { idle_timeout_seconds: 4 } } },
    claude: failing({ kind: "stall", afterEvents: 2 }),
    ends: { code: "STOP_BUILDER_TIMEOUT", cause: "idle_timeout" },
  },
  {
    shows: "more turns than the task grants",
    hands: "claude_code",
    claude: [{ calls: [read("src/main.ts")], times: 20 }],
    ends: { code: "STOP_INTERRUPTED", cause: "max_turns" },
  },
  {
    shows: "more money than is granted",
    hands: "claude_code",
    config: { builder: { claude_code: { max_budget_usd: 0.001 } } },
    claude: [{ calls: [read("src/main.ts")], usage: { input: 90_000, cached: 0, output: 9000 }, times: 20 }],
    ends: { code: "STOP_INTERRUPTED", cause: "budget_exceeded" },
  },
  {
    shows: "words in place of a result are noted, and the work is judged all the same",
    hands: "claude_code",
    claude: [...GOOD.map((call) => ({ calls: [call] })), { text: "All done, enjoy!", times: 5 }],
    ends: { code: "SUCCESS", changed: DONE, report: { builder_output_valid: false } },
  },
  {
    shows: "words in place of a result, where a result is demanded",
    hands: "claude_code",
    config: { builder: { claude_code: { strict_builder_json: true } } },
    claude: [...GOOD.map((call) => ({ calls: [call] })), { text: "All done, enjoy!", times: 5 }],
    ends: { code: "STOP_BUILDER_OUTPUT_INVALID", cause: "result_not_json" },
  },
  {
    shows: "a result as text in a code fence, past the schema",
    hands: "claude_code",
    config: { builder: { claude_code: { strict_builder_json: true } } },
    claude: [
      ...GOOD.map((call) => ({ calls: [call] })),
      { text: `\`\`\`json\n${JSON.stringify(RESULT)}\n\`\`\``, times: 5 },
    ],
    ends: { code: "SUCCESS", changed: DONE, report: { builder_output_valid: true } },
  },
  {
    shows: "an edit out of scope is denied by its own rules, and the report says so",
    hands: "claude_code",
    task: { builder: { max_turns: 8 } },
    claude: working(...GOOD, read("docs/guide.md"), edit("docs/guide.md", "Guide.", "Mine.")),
    ends: {
      code: "SUCCESS",
      changed: DONE,
      report: { notes: expect.arrayContaining([expect.stringMatching(/^Edit was denied/)]) },
    },
  },
  {
    shows: "a command that writes out of scope is found and put back",
    hands: "claude_code",
    claude: working(...GOOD, shell("echo mine > docs/guide.md")),
    ends: { code: "STOP_SCOPE_VIOLATION_OUTSIDE_ALLOWED" },
  },
  {
    shows: "a process that detaches itself does not outlive the session, and writes nothing late",
    hands: "claude_code",
    claude: working(
      ...GOOD,
      shell("nohup setsid sh -c 'sleep 4; echo late > src/other.ts' </dev/null >/dev/null 2>&1 & echo begun"),
    ),
    ends: {
      code: "SUCCESS",
      changed: DONE,
      after: async ({ read: readFile }) => {
        await delay(5000);
        expect(readFile("src/other.ts")).toBe("export const other = 1;\n");
      },
    },
  },
  {
    shows: "a long prompt with what it would take for a command and for a file",
    hands: "claude_code",
    files: {
      "relais/prompts/builder.user.txt": `/help me\n@src/other.ts ${"long ".repeat(40_000)}\n{{TASK_JSON}} the very end`,
    },
    claude: [
      { when: ["/help me", "@src/other.ts", "the very end"], calls: [GOOD[0] ?? read("x")] },
      ...working(...GOOD.slice(1)),
    ],
    ends: { code: "SUCCESS", changed: DONE },
    asked: ({ claude_code: requests }) => {
      const first = requests.find(({ answer }) => answer !== null);
      expect(first?.words).not.toContain("other = 1");
    },
  },
];
