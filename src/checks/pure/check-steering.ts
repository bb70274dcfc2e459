import type { Config } from "../../config/config.ts";
import { validateGlob } from "../../base/glob-validity.ts";
import { FILES_OF_TOOL, RUNNER_SETTINGS } from "./steering-files.ts";
import { listRecipeCommands, type RecipeTexts } from "./recipe-commands.ts";
import { isShell, SHELL_LINE, listWrappedCommands, type Command } from "./wrapped-commands.ts";
import type { Rules } from "../../records/evidence.ts";
import type { CheckRule } from "../../base/check-rules.ts";

/**
 * The files that decide what the checks do: the scripts and programs that they start, the recipes of their tools, and
 * the settings of test runners. A change of one of these can make a check pass without the work. They are found by name
 * only, also behind the usual wrappers; scripts are not searched for further scripts.
 */

type Template = Config["verification"]["templates"][number];

const INTERPRETERS = new Set(["node", "deno", "bun", "tsx", "ts-node", "python", "python3", "ruby", "perl", "php"]);
/** Options that are followed by the program itself, or by the name of a module. */
const INLINE = /^(?:-[cemp]|--eval|--print)$/;
/** Options with a separate value. */
const WITH_VALUE = /^(?:-r|--require|--import|--loader|-C|--conditions|-o|-O|-W|-X)$/;

/** The limit of a glob in the rules of a tick. */
const GLOB_CHARS = 400;

export function checkSteering(templates: readonly Template[], texts: RecipeTexts = new Map()): readonly string[] {
  return [...new Set([...RUNNER_SETTINGS, ...templates.flatMap((template) => listSteeringBehind(template, texts))])];
}

/** Also behind the scripts of a package and the rules of a Makefile. */
function listSteeringBehind(command: Command, texts: RecipeTexts, depth = 0): readonly string[] {
  const behind = depth === RECIPE_DEPTH_MAX ? [] : listRecipeCommands(command, texts);
  return [...listSteeringFiles(command), ...behind.flatMap((inner) => listSteeringBehind(inner, texts, depth + 1))];
}

/** The globs of the files that these checks start or load. */
export function listCheckPrograms(templates: readonly Command[], texts: RecipeTexts): readonly string[] {
  return [...new Set(templates.flatMap((template) => listPrograms(template, texts)))];
}

/** How far scripts that call scripts are followed. */
const RECIPE_DEPTH_MAX = 5;

function listPrograms(command: Command, texts: RecipeTexts, depth = 0): readonly string[] {
  const { cmd, args } = command;
  const script = findScript(cmd.slice(cmd.lastIndexOf("/") + 1), args);
  const behind =
    depth === RECIPE_DEPTH_MAX ? [] : [...listWrappedCommands(command), ...listRecipeCommands(command, texts)];
  return [
    ...(cmd.includes("/") ? globInRepository(cmd) : []),
    ...(script === null || script.includes("{{") ? [] : globInRepository(script)),
    ...args.filter((arg) => !arg.includes("{{")).flatMap(listWordPaths),
    ...behind.flatMap((inner) => listPrograms(inner, texts, depth + 1)),
  ];
}

/** The names of programs that these checks find on the PATH. */
export function listProgramNames(templates: readonly Command[], texts: RecipeTexts): readonly string[] {
  return [...new Set(templates.flatMap((template) => listNames(template, texts)))];
}

function listNames(command: Command, texts: RecipeTexts, depth = 0): readonly string[] {
  const behind =
    depth === RECIPE_DEPTH_MAX ? [] : [...listWrappedCommands(command), ...listRecipeCommands(command, texts)];
  const own = command.cmd.includes("/") || command.cmd === "" ? [] : [command.cmd];
  return [...own, ...behind.flatMap((inner) => listNames(inner, texts, depth + 1))];
}

/** Also after the name of an option. `build` alone can be a script or a folder, so it is none. */
function listWordPaths(word: string): readonly string[] {
  const path = word.startsWith("-") ? word.slice(word.indexOf("=") + 1) : word;
  const isPath = /\/|\.\w+$/u.test(path) && !path.startsWith("-") && !path.includes("*");
  if (!isPath || /^[./]*$/u.test(path)) return [];
  return globInRepository(path).filter((glob) => glob.length <= GLOB_CHARS);
}

export function listSteeringFiles({ cmd, args }: Command): readonly string[] {
  const tool = cmd.slice(cmd.lastIndexOf("/") + 1);
  const script = findScript(tool, args);
  return [
    ...(cmd.includes("/") ? globInRepository(cmd) : []),
    ...(script === null ? [] : globInRepository(script)),
    ...(FILES_OF_TOOL.get(tool) ?? []),
    ...listWrappedCommands({ cmd, args }).flatMap(listSteeringFiles),
  ];
}

/** A script of a check mostly loads others of its folder. A folder of sources is none of these. */
export function listScriptFolders(command: Command, texts: RecipeTexts, depth = 0): readonly string[] {
  const { cmd, args } = command;
  const script = findScript(cmd.slice(cmd.lastIndexOf("/") + 1), args);
  const behind =
    depth === RECIPE_DEPTH_MAX ? [] : [...listWrappedCommands(command), ...listRecipeCommands(command, texts)];
  return [
    ...[cmd, script ?? ""].flatMap(listNeighbours),
    ...behind.flatMap((inner) => listScriptFolders(inner, texts, depth + 1)),
  ];
}

function listNeighbours(path: string): readonly string[] {
  const folder = /^(?:\.\/)?(?<folder>(?:[^/]+\/)*(?:scripts?|tools?|checks?|ci|\.ci|hack|quality))\//u.exec(path);
  const name = folder?.groups?.["folder"];
  return name === undefined ? [] : globInRepository(`${name}/x`).map((glob) => glob.replace(/x$/u, "**"));
}

/** The first argument that is neither an option nor the value of one. */
function findScript(tool: string, args: readonly string[]): string | null {
  if (!isShell(tool) && !INTERPRETERS.has(tool)) return null;
  const inline = isShell(tool) ? SHELL_LINE : INLINE;
  const candidates = args.filter((_, place) => !WITH_VALUE.test(args[place - 1] ?? ""));
  const first = candidates.find((arg) => inline.test(arg) || !arg.startsWith("-"));
  return first === undefined || first.startsWith("-") ? null : first;
}

/** Matches exactly this path and everything below; none if no glob can express it. */
export function escapeGlob(path: string): readonly string[] {
  const glob = path.replaceAll(/[*?[\]{}()!+@|\\]/g, "?");
  return validateGlob(glob) === null ? [glob] : [];
}

/** The work cannot change a path outside the repository. */
function globInRepository(path: string): readonly string[] {
  const plain = path.replace(/^(?:\.\/+)+/, "");
  if (plain === "" || plain.startsWith("/") || plain.split("/").includes("..")) return [];
  return escapeGlob(plain);
}

type Verification = Pick<Config["verification"], "oracle_globs" | "templates" | "rules"> & { readonly oracle: string };

/** Of a longer task, the beginning. */
const TASK_CHARS_MAX = 4000;

interface WeighedTask {
  readonly text: string | undefined;
  /** Of a person, not of an orchestrator. */
  readonly isOwn: boolean;
}

const NO_TASK: WeighedTask = { text: "", isOwn: true };

/** Rules that take a task by its words, which only a person's task is worth. */
const ABOUT_WORDS: Readonly<Partial<Record<CheckRule, "note">>> = { no_effect: "note", passes_without_change: "note" };

/** How weakened checks are found and treated. A rule that the person's task allows is a note at most. */
export function makeWeakeningRules(
  { oracle, oracle_globs, templates, rules }: Verification,
  allows: readonly CheckRule[],
  task: WeighedTask = NO_TASK,
): Pick<Rules, "weakening"> {
  if (oracle === "off") return {};
  const allowed = allows.map((rule) => [rule, rules[rule] === "off" ? "off" : "note"] as const);
  return {
    weakening: {
      test_globs: oracle_globs,
      settings_globs: [...checkSteering(templates)],
      rules: { ...(task.isOwn ? {} : ABOUT_WORDS), ...rules, ...Object.fromEntries(allowed) },
      ...(task.text ? { task_text: task.text.slice(0, TASK_CHARS_MAX) } : {}),
    },
  };
}
