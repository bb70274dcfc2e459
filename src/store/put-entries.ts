import { type GitAccess, runGit } from "../git/git.ts";
import type { GitSide } from "../git/git-difference.ts";

/** Of a byte string; the mode `0` removes the path. */
type PutEntry = GitSide & { readonly path: string };

/** Puts entries into the index of the access, each with its content by id; their files are not looked at. */
export async function putEntries(
  access: GitAccess,
  entries: Iterable<PutEntry>,
  settings: readonly string[] = [],
): Promise<void> {
  const lines = Array.from(entries, ({ path, mode, id }) => `${mode} ${id} 0\t${path}\0`);
  await runGit({
    ...access,
    args: [...settings, "update-index", "-z", "--index-info"],
    input: Buffer.from(lines.join(""), "latin1"),
  });
}
