/**
 * Makes the attributes of some paths independent of every attributes file.
 *
 * A change that edits attributes is stored by the old ones. When git then refreshes the index, it would use the new
 * ones and call stored files modified. So the old ones are written path by path into the file with the highest
 * priority, for the private git directory only.
 */
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { MeasurementError } from "../base/measurement-error.ts";
import type { FilterView } from "../git/filter-view.ts";
import { runGit } from "../git/git.ts";

const DECIDING = ["text", "crlf", "eol", "filter", "ident", "working-tree-encoding"];
const ANSWER_BYTES_MAX = 256 * 1024 * 1024;

/** Asks git in the view, where the old attributes still lie, and pins its answers there. */
export async function freezeAttributes({ access }: FilterView, paths: readonly string[]): Promise<void> {
  const { stdout } = await runGit({
    ...access,
    args: ["check-attr", "-z", "--stdin", ...DECIDING],
    input: Buffer.from(paths.map((path) => `${path}\0`).join(""), "latin1"),
    outputBytesMax: ANSWER_BYTES_MAX,
  });
  const fields = stdout.toString("latin1").split("\0").slice(0, -1);
  if (fields.length !== 3 * DECIDING.length * paths.length)
    throw new MeasurementError("git check-attr", "an unreadable answer");
  const lines = paths.map((path, index) => {
    const states = DECIDING.map((name, at) => renderState(name, fields[3 * (index * DECIDING.length + at) + 2]));
    return `${renderPattern(path)} ${states.join(" ")}\n`;
  });
  await writeFile(join(access.gitDir, "info", "attributes"), Buffer.from(lines.join(""), "latin1"));
}

function renderState(name: string, value = "unspecified"): string {
  if (value === "set") return name;
  if (value === "unset") return `-${name}`;
  return value === "unspecified" ? `!${name}` : `${name}=${value}`;
}

/** A pattern for exactly this path, with every special character escaped. */
function renderPattern(path: string): string {
  const exact = `/${path.replaceAll(/[\\*?[\]]/g, (character) => `\\${character}`)}`;
  return `"${exact.replaceAll(/["\\]/g, (character) => `\\${character}`).replaceAll("\n", "\\n")}"`;
}
