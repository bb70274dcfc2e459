/**
 * Which program plays which role, and how it is called.
 *
 * Three defaults differ from what one would write at first sight, because the real programs were measured: plan mode
 * with one turn cannot answer after a single tool call, so the orchestrator has two turns and no tools; only a
 * restricted tool list together with `dontAsk` keeps a builder's hands where they belong; and money is capped only
 * where somebody asks for it.
 */
import * as v from "valibot";
import { DollarCap, Positive, TURNS_MAX } from "../values/quantity.ts";
import { RepositoryPath } from "../values/repository-path.ts";
import { Argument, Program } from "../values/argv.ts";
import { workspaceFile } from "./workspace-path.ts";
import { commandEntries, currentMode, hasOneName, ONE_NAME, oneNameProblem } from "./command-program.ts";
import { key, openKey } from "./key.ts";

export const Model = v.pipe(v.string(), v.minLength(1), v.maxLength(120));
const PermissionMode = v.picklist(["default", "acceptEdits", "plan", "dontAsk", "bypassPermissions"]);
export const Turns = v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(TURNS_MAX));
/** As the program takes it: names separated by commas; the empty string is no tool at all. */
const ToolList = v.pipe(v.string(), v.maxLength(2000));

export const ClaudeCodeCli = v.strictObject({
  command: key(Program, "The program of Claude Code, by its name on the PATH or by its path.", "claude"),
  output_format: key(
    v.picklist(
      ["stream-json", "json"],
      "relais reads a JSON object, alone or at the end of a stream of them",
    ),
    "How it answers; `json` prints only the result, so nothing is known while it works.",
    "stream-json",
  ),
  no_session_persistence: key(v.boolean(), "Whether it keeps no session of its own.", true),
});

export const Models = v.strictObject({
  orchestrator_model: key(Model, "The model that plans; `roles.orchestrator.model` wins.", "opus"),
  orchestrator_fallback_model: key(
    v.nullable(Model),
    "The model that plans where the first one is overloaded or not there; null is none.",
    "sonnet",
  ),
  builder_model: key(Model, "The model that builds; `roles.builder.model` wins.", "sonnet"),
  builder_fallback_model: key(
    v.nullable(Model),
    "The model that builds where the first one is overloaded or not there; null is none.",
    "haiku",
  ),
});

const Scripted = v.strictObject({
  script: key(
    v.nullable(RepositoryPath),
    "The file of steps to play; null takes them from the instructions of each task, which only a builder has.",
    null,
  ),
});

export const Orchestrator = v.pipe(
  v.strictObject({
    max_turns: key(Turns, "How many turns Claude Code has to plan; `roles.orchestrator.max_turns` wins.", 2),
    permission_mode: key(PermissionMode, "The permission mode in which Claude Code plans.", "plan"),
    allowed_tools: key(
      ToolList,
      "The tools of an orchestrator, separated by commas; the empty string is none.",
      "",
    ),
    system_prompt_file: workspaceFile(
      "prompts/orchestrator.system.txt",
      "The system prompt of an orchestrator.",
    ),
    user_prompt_file: workspaceFile(
      "prompts/orchestrator.user.txt",
      "The prompt of an orchestrator; a slot that relais does not know is refused before anything starts.",
    ),
    task_schema_file: workspaceFile(
      "schemas/task.schema.json",
      "The schema that an orchestrator is given; its answer is held against relais' own.",
    ),
    max_parse_retries_per_tick: key(
      v.pipe(
        v.number(),
        v.integer(),
        v.minValue(0),
        v.maxValue(1, "a tick is finite: one more attempt is the most"),
      ),
      "How often an answer that is no task is asked for again.",
      1,
    ),
    max_budget_usd: key(
      DollarCap,
      "Claude Code's own cap on dollars for planning, found out after the answer that broke it; null is no cap.",
      null,
    ),
    /** What the driver `command` starts to plan; without it, what it starts to build. */
    ...commandEntries("orchestrator"),
    scripted: v.exactOptional(Scripted, {}),
  }),
  v.forward(v.partialCheck([["command"], ["cursor"]], hasOneName, oneNameProblem("orchestrator")), [
    "cursor",
  ]),
  v.metadata(ONE_NAME),
);

const ClaudeCode = v.strictObject({
  max_turns: openKey(
    Turns,
    "How many turns Claude Code has to build; `roles.builder.max_turns` wins, and says what holds without one.",
  ),
  permission_mode: key(PermissionMode, "The permission mode in which Claude Code builds.", "dontAsk"),
  allowed_tools: key(
    ToolList,
    "The tools of a builder, separated by commas.",
    "Read,Edit,Write,Glob,Grep,Bash",
  ),
  system_prompt_file: workspaceFile(
    "prompts/builder.system.txt",
    "The system prompt of a builder, whoever builds.",
  ),
  user_prompt_file: workspaceFile("prompts/builder.user.txt", "The prompt of a builder, whoever builds."),
  builder_result_schema_file: workspaceFile(
    "schemas/builder_result.schema.json",
    "The schema that a builder is given, whoever builds; its result is held against relais' own.",
  ),
  max_budget_usd: key(
    DollarCap,
    "Claude Code's own cap on dollars for building, found out after the answer that broke it; null is no cap.",
    null,
  ),
  strict_builder_json: key(
    v.boolean(),
    "Whether a result that is missing or malformed stops the tick, for every builder but codex.",
    false,
  ),
});

const Codex = v.strictObject({
  command: key(Program, "The program of Codex, by its name on the PATH or by its path.", "codex"),
  /** Null is the program's own default: the names of `models` belong to another vendor. */
  model: key(v.nullable(Model), "The model of Codex; null is the program's own choice.", null),
  sandbox: key(
    v.picklist(["read-only", "workspace-write", "danger-full-access"]),
    "The sandbox that Codex makes for itself.",
    "workspace-write",
  ),
  args: key(v.pipe(v.array(Argument), v.maxLength(64)), "Further arguments of Codex.", []),
  strict_builder_json: key(
    v.boolean(),
    "Whether a result of Codex that is missing or malformed stops the tick.",
    false,
  ),
});

/** "If this mode, then that", in the words of JSON Schema. */
const whenMode = (mode: string, demand: object) => ({
  anyOf: [{ not: { properties: { default_mode: { const: mode } }, required: ["default_mode"] } }, demand],
});

const HAS_PROGRAM = { anyOf: [{ required: ["command"] }, { required: ["cursor"] }] };

export const Builder = v.pipe(
  v.strictObject({
    default_mode: key(
      v.picklist(["claude_code", "patch", "command", "codex", "scripted", "cursor"]),
      "Who builds. `command`: the program in `builder.command` (older name: `cursor`). `scripted`: a list of steps. `patch`: only tasks that carry a patch.",
      "claude_code",
    ),
    allow_patch_mode: key(
      v.boolean(),
      "Whether a task may carry a patch instead of instructions for a builder.",
      true,
    ),
    claude_code: v.exactOptional(ClaudeCode, {}),
    patch: v.exactOptional(
      v.strictObject({
        max_patch_attempts_per_milestone: key(
          Positive,
          "How many tasks with a patch there may be in one milestone.",
          10,
        ),
      }),
      {},
    ),
    ...commandEntries("builder"),
    codex: v.exactOptional(Codex, {}),
    scripted: v.exactOptional(Scripted, {}),
  }),
  v.forward(
    v.partialCheck(
      [["default_mode"], ["command"], ["cursor"]],
      ({ default_mode, command, cursor }) =>
        currentMode(default_mode) !== "command" || command !== undefined || cursor !== undefined,
      "set `builder.command` to the program to start",
    ),
    ["default_mode"],
  ),
  v.forward(v.partialCheck([["command"], ["cursor"]], hasOneName, oneNameProblem("builder")), ["cursor"]),
  v.forward(
    v.partialCheck(
      [["default_mode"], ["allow_patch_mode"]],
      ({ default_mode, allow_patch_mode }) => default_mode !== "patch" || allow_patch_mode,
      'default_mode "patch" contradicts `builder.allow_patch_mode` false',
    ),
    ["default_mode"],
  ),
  v.metadata({
    ...ONE_NAME,
    allOf: [
      ...["command", "cursor"].map((mode) => whenMode(mode, HAS_PROGRAM)),
      whenMode("patch", { properties: { allow_patch_mode: { const: true } } }),
    ],
  }),
);
