/**
 * The files that decide what the guard does: its recipe, script or package, and what these start by name. Lines are
 * read as commands, without a shell: commands that are built at run time or in another language are not found.
 */
import { hasRecipe, JUST_FILES, readScripts, RECIPE_FILES } from "../../checks/pure/recipe-commands.ts";
import { listSteeringFiles } from "../../checks/pure/check-steering.ts";
import { type Command, listCommands } from "../../checks/pure/wrapped-commands.ts";
import type { CheckTemplate } from "../../records/setup-answers.ts";

/** More than any guard needs, and few enough for the rules of one task. */
const GLOBS_MAX = 32;
const COMMANDS_MAX = 500;

/** `read` returns the text of a file of the repository, or null. */
export function listGuardSteering(
  [cmd = "", ...args]: readonly string[],
  read: (path: string) => string | null,
): readonly string[] {
  const globs = new Set<string>();
  const commands: Command[] = [{ cmd, args }];
  for (let at = 0; at < Math.min(commands.length, COMMANDS_MAX); at += 1) {
    const command = commands[at];
    for (const glob of command === undefined ? [] : listSteeringFiles(command)) {
      if (globs.has(glob) || globs.size >= GLOBS_MAX) continue;
      globs.add(glob);
      commands.push(...listStartedCommands(glob, read));
    }
  }
  return [...globs];
}

/** Whether its script or its recipe is there. Another program is taken to be: it was found before. */
export function isGuardThere([cmd = "", ...args]: readonly string[], read: (path: string) => string | null): boolean {
  const words = [cmd, ...args].map((word) => word.replace(/^(?:\.\/)+/u, ""));
  const scripts = listSteeringFiles({ cmd, args }).filter((path) => words.includes(path));
  if (scripts.some((path) => read(path) === null)) return false;
  const texts = new Map(
    [...RECIPE_FILES, ...JUST_FILES].flatMap((name) => {
      const text = read(name);
      return text === null ? [] : [[name, text] as const];
    }),
  );
  return hasRecipe({ cmd, args }, texts);
}

/** A glob for any folder is looked up at the root, where tools start. */
function listStartedCommands(glob: string, read: (path: string) => string | null): readonly Command[] {
  return listAlternatives(glob.replace(/^\*\*\//, "")).flatMap((path) => {
    if (/[*?{]/.test(path) || !IS_LIST.test(path)) return [];
    const text = read(path);
    if (text === null) return [];
    return path.endsWith("package.json")
      ? Object.values(readScripts(text)).flatMap((script) => (typeof script === "string" ? listCommands(script) : []))
      : listCommands(text);
  });
}

/** `{a,b}` is two names; any other glob is one. */
function listAlternatives(glob: string): readonly string[] {
  const names = /^\{(?<names>[^{}]*)\}$/.exec(glob)?.groups?.["names"];
  return names === undefined ? [glob] : names.split(",");
}

/** Recipes, shell scripts, and the scripts of a package. */
const IS_LIST = /(?:^|\/)(?:\.?justfile|Makefile|GNUmakefile|package\.json|[^/]*\.(?:sh|bash|just|mk)|[^/.]+)$/;

/** Usual names of the check that must pass, the most complete first. */
const NAMES = ["ci", "test", "check"];

export function findDefaultGuard(
  templates: readonly (CheckTemplate & { readonly params?: object })[],
): readonly string[] | null {
  const plain = templates.filter(({ params = {} }) => Object.keys(params).length === 0);
  const found = NAMES.flatMap((name) => plain.find(({ id }) => id === name) ?? []).at(0);
  return found === undefined ? null : [found.cmd, ...found.args];
}
