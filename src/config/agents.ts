/**
 * Which program plays which role, and how it is started. Three defaults come from measurements of the real programs:
 * plan mode with one turn cannot answer after a tool call, so the orchestrator has two turns and no tools; only a
 * restricted tool list together with `dontAsk` keeps a builder in bounds; and money is capped only on request.
 */
import * as v from "valibot";
import { Argument, DollarCap, Positive, Program, TURNS_MAX } from "../base/quantity.ts";
import { RepositoryPath } from "../base/repository-path.ts";
import { joinWorkspacePath } from "./workspace-path.ts";
import { listCommandEntries, normaliseMode, hasOneName, ONE_NAME, findOneNameProblem } from "./command-program.ts";
import { key, openKey } from "./key.ts";

export const Model = v.pipe(v.string(), v.minLength(1), v.maxLength(120));
const PermissionMode = v.picklist(["default", "acceptEdits", "plan", "dontAsk", "bypassPermissions"]);
export const Turns = v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(TURNS_MAX));
/** Names separated by commas; the empty string is no tool. */
const ToolList = v.pipe(v.string(), v.maxLength(2000));

export const ClaudeCodeCli = v.strictObject({
  command: key(Program, "The Claude Code program: its name on the PATH, or its path.", "claude"),
  output_format: key(
    v.picklist(["stream-json", "json"], "relais reads a JSON object, alone or at the end of a stream of them"),
    "Output format. `json` prints only the result, so the live view shows nothing before the end.",
    "stream-json",
  ),
  no_session_persistence: openKey(
    v.boolean(),
    "Keep no session of an agent on disk. Default: true, but the builder of a sentence keeps its own for a repair.",
  ),
});

export const Models = v.strictObject({
  orchestrator_model: key(Model, "Model of the orchestrator; `roles.orchestrator.model` wins.", "opus"),
  orchestrator_fallback_model: key(
    v.nullable(Model),
    "Fallback if that model is overloaded or missing; null is none.",
    "sonnet",
  ),
  builder_model: key(Model, "Model of the builder; `roles.builder.model` wins.", "sonnet"),
  builder_fallback_model: key(
    v.nullable(Model),
    "Fallback if that model is overloaded or missing; null is none.",
    "haiku",
  ),
});

const Scripted = v.strictObject({
  script: key(
    v.nullable(RepositoryPath),
    "File with the steps to play. null: the instructions of each task (builder only).",
    null,
  ),
});

export const Orchestrator = v.pipe(
  v.strictObject({
    max_turns: key(Turns, "Most turns of Claude Code for planning; `roles.orchestrator.max_turns` wins.", 2),
    permission_mode: key(PermissionMode, "Permission mode of Claude Code for planning.", "plan"),
    allowed_tools: key(ToolList, "Tools of the orchestrator, separated by commas; the empty string is none.", ""),
    system_prompt_file: joinWorkspacePath("prompts/orchestrator.system.txt", "System prompt of the orchestrator."),
    user_prompt_file: joinWorkspacePath(
      "prompts/orchestrator.user.txt",
      "Prompt of the orchestrator. An unknown slot blocks the tick.",
    ),
    task_schema_file: joinWorkspacePath(
      "schemas/task.schema.json",
      "Schema shown to the orchestrator. relais validates the answer against its own.",
    ),
    max_parse_retries_per_tick: key(
      v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(1, "a tick is finite: one more attempt is the most")),
      "Retries after an answer that is no valid task.",
      1,
    ),
    max_budget_usd: key(
      DollarCap,
      "Dollar cap that Claude Code applies to planning, after the answer that exceeds it; null is no cap.",
      null,
    ),
    /** What the driver `command` starts for planning; without it, the program for building. */
    ...listCommandEntries("orchestrator"),
    scripted: v.exactOptional(Scripted, {}),
  }),
  v.forward(v.partialCheck([["command"], ["cursor"]], hasOneName, findOneNameProblem("orchestrator")), ["cursor"]),
  v.metadata(ONE_NAME),
);

const ClaudeCode = v.strictObject({
  max_turns: openKey(
    Turns,
    "Most turns of Claude Code for building. `roles.builder.max_turns` wins; see there for the default.",
  ),
  permission_mode: key(PermissionMode, "Permission mode of Claude Code for building.", "dontAsk"),
  allowed_tools: key(ToolList, "Tools of the builder, separated by commas.", "Read,Edit,Write,Glob,Grep,Bash"),
  system_prompt_file: joinWorkspacePath("prompts/builder.system.txt", "System prompt of every builder."),
  user_prompt_file: joinWorkspacePath("prompts/builder.user.txt", "Prompt of every builder."),
  builder_result_schema_file: joinWorkspacePath(
    "schemas/builder_result.schema.json",
    "Schema shown to every builder. relais validates the result against its own.",
  ),
  max_budget_usd: key(
    DollarCap,
    "Dollar cap that Claude Code applies to building, after the answer that exceeds it; null is no cap.",
    null,
  ),
  strict_builder_json: key(
    v.boolean(),
    "Stop the tick if the builder's result is missing or malformed. All builders except codex.",
    false,
  ),
});

const Codex = v.strictObject({
  command: key(Program, "The Codex program: its name on the PATH, or its path.", "codex"),
  /** Null, because the names in `models` belong to another vendor. */
  model: key(v.nullable(Model), "Model of Codex; null is its default.", null),
  sandbox: key(
    v.picklist(["read-only", "workspace-write", "danger-full-access"]),
    "Codex's own sandbox mode.",
    "workspace-write",
  ),
  args: key(v.pipe(v.array(Argument), v.maxLength(64)), "More arguments for Codex.", []),
  strict_builder_json: key(v.boolean(), "Stop the tick if the result of Codex is missing or malformed.", false),
});

/** "If this mode, then that" in JSON Schema. */
const requireForMode = (mode: string, demand: object) => ({
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
    allow_patch_mode: key(v.boolean(), "Allow tasks with a patch instead of instructions.", true),
    claude_code: v.exactOptional(ClaudeCode, {}),
    patch: v.exactOptional(
      v.strictObject({
        max_patch_attempts_per_milestone: key(Positive, "Most tasks with a patch in one milestone.", 10),
      }),
      {},
    ),
    ...listCommandEntries("builder"),
    codex: v.exactOptional(Codex, {}),
    scripted: v.exactOptional(Scripted, {}),
  }),
  v.forward(
    v.partialCheck(
      [["default_mode"], ["command"], ["cursor"]],
      ({ default_mode, command, cursor }) =>
        normaliseMode(default_mode) !== "command" || command !== undefined || cursor !== undefined,
      "set `builder.command` to the program to start",
    ),
    ["default_mode"],
  ),
  v.forward(v.partialCheck([["command"], ["cursor"]], hasOneName, findOneNameProblem("builder")), ["cursor"]),
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
      ...["command", "cursor"].map((mode) => requireForMode(mode, HAS_PROGRAM)),
      requireForMode("patch", { properties: { allow_patch_mode: { const: true } } }),
    ],
  }),
);

/** The names that programs of agents look for at the root. Links and what is below folders stay out. */
export const ProjectFiles = key(
  v.pipe(v.array(RepositoryPath), v.maxLength(20)),
  "The repository's own instructions for builders, read from the base commit, 32 KiB at most. An empty list switches that off.",
  [
    "AGENTS.md",
    "CLAUDE.md",
    ".claude/CLAUDE.md",
    "GEMINI.md",
    ".github/copilot-instructions.md",
    ".cursorrules",
    ".windsurfrules",
    ".clinerules",
  ],
);
