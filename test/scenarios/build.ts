/** How a builder's session can end, for a builder that is a program and for the scripted one. */
import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import type { Scenario } from "../support/scenario.ts";
import type { World } from "../support/scenario-world.ts";
import { executeTask } from "../support/tasks.ts";
import { GOOD_EDIT, LEAVE_RESULT, RESULT } from "../support/scenario-documents.ts";

const EDIT = "echo 'export const answer = 42;' > src/main.ts\n";
/** In pieces, so that no tool takes it for one that was left here. */
const CLOUD_KEY = ["AKIA", "QX7PLMZ2", "KD5TRW4N"].join("");
const STRICT = { builder: { claude_code: { strict_builder_json: true } } };
const DONE = ["src/main.ts"];
const JUDGED_ANYWAY = { code: "SUCCESS", changed: DONE, report: { builder_output_valid: false } } as const;
const invalid = (cause: string) => ({ code: "STOP_BUILDER_OUTPUT_INVALID", cause, changed: [] }) as const;

/** What a person has in the place where the result is exchanged. */
function expectMine({ read }: World): void {
  expect(read("dist/result.json")).toBe("mine\n");
}

export const BUILD: readonly Scenario[] = [
  {
    shows: "a program finds the task of its own tick in the workspace, and not the one before",
    before: ({ put }) => put({ "relais/TASK.json": JSON.stringify({ ...executeTask, task_id: "T-before" }) }),
    program: `cmp -s relais/TASK.json "$RELAIS_TASK_PATH" || exit 9\n${EDIT}`,
    ends: {
      ...JUDGED_ANYWAY,
      after: ({ read }) => expect(read("relais/TASK.json")).not.toContain("T-before"),
    },
  },
  {
    shows: "a program that changes the task of its tick is stopped",
    program: `${EDIT}echo '{}' > relais/TASK.json\n`,
    ends: { code: "STOP_RUNNER_OWNED_MUTATION", changed: [] },
  },
  {
    shows: "a program that fails stops the tick with its status",
    program: `${EDIT}exit 3\n`,
    ends: {
      code: "STOP_INTERRUPTED",
      cause: "exit_3",
      report: { pointers: { salvage: expect.any(String) } },
    },
  },
  {
    shows: "a program whose service refuses it costs nothing",
    program: `${EDIT}echo 'retry-at: 2999-01-01T00:00:00Z' >&2; exit 75\n`,
    ends: {
      code: "STOP_RATE_LIMITED",
      cause: "rate_limited",
      after: ({ read }) =>
        expect(JSON.parse(read("relais/STATE.json"))).toMatchObject({
          budgets: { ticks: 0, builder_calls: 0 },
        }),
    },
  },
  {
    shows: "a script that fails stops the tick with its status",
    steps: [GOOD_EDIT, { do: "exit", status: 7 }],
    ends: { code: "STOP_INTERRUPTED", cause: "exit_7" },
  },
  {
    shows: "a program that a signal ends stops the tick",
    program: `${EDIT}kill -9 $$\n`,
    ends: { code: "STOP_INTERRUPTED", cause: "signal_SIGKILL" },
  },
  {
    shows: "instructions that are no script stop the tick",
    task: { builder: { instructions: "Please." } },
    ends: { code: "STOP_INTERRUPTED", cause: "script_invalid" },
  },
  {
    shows: "a program that does not exist blocks",
    keys: ["builder.command.command"],
    program: EDIT,
    config: { builder: { command: { command: "no-such-builder" } } },
    ends: { code: "BLOCKED_BUILDER_COMMAND_NOT_FOUND", message: /no-such-builder/ },
  },
  {
    shows: "a file that cannot be executed blocks",
    program: EDIT,
    config: { builder: { command: { command: "./README.md" } } },
    ends: { code: "BLOCKED_BUILDER_COMMAND_NOT_FOUND" },
  },
  {
    shows: "a program is stopped at its time limit",
    keys: ["builder.command.timeout_seconds"],
    program: `${EDIT}trap '' INT TERM\nsleep 5 &\nwait\n`,
    config: { builder: { command: { timeout_seconds: 1 } } },
    ends: { code: "STOP_BUILDER_TIMEOUT", cause: "timeout" },
  },
  {
    shows: "the time limit of the role wins, for a script too",
    keys: ["roles.builder.timeout_seconds"],
    config: { roles: { builder: { timeout_seconds: 1 } } },
    steps: [GOOD_EDIT, { do: "sleep", ms: 5000 }],
    ends: { code: "STOP_BUILDER_TIMEOUT", cause: "timeout" },
  },
  {
    shows: "a builder that falls silent is stopped",
    keys: ["roles.builder.idle_timeout_seconds"],
    config: { roles: { builder: { idle_timeout_seconds: 1 } } },
    steps: [{ do: "print", text: "working\n" }, GOOD_EDIT, { do: "sleep", ms: 5000 }],
    ends: { code: "STOP_BUILDER_TIMEOUT", cause: "idle_timeout" },
  },
  {
    shows: "the deadline of the tick ends the builder",
    keys: ["runner.max_tick_seconds"],
    config: { runner: { max_tick_seconds: 2 } },
    steps: [GOOD_EDIT, { do: "sleep", ms: 5000 }],
    ends: { code: "STOP_TICK_TIMEOUT", cause: "tick_timeout" },
  },
  {
    shows: "a flood of output ends the builder",
    steps: [GOOD_EDIT, { do: "print", text: "x".repeat(1023) + "\n", repeat: 400_000 }],
    ends: { code: "STOP_OUTPUT_LIMIT", cause: "output_limit" },
  },
  {
    shows: "loud but bounded output is no reason to stop",
    steps: [GOOD_EDIT, { do: "print", text: "x".repeat(1023) + "\n", repeat: 20_000 }],
    ends: {
      code: "SUCCESS",
      changed: DONE,
      after: ({ has }, { report }) => expect(has(`${report?.pointers.history_dir}/builder.log`)).toBe(true),
    },
  },
  {
    shows: "a result that is missing, where the configuration is lenient: a note of relais, no words of the builder",
    program: EDIT,
    ends: { ...JUDGED_ANYWAY, report: { builder_output_valid: false, notes: ["the builder left no result"] } },
  },
  {
    shows: "a result that is missing, where the configuration is strict",
    keys: ["builder.claude_code.strict_builder_json"],
    program: EDIT,
    config: STRICT,
    ends: { ...invalid("result_missing"), report: { message: "the builder left no result", notes: [] } },
  },
  {
    shows: "a result that comes too late",
    program: `${EDIT}(sleep 1; ${LEAVE_RESULT.trim()}) &\n`,
    config: STRICT,
    ends: invalid("result_late"),
  },
  {
    shows: "a result that is not JSON",
    program: `${EDIT}echo done > "$RELAIS_RESULT_PATH"\n`,
    config: STRICT,
    ends: { code: "STOP_BUILDER_OUTPUT_INVALID" },
  },
  {
    shows: "a result of another shape, where the configuration is lenient",
    steps: [GOOD_EDIT, { do: "result", content: { done: true } }, { do: "exit", status: 0 }],
    ends: JUDGED_ANYWAY,
  },
  {
    shows: "a result of another shape, where the configuration is strict",
    steps: [GOOD_EDIT, { do: "result", content: { done: true } }, { do: "exit", status: 0 }],
    config: STRICT,
    ends: { code: "STOP_BUILDER_OUTPUT_INVALID" },
  },
  ...(["cannot", "test_is_wrong", "needs_decision"] as const).map((outcome): Scenario => ({
    shows: `a builder that gives the task back (${outcome}) asks a person, and nothing stays`,
    program: `${EDIT}printf '%s' '${JSON.stringify({ ...RESULT, summary: "Why not.", outcome, evidence: "src/a.ts:3" })}' > "$RELAIS_RESULT_PATH"\n`,
    config: outcome === "cannot" ? STRICT : {},
    ends: {
      code: "STOP_QUESTION",
      cause: outcome,
      changed: [],
      report: {
        builder_output_valid: true,
        message: "Why not.\n\nEvidence: src/a.ts:3",
        question: { prompt: "Why not.\n\nEvidence: src/a.ts:3", choices: [] },
        pointers: { salvage: expect.any(String) },
      },
    },
  })),
  {
    shows: "a builder that gives the task back without a change asks a person, too",
    steps: [
      { do: "result", content: { ...RESULT, outcome: "cannot" } },
      { do: "exit", status: 0 },
    ],
    ends: {
      code: "STOP_QUESTION",
      cause: "cannot",
      changed: [],
      report: { message: RESULT.summary, findings_total: 1 },
    },
  },
  {
    shows: "a key that a builder adds and tells about is quoted nowhere",
    program: [
      `echo 'export const answer = 42; // eslint-disable-line ${CLOUD_KEY}' > src/main.ts`,
      `printf '%s' '${JSON.stringify({ ...RESULT, summary: `I put ${CLOUD_KEY} there.` })}' > "$RELAIS_RESULT_PATH"\n`,
    ].join("\n"),
    ends: {
      code: "STOP_SCOPE_VIOLATION_FORBIDDEN",
      cause: "credential",
      changed: [],
      report: { notes: ["the builder says: I put [aws credential] there."] },
      after: ({ read }, { report }) => {
        const history = report?.pointers.history_dir ?? "";
        const told = ["ledger.jsonl", "REPORT.json", "REPORT.md"].map((name) => read(`relais/${name}`));
        expect([...told, read(`${history}/evidence.json`)].filter((text) => text.includes(CLOUD_KEY))).toEqual([]);
      },
    },
  },
  {
    shows: "a result that says that it is done",
    steps: [
      GOOD_EDIT,
      { do: "result", content: { ...RESULT, outcome: "done", evidence: "" } },
      { do: "exit", status: 0 },
    ],
    config: STRICT,
    ends: { code: "SUCCESS", changed: DONE, report: { builder_output_valid: true } },
  },
  {
    shows: "a result in a code fence is understood",
    program: `${EDIT}printf '%s\\n' '\`\`\`json' '${JSON.stringify(RESULT)}' '\`\`\`' > "$RELAIS_RESULT_PATH"\n`,
    config: STRICT,
    ends: { code: "SUCCESS", changed: DONE, report: { builder_output_valid: true } },
  },
  {
    shows: "an enormous result",
    program: `${EDIT}head -c 3000000 /dev/zero > "$RELAIS_RESULT_PATH"\n`,
    config: STRICT,
    ends: invalid("result_too_large"),
  },
  {
    shows: "a result that is a link to something else",
    program: `${EDIT}ln -s /etc/passwd "$RELAIS_RESULT_PATH"\n`,
    config: STRICT,
    ends: invalid("result_is_link"),
  },
  {
    shows: "a program that writes its result where it insists on",
    keys: ["builder.command.output_file"],
    program: `${EDIT}mkdir -p out && printf '%s' '${JSON.stringify(RESULT)}' > out/result.json\n`,
    config: { builder: { ...STRICT.builder, command: { output_file: "out/result.json" } } },
    ends: {
      code: "SUCCESS",
      changed: DONE,
      report: { builder_output_valid: true },
      after: ({ has }) => expect(has("out")).toBe(false),
    },
  },
  ...(["SUCCESS", "STOP_VERIFY_FAILED_FAST"] as const).map((code): Scenario => ({
    shows: `a file that was in the place of the result is there again after ${code}`,
    program: `test ! -e dist/result.json || exit 9\n${EDIT}printf '%s' '${JSON.stringify(RESULT)}' > dist/result.json\n`,
    config: { builder: { ...STRICT.builder, command: { output_file: "dist/result.json" } } },
    task: { verification: { fast: [code === "SUCCESS" ? "green" : "red"], slow: [] } },
    before: ({ put }) => put({ "dist/result.json": "mine\n" }),
    ends: {
      code,
      changed: code === "SUCCESS" ? DONE : [],
      report: { builder_output_valid: true, blast_radius: { files_touched: 1 } },
      after: expectMine,
    },
  })),
  {
    shows: "a file that was in the place of the result is there again after a crash",
    program: ': > "$HOME/building"\necho half > dist/result.json\nwhile [ ! -e "$HOME/go" ]; do sleep 0.05; done\n',
    config: { builder: { command: { output_file: "dist/result.json" } } },
    task: { allow_no_change: true, verification: { fast: ["green"], slow: [] } },
    before: async (world) => {
      world.put({ "dist/result.json": "mine\n" });
      const home = join(world.box, "home");
      const cut = world.start(["run", "--task", join(world.box, "task.json")]);
      await expect.poll(() => existsSync(join(home, "building")), { timeout: 20_000 }).toBe(true);
      cut.process.kill("SIGKILL");
      writeFileSync(join(home, "go"), "");
      await cut.ended;
      expect(await world.relais(["recover"])).toMatchObject({ status: 0, stderr: "" });
      expectMine(world);
    },
    // The builder finds that it may go on, and leaves no result.
    ends: {
      code: "SUCCESS",
      changed: [],
      after: expectMine,
    },
  },
  {
    shows: "what the program gets in its arguments and its environment",
    keys: ["builder.command.args", "env.agents"],
    env: { WANTED: "yes", UNWANTED: "secret" },
    config: {
      env: { agents: ["WANTED"] },
      builder: {
        command: {
          args: [
            "-c",
            [
              `test "$1" = "$RELAIS_TASK_PATH" -a "$2" = "$RELAIS_RESULT_PATH" -a "$3" = "$RELAIS_SCHEMA_PATH"`,
              `test "$4" = "$RELAIS_RUN_ID" -a "$5" = "$RELAIS_DROP" -a "$WANTED" = yes -a -z "$UNWANTED"`,
              `grep -q '"task_id": "T-1"' "$1" && grep -q files_intended "$3"`,
              `echo 42 > src/main.ts`,
            ].join(" && "),
            "builder",
            "{{task_path}}",
            "{{result_path}}",
            "{{schema_path}}",
            "{{run_id}}",
            "{{drop}}",
          ],
        },
      },
    },
    program: "exit 9\n",
    ends: JUDGED_ANYWAY,
  },
  {
    shows: "prompts and a schema of the project's own are what the builder is given",
    keys: [
      "builder.claude_code.system_prompt_file",
      "builder.claude_code.user_prompt_file",
      "builder.claude_code.builder_result_schema_file",
    ],
    config: {
      builder: {
        claude_code: {
          system_prompt_file: "docs/role.txt",
          user_prompt_file: "docs/ask.txt",
          builder_result_schema_file: "docs/result.json",
        },
      },
    },
    files: {
      "docs/role.txt": "Be brief.\n",
      "docs/ask.txt": "Do this: {{TASK_JSON}}\n",
      "docs/result.json": '{ "title": "narrower" }',
    },
    program: [
      `grep -q narrower "$RELAIS_SCHEMA_PATH" && grep -q 'Do this' "$RELAIS_PROMPT_PATH" || exit 9`,
      `grep -q 'Be brief' "$RELAIS_PROMPT_PATH" || exit 9`,
      EDIT + LEAVE_RESULT,
    ].join("\n"),
    ends: { code: "SUCCESS", changed: DONE },
  },
  {
    shows: "a script that the configuration names",
    keys: ["builder.scripted.script"],
    config: { builder: { scripted: { script: "docs/script.json" } } },
    files: { "docs/script.json": JSON.stringify({ steps: [GOOD_EDIT] }) },
    task: { builder: { instructions: "Play the usual script." } },
    ends: JUDGED_ANYWAY,
  },
  {
    shows: "the driver of the role wins over the default mode",
    keys: ["roles.builder.driver"],
    config: { builder: { default_mode: "codex" }, roles: { builder: { driver: "scripted" } } },
    ends: { code: "SUCCESS", changed: DONE },
  },
  {
    shows: "what is left in the drop folder is never a change",
    program: `${EDIT}mkdir -p "$RELAIS_DROP/deep" && echo mine > "$RELAIS_DROP/deep/notes.md"\n${LEAVE_RESULT}`,
    ends: { code: "SUCCESS", changed: DONE },
  },
  {
    shows: "another folder beside the drop folder is one",
    program: `${EDIT}mkdir relais/.tmp/mine && echo mine > relais/.tmp/mine/notes.md\n${LEAVE_RESULT}`,
    ends: { code: "STOP_RUNNER_OWNED_MUTATION" },
  },
  {
    shows: "a process that would write later is gone before anything is judged",
    program: `${EDIT}setsid sh -c 'sleep 3; echo late > src/other.ts; : > "$0"' "$HOME/late" >/dev/null 2>&1 &\n${LEAVE_RESULT}`,
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
];
