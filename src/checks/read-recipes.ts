import { join } from "node:path";
import { MeasurementError } from "../base/measurement-error.ts";
import { RECIPE_FILES, type RecipeTexts } from "./pure/recipe-commands.ts";
import { readNow } from "../system/read-now.ts";

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
