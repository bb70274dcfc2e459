import { join, relative } from "node:path";
import { MeasurementError } from "../base/errors.ts";
import { RECIPE_FILES, type RecipeTexts } from "./pure/recipe-commands.ts";
import { readNow } from "../system/read-files.ts";
import { escapeGlob } from "./pure/check-steering.ts";
import type { Repository } from "../git/repository-layout.ts";
import { findProgram } from "../system/find-program.ts";

const BYTES_MAX = 1024 * 1024;

/** The recipes at the root of a repository, read before anybody works. */
export function readRecipes(root: string): RecipeTexts {
  return new Map(
    RECIPE_FILES.flatMap((name) => {
      const text = readIfPlain(join(root, name));
      return text === null ? [] : [[name, text] as const];
    }),
  );
}

/** Null for a link, a folder or a huge file: no check is guessed from those. */
export function readIfPlain(path: string): string | null {
  try {
    return readNow(path, { bytesMax: BYTES_MAX })?.toString("utf8") ?? null;
  } catch (error) {
    if (error instanceof MeasurementError) return null;
    throw error;
  }
}

/** Dependencies are installed, and their programs are links into them. */
const DEPENDENCIES = /(?:^|\/)node_modules\//u;

/** The programs of checks that the PATH finds inside the repository, as in an activated virtual environment: globs. */
export async function findInsidePrograms(
  { root, environment }: Repository,
  names: readonly string[],
): Promise<readonly string[]> {
  const path = environment["PATH"];
  if (path === undefined) return [];
  const found = await Promise.all(names.map((name) => findProgram(name, { path, cwd: root })));
  return found.flatMap((file) => {
    const inside = file === null ? ".." : relative(root, file);
    return inside.startsWith("..") || DEPENDENCIES.test(inside) ? [] : escapeGlob(inside);
  });
}
