import { lstatSync } from "node:fs";
import { join } from "node:path";
import { MeasurementError } from "../../contract/values/measurement-error.ts";

interface FilterPrograms {
  readonly root: string;
  /** What the filter commands name that could be paths below the root. */
  readonly words: readonly string[];
  /** The files among them that the base commit has. */
  readonly committed: ReadonlySet<string>;
}

/**
 * A commit that failed, with what to mend where a filter is a file of the working tree that no commit has: filters run
 * as the base commit has them, and there it is missing. Its own message would only say that it was not found.
 */
export function withUncommittedFilters(error: unknown, programs: FilterPrograms): unknown {
  if (!(error instanceof MeasurementError) || !/filter/.test(error.message)) return error;
  const { root, words, committed } = programs;
  const missing = words.filter(
    (word) => !committed.has(word) && lstatSync(join(root, word), { throwIfNoEntry: false })?.isFile() === true,
  );
  if (missing.length === 0) return error;
  const [what, it] =
    missing.length === 1 ? ["a file that is not committed", "it"] : ["files that are not committed", "them"];
  return new MeasurementError(
    "the repository's filters",
    `${missing.join(", ")}: ${what}, and filters run as the last commit has them; commit ${it} first, or name ${it} by a path outside the repository (${error.detail})`,
  );
}
