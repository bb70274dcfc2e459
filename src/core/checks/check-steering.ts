/**
 * What decides in a repository what its checks do: the scripts and programs that they start, the recipes and scripts
 * of the tools that they call, and the settings of test runners.
 *
 * Whoever changes one of these can make a check green without doing the work. It is found by name only, also behind the
 * usual wrappers: what a script calls in turn is not looked into.
 */
import type { Config } from "../../contract/config/config.ts";
import type { Command } from "./list-commands.ts";
import { validateGlob } from "../paths/glob-reading.ts";
import { FILES_OF_TOOL, RUNNER_SETTINGS } from "./steering-files.ts";
import { listRecipeCommands, type RecipeTexts } from "./recipe-commands.ts";
import { isShell, SHELL_LINE, listWrappedCommands } from "./wrapped-commands.ts";

type Template = Config["verification"]["templates"][number];

const INTERPRETERS = new Set(["node", "deno", "bun", "tsx", "ts-node", "python", "python3", "ruby", "perl", "php"]);
/** Options after which the program itself stands in the arguments, or the name of a module. */
const INLINE = /^(?:-[cemp]|--eval|--print)$/;
/** Options whose value is an argument of its own. */
const WITH_VALUE = /^(?:-r|--require|--import|--loader|-C|--conditions|-o|-O|-W|-X)$/;

/** No longer glob fits into the rules of a tick. */
const GLOB_CHARS = 400;

/** The globs of everything that steers these checks. */
export function checkSteering(templates: readonly Template[]): readonly string[] {
  return [...new Set([...RUNNER_SETTINGS, ...templates.flatMap(listSteeringFiles)])];
}

/** The globs of the files that these checks start or load: their programs, and the paths that their words name. */
export function listCheckPrograms(templates: readonly Command[], texts: RecipeTexts): readonly string[] {
  return [...new Set(templates.flatMap((template) => listPrograms(template, texts)))];
}

/** A script may call a script: followed so far. */
const RECIPE_DEPTH_MAX = 5;

function listPrograms(command: Command, texts: RecipeTexts, depth = 0): readonly string[] {
  const { cmd, args } = command;
  const script = scriptOf(cmd.slice(cmd.lastIndexOf("/") + 1), args);
  const behind =
    depth === RECIPE_DEPTH_MAX ? [] : [...listWrappedCommands(command), ...listRecipeCommands(command, texts)];
  return [
    ...(cmd.includes("/") ? inRepository(cmd) : []),
    ...(script === null || script.includes("{{") ? [] : inRepository(script)),
    ...args.filter((arg) => !arg.includes("{{")).flatMap(pathIn),
    ...behind.flatMap((inner) => listPrograms(inner, texts, depth + 1)),
  ];
}

/** The path in a word, also behind the name of an option. `build` alone is the name of a script as often as of a folder. */
function pathIn(word: string): readonly string[] {
  const path = word.startsWith("-") ? word.slice(word.indexOf("=") + 1) : word;
  const isPath = /\/|\.\w+$/u.test(path) && !path.startsWith("-") && !path.includes("*");
  if (!isPath || /^[./]*$/u.test(path)) return [];
  return inRepository(path).filter((glob) => glob.length <= GLOB_CHARS);
}

/** The globs of what steers one of them, and of what it starts in its own arguments. */
export function listSteeringFiles({ cmd, args }: Command): readonly string[] {
  const tool = cmd.slice(cmd.lastIndexOf("/") + 1);
  const script = scriptOf(tool, args);
  return [
    ...(cmd.includes("/") ? inRepository(cmd) : []),
    ...(script === null ? [] : inRepository(script)),
    ...(FILES_OF_TOOL.get(tool) ?? []),
    ...listWrappedCommands({ cmd, args }).flatMap(listSteeringFiles),
  ];
}

/** What an interpreter takes for its script: the first argument that is neither an option nor the value of one. */
function scriptOf(tool: string, args: readonly string[]): string | null {
  if (!isShell(tool) && !INTERPRETERS.has(tool)) return null;
  const inline = isShell(tool) ? SHELL_LINE : INLINE;
  const candidates = args.filter((_, place) => !WITH_VALUE.test(args[place - 1] ?? ""));
  const first = candidates.find((arg) => inline.test(arg) || !arg.startsWith("-"));
  return first === undefined || first.startsWith("-") ? null : first;
}

/** The glob of exactly this path, and of what lies below it; a name that no glob can hold has none. */
export function escapeGlob(path: string): readonly string[] {
  const glob = path.replaceAll(/[*?[\]{}()!+@|\\]/g, "?");
  return validateGlob(glob) === null ? [glob] : [];
}

/** A path as a glob. One that leads out of the repository cannot be changed by the work. */
function inRepository(path: string): readonly string[] {
  const plain = path.replace(/^(?:\.\/+)+/, "");
  if (plain === "" || plain.startsWith("/") || plain.split("/").includes("..")) return [];
  return escapeGlob(plain);
}
