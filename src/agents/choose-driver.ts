import * as v from "valibot";
import { type CommandProgram, normaliseMode, findCommandProgram } from "../config/command-program.ts";
import { findNearestName } from "../base/nearest-name.ts";
import { toBytePath } from "../system/byte-path.ts";
import { findOpened } from "../system/left-file.ts";
import { accessRepository } from "../git/git.ts";
import type { Repository } from "../git/repository-layout.ts";
import { isTracked } from "../store/read-index.ts";
import type { Driver, SessionRole } from "./driver.ts";
import { runDropped, type SessionPlaces, composeWholePrompt } from "./dropped-session.ts";
import type { Config } from "../config/config.ts";
import { unreachable } from "../base/errors.ts";
import { makeClaudeSettings } from "./claude-arguments.ts";
import { makeCodexSettings } from "./codex-arguments.ts";
import { chooseScript, type ScriptPlayer, makeScriptedDriver } from "./scripted.ts";

/**
 * Any program of your own as an agent: it reads its prompt or TASK.json and leaves a result.
 *
 * Mistakes in its configuration are found before it starts: an unknown placeholder, and an `output_file` that could not
 * be removed without harm.
 */

const PLACEHOLDER = /\{\{(?<name>[^{}]*)\}\}/g;
const PlaceholderName = v.picklist([
  "task_path",
  "result_path",
  "schema_path",
  "run_id",
  "drop",
  "prompt_path",
  "role",
  "model",
  "tools",
]);

export function makeCommandDriver({ command, args, output_file: outputFile }: CommandProgram): Driver {
  return {
    name: "command",
    outputFile,
    runsSideBySide: false,
    run: (request) =>
      runDropped(request, {
        program: command,
        args: (places) => args.map((argument) => fillIn(argument, places)),
        input: composeWholePrompt(request),
        outputFile,
      }),
  };
}

/** In one pass, so that a path that looks like a placeholder is not taken for one. */
function fillIn(argument: string, places: SessionPlaces): string {
  return argument.replaceAll(PLACEHOLDER, (whole, name: string) =>
    v.is(PlaceholderName, name) ? places[name] : whole,
  );
}

interface CommandContext {
  readonly repository: Repository;
  /** `runner.runner_owned_globs`. */
  readonly ownedGlobs: readonly string[];
  /** The key of the configuration that holds the command. */
  readonly key: string;
}

/** Why the command cannot be used as it is configured, in one sentence; null where it can. */
export async function findCommandProblem(
  { args, output_file: outputFile }: CommandProgram,
  surroundings: CommandContext,
): Promise<string | null> {
  const placeholder = findPlaceholderProblem(args, surroundings.key);
  if (placeholder !== null || outputFile === null) return placeholder;
  const problem = findSpellingProblem(outputFile) ?? (await findOutputFileProblem(outputFile, surroundings));
  return problem === null ? null : `\`${surroundings.key}.output_file\` is "${outputFile}": ${problem}`;
}

function findPlaceholderProblem(args: readonly string[], key: string): string | null {
  for (const argument of args) {
    for (const { groups } of argument.matchAll(PLACEHOLDER)) {
      const name = groups?.["name"] ?? "";
      if (v.is(PlaceholderName, name)) continue;
      const known = PlaceholderName.options;
      const nearest = findNearestName(name, known);
      const hint =
        nearest === null
          ? `known are ${known.map(renderPlaceholder).join(", ")}`
          : `did you mean ${renderPlaceholder(nearest)}?`;
      return `\`${key}.args\` has the unknown placeholder ${renderPlaceholder(name)}; ${hint}`;
    }
  }
  return null;
}

const renderPlaceholder = (name: string) => `\`{{${name}}}\``;

const PART_OF_GIT = /^\.git$/i;

function findSpellingProblem(path: string): string | null {
  const parts = path.split("/");
  if (parts.some((part) => part === "" || part === ".")) return "write it without `.`, `//` or a `/` at its end";
  return parts.some((part) => PART_OF_GIT.test(part)) ? "it lies in git's own data" : null;
}

async function findOutputFileProblem(path: string, { repository, ownedGlobs }: CommandContext): Promise<string | null> {
  if (ownedGlobs.some((glob) => isNamedBy(glob, path))) return "only relais itself writes there";
  const found = await findOpened({ root: repository.root, path });
  if (found.kind === "linked") return "a folder above it is a link, and links are not followed";
  if (found.kind === "entry" && found.stats.isDirectory()) return "it is a folder";
  if (await isTracked(accessRepository(repository), toBytePath(path)))
    return "it is tracked by git, and relais removes this file before each session";
  return null;
}

/** The two shapes of globs for files of relais: a file, or all of a folder. */
function isNamedBy(glob: string, path: string): boolean {
  return glob === path || (glob.endsWith("/**") && path.startsWith(glob.slice(0, -2)));
}

type DriverName = Driver["name"];

/** The limits that the configuration gives to a role; null is "none of its own". */
export interface DriverLimits {
  readonly timeoutMs: number | null;
  readonly idleTimeoutMs: number | null;
  readonly maxTurns: number | null;
  /** The key of the configuration that sets each of them, for the person whose session it cut. */
  readonly keys: { readonly timeout: string; readonly idle: string; readonly turns: string };
}

export type DriverChoice =
  | { readonly kind: "ready"; readonly driver: Driver; readonly limits: DriverLimits }
  /** The configuration cannot be used; `problem` is one sentence without a full stop. */
  | { readonly kind: "refused"; readonly driver: DriverName; readonly problem: string };

export interface DriverRequest {
  /** The builder by default. */
  readonly role?: SessionRole;
  readonly config: Config;
  readonly repository: Repository;
  readonly player: ScriptPlayer;
}

/** Makes the configured driver of a role, and finds out whether it can be used before anything starts. */
export async function chooseDriver(request: DriverRequest): Promise<DriverChoice> {
  const choice = readChoice(request.config, request.role ?? "builder");
  const { name } = choice;
  switch (name) {
    case "command":
      return chooseCommand(request, choice);
    case "scripted":
      return chooseScripted(request, choice);
    case "patch":
      return refuse(name, "it takes only patches, and the task carries none");
    case "claude_code":
      return chooseClaude(request, choice);
    case "codex":
      return chooseCodex(request, choice);
    default:
      return unreachable(name);
  }
}

interface RoleChoice {
  readonly role: SessionRole;
  readonly name: DriverName;
  readonly command: CommandProgram | undefined;
  readonly commandKey: string;
  readonly script: Config["builder"]["scripted"];
  readonly scriptKey: string;
}

/** The orchestrator has its own settings. Reviewers and verifiers use the builder's driver, unless one is set. */
function readChoice(config: Config, role: SessionRole): RoleChoice {
  const { roles, builder, orchestrator } = config;
  const own = findCommandProgram("builder", builder);
  const ofBuilder = {
    role,
    command: own.settings,
    commandKey: own.key,
    script: builder.scripted,
    scriptKey: "builder.scripted.script",
  };
  const usual = roles.builder.driver ?? normaliseMode(builder.default_mode);
  if (role !== "orchestrator") return { ...ofBuilder, name: roles[role].driver ?? usual };
  const planner = findCommandProgram("orchestrator", orchestrator);
  return {
    ...ofBuilder,
    name: roles.orchestrator.driver ?? "claude_code",
    ...(planner.settings === undefined ? {} : { command: planner.settings, commandKey: planner.key }),
    script: orchestrator.scripted,
    scriptKey: "orchestrator.scripted.script",
  };
}

async function chooseCommand(
  { config, repository }: DriverRequest,
  { role, command: settings, commandKey: key }: RoleChoice,
): Promise<DriverChoice> {
  if (settings === undefined)
    return refuse("command", `the driver \`command\` needs \`${key}\`: set it to the program to start`);
  const ownedGlobs = config.runner.runner_owned_globs;
  const problem = await findCommandProblem(settings, { repository, ownedGlobs, key });
  if (problem !== null) return refuse("command", problem);
  const timeout = { max: settings.timeout_seconds, key: `${key}.timeout_seconds` };
  return accept(makeCommandDriver(settings), readLimits(config, role, { timeout }));
}

/** Before there is a task, nothing can carry a script but a file. */
async function chooseScripted(
  { config, repository, player }: DriverRequest,
  { role, script, scriptKey }: RoleChoice,
): Promise<DriverChoice> {
  if (role === "orchestrator" && script.script === null)
    return refuse("scripted", `the driver \`scripted\` needs \`${scriptKey}\` with the file to play`);
  const source = await chooseScript(script, repository.root);
  if (source.kind === "invalid") return refuse("scripted", `\`${scriptKey}\`: ${source.message}`);
  return accept(makeScriptedDriver(source, player), readLimits(config, role));
}

/** The drivers of these two programs are large, and a role has one of them at most. */
async function chooseClaude({ config }: DriverRequest, { role }: RoleChoice): Promise<DriverChoice> {
  const { makeClaudeDriver } = await import("./claude-code.ts");
  return accept(
    makeClaudeDriver(makeClaudeSettings(config, role)),
    readLimits(config, role, readClaudeTurns(config, role)),
  );
}

async function chooseCodex({ config }: DriverRequest, { role }: RoleChoice): Promise<DriverChoice> {
  const unsupported = findCodexObstacle(config, role);
  if (unsupported !== null) return refuse("codex", `\`${unsupported}\` is set, but codex does not support it`);
  const { makeCodexDriver } = await import("./codex.ts");
  return accept(makeCodexDriver(makeCodexSettings(config, role)), readLimits(config, role));
}

/** The key that asks codex for something it cannot do; null where there is none. */
function findCodexObstacle({ roles, orchestrator }: Config, role: SessionRole): string | null {
  const { fallback_models: fallback } = roles[role];
  if (fallback !== undefined && fallback.length > 0) return `roles.${role}.fallback_models`;
  const hasCap = role === "orchestrator" && orchestrator.max_budget_usd !== null;
  return hasCap ? "orchestrator.max_budget_usd" : null;
}

/** What the section of the driver itself says, where the role says nothing. */
interface OwnLimits {
  /** In seconds. */
  readonly timeout?: OwnLimit;
  readonly turns?: OwnLimit;
}

interface OwnLimit {
  readonly max: number;
  readonly key: string;
}

function readLimits({ roles }: Config, role: SessionRole, own: OwnLimits = {}): DriverLimits {
  const { timeout_seconds, idle_timeout_seconds = null, max_turns } = roles[role];
  const timeout = chooseLimit(timeout_seconds, own.timeout, `roles.${role}.timeout_seconds`);
  const turns = chooseLimit(max_turns, own.turns, `roles.${role}.max_turns`);
  return {
    timeoutMs: toMilliseconds(timeout.max),
    idleTimeoutMs: toMilliseconds(idle_timeout_seconds),
    maxTurns: turns.max,
    keys: { timeout: timeout.key, idle: `roles.${role}.idle_timeout_seconds`, turns: turns.key },
  };
}

/** What the role says, else what the driver's own section says; the key of the role where neither does. */
function chooseLimit(ofRole: number | undefined, own: OwnLimit | undefined, key: string) {
  return ofRole === undefined && own !== undefined ? own : { max: ofRole ?? null, key };
}

function readClaudeTurns({ builder, orchestrator }: Config, role: SessionRole): OwnLimits {
  const { max_turns } = builder.claude_code;
  if (role === "orchestrator") return { turns: { max: orchestrator.max_turns, key: "orchestrator.max_turns" } };
  return role === "builder" && max_turns !== undefined
    ? { turns: { max: max_turns, key: "builder.claude_code.max_turns" } }
    : {};
}

const toMilliseconds = (seconds: number | null) => (seconds === null ? null : seconds * 1000);
const accept = (driver: Driver, limits: DriverLimits) => ({ kind: "ready", driver, limits }) as const;
const refuse = (driver: DriverName, problem: string) => ({ kind: "refused", driver, problem }) as const;
