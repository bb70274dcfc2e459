/**
 * The commands behind the package script or Makefile rule of a check, from the texts of the base. Commands after one that
 * builds are left out: the check makes those files itself before it loads them.
 */
import { type Command, listCommands } from "./wrapped-commands.ts";
import { listJustRecipes, listMakeRules } from "./recipe-names.ts";

/** The files at the root of a repository that hold recipes, in the order in which make looks for its own. */
export const RECIPE_FILES = ["package.json", "GNUmakefile", "makefile", "Makefile"] as const;
export type RecipeTexts = ReadonlyMap<string, string>;

const PACKAGE_TOOLS = new Set(["npm", "pnpm", "yarn", "bun"]);
const MAKE_TOOLS = new Set(["make", "gmake"]);
const BUILDS =
  /(?:^|[\s/:-])(?:build|compile|bundle|tsc|esbuild|webpack|rollup|babel|swc|tsup|vite|cmake|cargo|go|mvn|gradle)\b(?!\/)/;
const BUILDS_NOTHING = /--(?:noEmit|dry-run|just-print)\b/;

export function listRecipeCommands(command: Command, texts: RecipeTexts): readonly Command[] {
  // The paths that a build names are mostly what it writes.
  if (isBuild(command)) return [];
  const commands = listCommands(readRecipe(command, texts));
  const build = commands.findIndex(isBuild);
  return build === -1 ? commands : commands.slice(0, build);
}

function readRecipe({ cmd, args }: Command, texts: RecipeTexts): string {
  const tool = cmd.slice(cmd.lastIndexOf("/") + 1);
  const words = args.filter((arg) => !arg.startsWith("-") && !arg.includes("="));
  if (PACKAGE_TOOLS.has(tool)) return readScript(words, texts);
  return MAKE_TOOLS.has(tool) ? readRules(words, texts) : "";
}

function isBuild({ cmd, args }: Command): boolean {
  const line = [cmd, ...args].join(" ");
  return BUILDS.test(line) && !BUILDS_NOTHING.test(line);
}

function readScript([verb = "", named = ""]: readonly string[], texts: RecipeTexts): string {
  const name = /^run(?:-script)?$/.test(verb) ? named : verb === "t" ? "test" : verb;
  const scripts = readScripts(texts.get("package.json") ?? "");
  return [scripts[`pre${name}`], scripts[name]].filter((text) => typeof text === "string").join("\n");
}

/** The names of a justfile; others in capitals are rare. */
export const JUST_FILES = ["justfile", "Justfile", ".justfile"] as const;

/** Whether the recipe that the command names is there; a command that names none has all it needs. */
export function hasRecipe({ cmd, args }: Command, texts: RecipeTexts): boolean {
  const tool = cmd.slice(cmd.lastIndexOf("/") + 1);
  const words = args.filter((arg) => !arg.startsWith("-") && !arg.includes("="));
  if (PACKAGE_TOOLS.has(tool)) return hasScript(tool, words, texts);
  if (MAKE_TOOLS.has(tool)) return words.every((name) => listMakeRules(readMakefile(texts)).has(name));
  const [recipe] = words;
  const justfile = JUST_FILES.flatMap((name) => texts.get(name) ?? []).at(0) ?? "";
  return tool !== "just" || recipe === undefined || listJustRecipes(justfile).has(recipe);
}

/** `bun test` needs no script. */
function hasScript(tool: string, [verb = "", named = ""]: readonly string[], texts: RecipeTexts): boolean {
  const isTest = tool !== "bun" && /^t(?:est)?$/.test(verb);
  const name = /^run(?:-script)?$/.test(verb) ? named : isTest ? "test" : "";
  return name === "" || name in readScripts(texts.get("package.json") ?? "");
}

/** The scripts of a package.json. */
export function readScripts(text: string): Readonly<Record<string, unknown>> {
  try {
    const manifest: unknown = JSON.parse(text);
    const hasScripts = typeof manifest === "object" && manifest !== null && "scripts" in manifest;
    return hasScripts && typeof manifest.scripts === "object" ? { ...manifest.scripts } : {};
  } catch {
    // No package manager can read it either.
    return {};
  }
}

function readMakefile(texts: RecipeTexts): string {
  const file = RECIPE_FILES.slice(1).find((name) => texts.has(name));
  return texts.get(file ?? "") ?? "";
}

/** The recipes of these targets, each after those of the targets that it needs. */
function readRules(targets: readonly string[], texts: RecipeTexts): string {
  const rules = listMakeRules(readMakefile(texts));
  const [first] = rules.keys();
  const lines: string[] = [];
  const seen = new Set<string>();
  const visit = (target: string): void => {
    const rule = rules.get(target);
    if (rule === undefined || seen.has(target)) return;
    seen.add(target);
    rule.needs.forEach(visit);
    lines.push(...rule.lines);
  };
  (targets.length === 0 && first !== undefined ? [first] : targets).forEach(visit);
  return lines.join("\n");
}
