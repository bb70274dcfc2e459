/**
 * Which program plays which role, and how it is called.
 *
 * Three defaults differ from what one would write at first sight, because the real programs were measured: plan mode
 * with one turn cannot answer after a single tool call, so the orchestrator has two turns and no tools; only a
 * restricted tool list together with `dontAsk` keeps a builder's hands where they belong; and money is capped only
 * where somebody asks for it.
 */
import * as v from "valibot";
import { DollarCap, Positive, Seconds } from "../quantity.ts";
import { RepositoryPath } from "../repository-path.ts";
import { Argument, Program } from "./argv.ts";
import { workspaceFile } from "./workspace-path.ts";

const Model = v.pipe(v.string(), v.minLength(1), v.maxLength(120));
const PermissionMode = v.picklist(["default", "acceptEdits", "plan", "dontAsk", "bypassPermissions"]);
const Turns = v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(1000));
/** As the program takes it: names separated by commas; the empty string is no tool at all. */
const ToolList = v.pipe(v.string(), v.maxLength(2000));

export const ClaudeCodeCli = v.strictObject({
  command: v.exactOptional(Program, "claude"),
  /** Both end with the same object; only the first one tells what goes on meanwhile. */
  output_format: v.exactOptional(
    v.picklist(
      ["stream-json", "json"],
      "relais reads a JSON object, alone or at the end of a stream of them",
    ),
    "stream-json",
  ),
  no_session_persistence: v.exactOptional(v.boolean(), true),
});

export const Models = v.strictObject({
  orchestrator_model: v.exactOptional(Model, "opus"),
  orchestrator_fallback_model: v.exactOptional(v.nullable(Model), "sonnet"),
  builder_model: v.exactOptional(Model, "sonnet"),
  builder_fallback_model: v.exactOptional(v.nullable(Model), "haiku"),
});

/** Any program of your own that reads files and leaves one. */
const Cursor = v.strictObject({
  command: Program,
  args: v.exactOptional(v.pipe(v.array(Argument), v.maxLength(64)), []),
  timeout_seconds: v.exactOptional(Seconds, 600),
  /** Where the program insists on writing its result, if not to the place it is told. */
  output_file: v.exactOptional(v.nullable(RepositoryPath), null),
});

const Scripted = v.strictObject({
  /** The file of steps to play; null takes them from the instructions of each task, which only a builder has. */
  script: v.exactOptional(v.nullable(RepositoryPath), null),
});

export const Orchestrator = v.strictObject({
  max_turns: v.exactOptional(Turns, 2),
  permission_mode: v.exactOptional(PermissionMode, "plan"),
  allowed_tools: v.exactOptional(ToolList, ""),
  system_prompt_file: workspaceFile("prompts/orchestrator.system.txt"),
  user_prompt_file: workspaceFile("prompts/orchestrator.user.txt"),
  task_schema_file: workspaceFile("schemas/task.schema.json"),
  max_parse_retries_per_tick: v.exactOptional(
    v.pipe(
      v.number(),
      v.integer(),
      v.minValue(0),
      v.maxValue(1, "a tick is finite: one more attempt is the most"),
    ),
    1,
  ),
  max_budget_usd: DollarCap,
  /** What the driver `command` starts to plan; without it, what it starts to build. */
  cursor: v.exactOptional(Cursor),
  scripted: v.exactOptional(Scripted, {}),
});

const ClaudeCode = v.strictObject({
  max_turns: v.exactOptional(Turns, 8),
  permission_mode: v.exactOptional(PermissionMode, "dontAsk"),
  allowed_tools: v.exactOptional(ToolList, "Read,Edit,Write,Glob,Grep,Bash"),
  system_prompt_file: workspaceFile("prompts/builder.system.txt"),
  user_prompt_file: workspaceFile("prompts/builder.user.txt"),
  builder_result_schema_file: workspaceFile("schemas/builder_result.schema.json"),
  max_budget_usd: DollarCap,
  strict_builder_json: v.exactOptional(v.boolean(), false),
});

const Codex = v.strictObject({
  command: v.exactOptional(Program, "codex"),
  /** Null is the program's own default: the names of `models` belong to another vendor. */
  model: v.exactOptional(v.nullable(Model), null),
  sandbox: v.exactOptional(
    v.picklist(["read-only", "workspace-write", "danger-full-access"]),
    "workspace-write",
  ),
  args: v.exactOptional(v.pipe(v.array(Argument), v.maxLength(64)), []),
  strict_builder_json: v.exactOptional(v.boolean(), false),
});

/** "If this mode, then that", in the words of JSON Schema. */
const whenMode = (mode: string, demand: object) => ({
  anyOf: [{ not: { properties: { default_mode: { const: mode } }, required: ["default_mode"] } }, demand],
});

export const Builder = v.pipe(
  v.strictObject({
    default_mode: v.exactOptional(
      v.picklist(["claude_code", "patch", "cursor", "codex", "scripted"]),
      "claude_code",
    ),
    allow_patch_mode: v.exactOptional(v.boolean(), true),
    claude_code: v.exactOptional(ClaudeCode, {}),
    patch: v.exactOptional(
      v.strictObject({ max_patch_attempts_per_milestone: v.exactOptional(Positive, 10) }),
      {},
    ),
    cursor: v.exactOptional(Cursor),
    codex: v.exactOptional(Codex, {}),
    scripted: v.exactOptional(Scripted, {}),
  }),
  v.forward(
    v.partialCheck(
      [["default_mode"], ["cursor"]],
      ({ default_mode, cursor }) => default_mode !== "cursor" || cursor !== undefined,
      'default_mode "cursor" needs `builder.cursor` with the command to start',
    ),
    ["default_mode"],
  ),
  v.forward(
    v.partialCheck(
      [["default_mode"], ["allow_patch_mode"]],
      ({ default_mode, allow_patch_mode }) => default_mode !== "patch" || allow_patch_mode,
      'default_mode "patch" contradicts `builder.allow_patch_mode` false',
    ),
    ["default_mode"],
  ),
  v.metadata({
    allOf: [
      whenMode("cursor", { required: ["cursor"] }),
      whenMode("patch", { properties: { allow_patch_mode: { const: true } } }),
    ],
  }),
);

/** What is set here wins over `models` and the keys of the role's own section; what is absent leaves them. */
const RoleSettings = v.strictObject({
  driver: v.exactOptional(v.picklist(["claude_code", "codex", "command", "scripted"])),
  model: v.exactOptional(Model),
  fallback_models: v.exactOptional(v.pipe(v.array(Model), v.maxLength(8))),
  effort: v.exactOptional(v.pipe(v.string(), v.minLength(1), v.maxLength(40))),
  timeout_seconds: v.exactOptional(Seconds),
  idle_timeout_seconds: v.exactOptional(Seconds),
  max_turns: v.exactOptional(Turns),
});

export const Roles = v.strictObject({
  orchestrator: v.exactOptional(RoleSettings, {}),
  builder: v.exactOptional(RoleSettings, {}),
  reviewer: v.exactOptional(RoleSettings, {}),
  verifier: v.exactOptional(RoleSettings, {}),
});
