/** The changed files that mutations are made in, with their changed lines. */
import type { Change } from "../../contract/evidence/evidence.ts";
import { canMutate } from "../../core/mutation/list-mutations.ts";
import { type GitAccess, runGit } from "../../io/git/git.ts";
import { readTreeContents } from "../../io/git/read-tree-contents.ts";

/** A file of the change, as a commit would hold it. */
export interface ChangedSource {
  readonly path: string;
  readonly text: string;
  /** The changed lines, counted from 1; null for a new file. */
  readonly lines: ReadonlySet<number> | null;
}

const FILE_BYTES_MAX = 1024 * 1024;
const FILES_MAX = 500;
const DIFF_BYTES_MAX = 16 * 1024 * 1024;

/** Reads the changed files that mutations can be made in. */
export async function readChangedSources(
  access: GitAccess,
  changes: readonly Change[],
): Promise<readonly ChangedSource[]> {
  const files = changes.flatMap(({ path, path_base64: exact, before, after }) => {
    const isReadable = after?.type === "file" && after.size <= FILE_BYTES_MAX && exact === null && canMutate(path);
    if (!isReadable || after.id === null) return [];
    return [{ path, before: before?.type === "file" ? before.id : null, id: after.id, size: after.size }];
  });
  const contents = await readTreeContents(access, files.slice(0, FILES_MAX));
  const sources: ChangedSource[] = [];
  for (const { path, before, id } of files) {
    const content = contents.get(id);
    const text = content?.toString("utf8") ?? "";
    if (content === undefined || !Buffer.from(text).equals(content)) continue;
    sources.push({ path, text, lines: before === null ? null : await readChangedLines(access, before, id) });
  }
  return sources;
}

async function readChangedLines(access: GitAccess, before: string, after: string): Promise<ReadonlySet<number>> {
  const args = ["diff", "-U0", "--no-color", "--no-ext-diff", "--no-textconv", before, after];
  const { stdout } = await runGit({ ...access, args, outputBytesMax: DIFF_BYTES_MAX });
  const hunks = stdout.toString("latin1").matchAll(/^@@ -\S+ \+(?<from>\d+)(?:,(?<count>\d+))? @@/gmu);
  return new Set(
    [...hunks].flatMap(({ groups = {} }) => {
      const count = Number(groups["count"] ?? "1");
      return Array.from({ length: count }, (_line, at) => Number(groups["from"]) + at);
    }),
  );
}
