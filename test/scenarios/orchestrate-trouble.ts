/** Orchestrators that fail, and orchestrators that do more than they may. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import { calls, DONE, invalid, PROPOSE, QUESTION } from "../support/planning.ts";
import type { Scenario } from "../support/scenario.ts";

export const ORCHESTRATE_TROUBLE: readonly Scenario[] = [
  {
    shows: "an orchestrator that ends with a status",
    brain: 'echo "no credit" >&2; exit 3\n',
    ends: {
      code: "STOP_INTERRUPTED",
      cause: "orchestrator_exit_3",
      message: /no credit/,
      report: { ...calls(1, 0), settle: { action: "rollback" } },
    },
  },
  {
    shows: "an orchestrator that dies",
    brain: "kill -KILL $$\n",
    ends: { code: "STOP_INTERRUPTED", cause: "orchestrator_signal_SIGKILL", report: calls(1, 0) },
  },
  {
    shows: "an orchestrator that is not there",
    brain: "true\n",
    config: { orchestrator: { command: { command: "no-such-orchestrator" } } },
    ends: {
      code: "BLOCKED_MISSING_CONFIG",
      cause: "orchestrator_not_found",
      message: /no-such-orchestrator/,
      // Found out before anybody is paid: not even the tick counts.
      report: { ...calls(0, 0), task: null, settle: null },
      after: async ({ relais }) => {
        const { stdout } = await relais([]);
        expect(stdout).toMatch(/planning {3}! The program no-such-orchestrator was not found; only planning/);
        expect(stdout).toMatch(/relais run "say what to change" +run one tick/);
      },
    },
  },
  {
    shows: "an orchestrator whose interpreter is not there",
    brain: "true\n",
    files: { "plan.sh": "#!/no/such/interpreter\n" },
    config: { orchestrator: { command: { command: "./plan.sh" } } },
    // On Linux the program that tags the session is there, and says that it cannot start the other one.
    ends: {
      code: "STOP_INTERRUPTED",
      cause: process.platform === "linux" ? "orchestrator_exit_127" : "orchestrator_not_found",
    },
  },
  {
    shows: "an orchestrator that takes longer than its program may",
    keys: ["orchestrator.command.timeout_seconds"],
    brain: "sleep 5\n",
    config: { orchestrator: { command: { timeout_seconds: 1 } } },
    ends: { code: "STOP_INTERRUPTED", cause: "orchestrator_timeout", report: calls(1, 0) },
  },
  {
    shows: "the time limit of the orchestrator's role wins",
    keys: ["roles.orchestrator.timeout_seconds"],
    brain: "sleep 5\n",
    config: { roles: { orchestrator: { timeout_seconds: 1 } } },
    ends: { code: "STOP_INTERRUPTED", cause: "orchestrator_timeout" },
  },
  {
    shows: "an orchestrator that falls silent",
    keys: ["roles.orchestrator.idle_timeout_seconds"],
    brain: "echo thinking; sleep 5\n",
    config: { roles: { orchestrator: { idle_timeout_seconds: 1 } } },
    ends: { code: "STOP_INTERRUPTED", cause: "orchestrator_idle_timeout" },
  },
  {
    shows: "the deadline of the tick ends the orchestrator",
    brain: "sleep 15\n",
    config: { runner: { max_tick_seconds: 4 } },
    ends: { code: "STOP_TICK_TIMEOUT", cause: "tick_timeout", report: calls(1, 0) },
  },
  {
    shows: "a flood of output ends the orchestrator",
    brain: "head -c 100000000 /dev/zero\n",
    ends: { code: "STOP_OUTPUT_LIMIT", cause: "orchestrator_output_limit" },
  },
  {
    shows: "F003: an orchestrator that asks, and writes meanwhile",
    brain: `echo x >> src/main.ts\n${PROPOSE}`,
    task: QUESTION,
    ends: { code: "STOP_QUESTION_SIDE_EFFECTS", report: { settle: { action: "rollback" } } },
  },
  {
    shows: "F004: an orchestrator that only wants checks, and writes meanwhile",
    brain: `echo x >> src/main.ts\n${PROPOSE}`,
    task: { task_kind: "verify_only", builder: undefined },
    ends: { code: "STOP_VERIFY_ONLY_SIDE_EFFECTS", report: { settle: { action: "rollback" } } },
  },
  {
    shows: "an orchestrator that does the work itself",
    brain: `echo "answer = 42" > src/main.ts\n${PROPOSE}`,
    ends: {
      code: "STOP_SCOPE_VIOLATION_OUTSIDE_ALLOWED",
      cause: "orchestrator_wrote",
      message: /src\/main\.ts/,
      report: { ...calls(1, 0), pointers: { salvage: expect.any(String) } },
    },
  },
  {
    shows: "an orchestrator that commits",
    brain: `git commit -q --allow-empty -m mine\n${PROPOSE}`,
    ends: { code: "STOP_HEAD_MOVED", cause: "orchestrator_wrote" },
  },
  {
    shows: "an orchestrator that writes and then has nothing to say",
    brain: "echo x > src/new.ts; echo x > relais/STATE.json\n",
    ends: invalid("result_missing"),
  },
  {
    shows: "a process that the orchestrator leaves behind writes nothing later",
    brain: `setsid sh -c 'sleep 3; echo late > src/other.ts; : > "$0"' "$HOME/late" >/dev/null 2>&1 &\n${PROPOSE}`,
    ends: {
      code: "SUCCESS",
      changed: DONE,
      after: async ({ box, read }) => {
        await new Promise((later) => setTimeout(later, 3200));
        expect(existsSync(join(box, "home", "late"))).toBe(false);
        expect(read("src/other.ts")).toBe("export const other = 1;\n");
      },
    },
  },
  {
    shows: "a scripted orchestrator without a script",
    brain: PROPOSE,
    config: { roles: { orchestrator: { driver: "scripted" } } },
    ends: {
      code: "BLOCKED_MISSING_CONFIG",
      cause: "orchestrator_unusable",
      message: /`orchestrator\.scripted\.script`/,
      isRefused: true,
    },
  },
  {
    shows: "an orchestrator's argument with a placeholder that nobody fills in",
    brain: PROPOSE,
    config: { orchestrator: { command: { args: ["{{promt_path}}"] } } },
    ends: {
      code: "BLOCKED_MISSING_CONFIG",
      cause: "orchestrator_unusable",
      message: /`orchestrator\.command\.args`.*did you mean `\{\{prompt_path\}\}`/,
      isRefused: true,
    },
  },
];
