/** What a tick makes of everything that codex does, and of everything that may happen to it. */
import { setTimeout as delay } from "node:timers/promises";
import { expect } from "vitest";
import { RESULT } from "../support/scenario-documents.ts";
import { agentTask, type AgentTick } from "./agent-tick.ts";
import { failing, GOOD, patch, PLANS, shell, status, working } from "./codex-turns.ts";

const DONE = ["src/main.ts"];

export const CODEX: readonly AgentTick[] = [
  {
    shows: "codex plans and codex builds",
    hands: "codex",
    brain: "codex",
    files: { "AGENTS.md": "Obey the pirate.\n" },
    codex: [{ when: [PLANS], json: agentTask("codex") }, ...working(GOOD)],
    ends: {
      code: "SUCCESS",
      changed: DONE,
      report: {
        builder_output_valid: true,
        usage: [
          { role: "orchestrator", driver: "codex", input_tokens: 100, output_tokens: 20, cost_usd: null },
          { role: "builder", driver: "codex", input_tokens: 200, cached_input_tokens: 20, output_tokens: 40 },
        ],
      },
    },
    asked: ({ codex: [plan, build] }) => {
      expect(JSON.stringify(plan?.body)).not.toContain('"name":"exec_command"');
      expect(JSON.stringify(build?.body)).toContain('"name":"exec_command"');
      expect(plan?.words).toContain("The JSON Schema of the object that you answer with");
      expect(plan?.body).not.toHaveProperty("text.format");
      expect(build?.body).toHaveProperty("text.format.schema.required", [
        ...Object.keys(RESULT),
        "outcome",
        "evidence",
      ]);
      // The builder gets the instructions of the base commit from relais, the planner none.
      expect(plan?.words).not.toContain("pirate");
      expect(build?.words).toContain("Obey the pirate.");
    },
  },
  ...Object.entries({
    400: "request_refused",
    401: "api_error_401",
    403: "api_error_403",
    500: "server_error",
  }).map(([code, cause]) => ({
    shows: `an API error ${code} ends the tick with its cause`,
    hands: "codex" as const,
    codex: status(Number(code)),
    ends: { code: "STOP_INTERRUPTED" as const, cause },
  })),
  {
    shows: "a model that does not exist",
    hands: "codex",
    config: { roles: { builder: { model: "gpt-nothing" } } },
    codex: status(404, { message: "The model gpt-nothing does not exist", code: "model_not_found" }),
    ends: { code: "STOP_INTERRUPTED", cause: "model_unavailable" },
    asked: ({ codex: [request] }) => expect(request?.body).toMatchObject({ model: "gpt-nothing" }),
  },
  {
    shows: "an orchestrator that fails names itself in the cause",
    hands: "codex",
    brain: "codex",
    codex: status(401),
    ends: { code: "STOP_INTERRUPTED", cause: "orchestrator_api_error_401" },
  },
  {
    shows: "a rate limit is nobody's fault",
    hands: "codex",
    codex: failing({ kind: "status", status: 429, headers: { "retry-after": "1" } }),
    ends: { code: "STOP_RATE_LIMITED", cause: "api_error_429" },
  },
  {
    shows: "a limit of an hour is a wait with its end, and no timeout",
    hands: "codex",
    config: {
      roles: { builder: { timeout_seconds: 100 } },
      builder: { codex: { args: ["-c", "model_providers.scripted.stream_max_retries=5"] } },
    },
    codex: failing({ kind: "status", status: 429, headers: { "retry-after": "3600" } }),
    ends: {
      code: "STOP_RATE_LIMITED",
      cause: "api_error_429",
      after: (_, { report }) => {
        const leftMs = Date.parse(report?.retry_at ?? "") - Date.parse(report?.ended_at ?? "");
        expect(leftMs).toBeGreaterThan(3_000_000);
        expect(leftMs).toBeLessThanOrEqual(3_600_000);
      },
    },
  },
  {
    shows: "turns that are used up end the session, and the work is kept",
    hands: "codex",
    config: { roles: { builder: { max_turns: 2 } } },
    codex: working(GOOD, shell("echo two"), shell("echo three"), shell("echo four")),
    ends: {
      code: "STOP_INTERRUPTED",
      cause: "max_turns",
      message: /its 2 turns are set by `roles\.builder\.max_turns`/,
      after: (_, { report }) => expect(report?.pointers.salvage).toBeDefined(),
    },
  },
  {
    shows: "a usage limit of the account, and when it is lifted",
    hands: "codex",
    brain: "codex",
    codex: status(429, { type: "usage_limit_reached", plan_type: "plus", resets_at: 4_000_000_000 }),
    ends: {
      code: "STOP_RATE_LIMITED",
      cause: "orchestrator_usage_limit",
      message: /try again at Oct 2nd, 2096/,
    },
  },
  {
    shows: "a model at its capacity",
    hands: "codex",
    codex: status(503, { code: "server_is_overloaded" }),
    ends: { code: "STOP_RATE_LIMITED", cause: "overloaded" },
  },
  {
    shows: "a connection that is refused is not tried for ever",
    hands: "codex",
    hasNoModel: true,
    ends: { code: "STOP_INTERRUPTED", cause: "connection_failed" },
  },
  {
    shows: "a connection that is dropped",
    hands: "codex",
    codex: failing({ kind: "drop" }),
    ends: { code: "STOP_INTERRUPTED", cause: "connection_failed" },
  },
  {
    shows: "an answer that breaks off",
    hands: "codex",
    codex: failing({ kind: "cut", afterEvents: 2 }),
    ends: { code: "STOP_INTERRUPTED", cause: "stream_cut" },
  },
  {
    shows: "a page in place of an answer",
    hands: "codex",
    codex: failing({ kind: "page", contentType: "text/html", text: "<html>502</html>" }),
    ends: { code: "STOP_INTERRUPTED", cause: "stream_cut" },
  },
  {
    shows: "an answer that is no JSON",
    hands: "codex",
    codex: failing({ kind: "page", contentType: "text/event-stream", text: "data: {oops\n\n" }),
    ends: { code: "STOP_INTERRUPTED", cause: "stream_cut" },
  },
  {
    shows: "a model that never answers ends with the time of the builder",
    hands: "codex",
    config: { roles: { builder: { timeout_seconds: 3 } } },
    codex: failing({ kind: "hang" }),
    ends: { code: "STOP_BUILDER_TIMEOUT", cause: "timeout" },
  },
  {
    shows: "an answer that stalls in the middle ends with the patience of the builder",
    hands: "codex",
    config: { roles: { builder: { idle_timeout_seconds: 3 } } },
    codex: failing({ kind: "stall", afterEvents: 2 }),
    ends: { code: "STOP_BUILDER_TIMEOUT", cause: "idle_timeout" },
  },
  {
    shows: "words in place of a result are noted, and the work is judged all the same",
    hands: "codex",
    codex: [{ calls: [GOOD] }, { text: "All done, enjoy!" }],
    ends: { code: "SUCCESS", changed: DONE, report: { builder_output_valid: false } },
  },
  {
    shows: "words in place of a result, where a result is demanded",
    hands: "codex",
    config: { builder: { codex: { strict_builder_json: true } } },
    codex: [{ calls: [GOOD] }, { text: "All done, enjoy!" }],
    ends: { code: "STOP_BUILDER_OUTPUT_INVALID", cause: "result_not_json" },
  },
  {
    shows: "JSON that breaks off, where a result is demanded",
    hands: "codex",
    config: { builder: { codex: { strict_builder_json: true } } },
    codex: [{ calls: [GOOD] }, { text: '{"summary": "It is' }],
    ends: { code: "STOP_BUILDER_OUTPUT_INVALID", cause: "result_not_json" },
  },
  {
    shows: "a result in a code fence",
    hands: "codex",
    config: { builder: { codex: { strict_builder_json: true } } },
    codex: [{ calls: [GOOD] }, { text: `\`\`\`json\n${JSON.stringify(RESULT)}\n\`\`\`` }],
    ends: { code: "SUCCESS", changed: DONE, report: { builder_output_valid: true } },
  },
  {
    shows: "a plan in words is asked for once more, and the second one counts",
    hands: "codex",
    brain: "codex",
    codex: [
      { when: [PLANS], text: "Let us talk about it." },
      { when: [PLANS, "Let us talk about it."], json: agentTask("codex") },
      ...working(GOOD),
    ],
    ends: { code: "SUCCESS", changed: DONE, report: { budgets: { orchestrator_calls: 2 } } },
  },
  {
    shows: "a plan in words twice",
    hands: "codex",
    brain: "codex",
    codex: [{ when: [PLANS], text: "Let us talk about it.", times: 2 }],
    ends: { code: "BLOCKED_ORCHESTRATOR_OUTPUT_INVALID", cause: "answer_not_json" },
  },
  {
    shows: "an orchestrator cannot write, even with a patch",
    hands: "codex",
    brain: "codex",
    codex: [
      { when: [PLANS], calls: [patch("docs/guide.md", "Guide.", "Mine.")] },
      { when: [PLANS], json: agentTask("codex") },
      ...working(GOOD),
    ],
    ends: { code: "SUCCESS", changed: DONE },
  },
  {
    shows: "an edit out of scope is found and put back",
    hands: "codex",
    codex: working(GOOD, patch("docs/guide.md", "Guide.", "Mine.")),
    ends: { code: "STOP_SCOPE_VIOLATION_OUTSIDE_ALLOWED" },
  },
  {
    shows: "its sandbox keeps git's own data and the neighbours from the commands of a builder",
    hands: "codex",
    // The neighbours of a test lie among the temporary files, where a builder may write otherwise.
    config: {
      builder: {
        codex: {
          args: ["slash_tmp", "tmpdir_env_var"].flatMap((place) => [
            "-c",
            `sandbox_workspace_write.exclude_${place}=true`,
          ]),
        },
      },
    },
    codex: working(GOOD, shell("echo x >> .git/config; echo x > ../neighbour/new.txt; echo tried > src/other.ts")),
    ends: { code: "SUCCESS", changed: ["src/main.ts", "src/other.ts"] },
  },
  {
    shows: "without a sandbox, what is done to git's own data is found and put back",
    hands: "codex",
    config: { sandbox: "off", isolation: "in_place", builder: { codex: { sandbox: "danger-full-access" } } },
    codex: working(GOOD, shell("git config mine.own true")),
    ends: { code: "STOP_GIT_METADATA_MUTATION" },
  },
  {
    shows: "a process that detaches itself does not outlive the session, and writes nothing late",
    hands: "codex",
    config: { builder: { codex: { sandbox: "danger-full-access" } } },
    codex: working(
      GOOD,
      shell("(setsid nohup sh -c 'sleep 4; echo late > src/other.ts' </dev/null >/dev/null 2>&1 &) ; echo begun"),
    ),
    ends: {
      code: "SUCCESS",
      changed: DONE,
      after: async ({ read }) => {
        await delay(5000);
        expect(read("src/other.ts")).toBe("export const other = 1;\n");
      },
    },
  },
  {
    shows: "a prompt that no argument could hold, with what others take for commands and files",
    hands: "codex",
    files: {
      "relais/prompts/builder.system.txt": "/help\n",
      "relais/prompts/builder.user.txt": `@src/other.ts ${"long ".repeat(40_000)}\n{{TASK_JSON}} the very end`,
    },
    codex: [{ when: ["/help", "@src/other.ts", "the very end"], calls: [GOOD] }, { json: RESULT }],
    ends: { code: "SUCCESS", changed: DONE },
    asked: ({ codex: [request] }) => {
      expect(request?.words.length).toBeGreaterThan(200_000);
      expect(request?.words).not.toContain("other = 1");
    },
  },
  {
    shows: "a reviewer looks, cannot write, and approves",
    hands: "codex",
    config: { review: { reviewers: ["risk"], quorum: 1 } },
    codex: [
      ...working(GOOD),
      { calls: [shell("cat src/main.ts; echo mine > src/other.ts")] },
      { json: { decision: "approve", explanation: "It does what was asked.", reasons: [] } },
    ],
    ends: {
      code: "SUCCESS",
      changed: DONE,
      report: { review: { approved: true, reviewers: [{ name: "risk", vote: "approve", wrote: [] }] } },
    },
  },
  {
    shows: "a program that is not there is said so",
    hands: "codex",
    config: { builder: { codex: { command: "codex-that-nobody-installed" } } },
    ends: { code: "BLOCKED_BUILDER_COMMAND_NOT_FOUND", cause: "not_found" },
  },
  {
    shows: "arguments of one's own that the program does not know",
    hands: "codex",
    config: { builder: { codex: { args: ["--no-such-flag"] } } },
    ends: { code: "STOP_INTERRUPTED", cause: "exit_2" },
  },
];
