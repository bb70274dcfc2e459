/**
 * What decides in the repository what the guard does: its recipe, its script or its package, and what these start in
 * turn, as far as they name it.
 *
 * It is found by reading lines as commands, which is no shell: what is put together at run time, and what a program of
 * another language starts, is not found.
 */
import { listSteeringFiles } from "../checks/check-steering.ts";
import { type Command, listCommands } from "../checks/list-commands.ts";

/** More than any guard needs, and few enough for the rules of one task. */
const GLOBS_MAX = 32;
const COMMANDS_MAX = 500;

/** The globs of all of it. `read` gives the text of a file of the repository, or null. */
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
      commands.push(...startedBy(glob, read));
    }
  }
  return [...globs];
}

/** A glob for a name anywhere is looked up at the root, where the tools begin. */
function startedBy(glob: string, read: (path: string) => string | null): readonly Command[] {
  return alternatives(glob.replace(/^\*\*\//, "")).flatMap((path) => {
    if (/[*?{]/.test(path) || !IS_LIST.test(path)) return [];
    const text = read(path);
    if (text === null) return [];
    return path.endsWith("package.json") ? scriptsOf(text).flatMap(listCommands) : listCommands(text);
  });
}

/** `{a,b}` is two names; any other glob is one. */
function alternatives(glob: string): readonly string[] {
  const names = /^\{(?<names>[^{}]*)\}$/.exec(glob)?.groups?.["names"];
  return names === undefined ? [glob] : names.split(",");
}

/** Files that are lists of commands: recipes, scripts of a shell, and the scripts of a package. */
const IS_LIST = /(?:^|\/)(?:\.?justfile|Makefile|GNUmakefile|package\.json|[^/]*\.(?:sh|bash|just|mk)|[^/.]+)$/;

function scriptsOf(text: string): readonly string[] {
  try {
    const document: unknown = JSON.parse(text);
    const scripts = typeof document === "object" && document !== null && "scripts" in document && document.scripts;
    if (typeof scripts !== "object" || scripts === null) return [];
    return Object.values(scripts).filter((script) => typeof script === "string");
  } catch {
    return [];
  }
}
