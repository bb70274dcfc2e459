import type { GitAccess } from "../../io/git/git.ts";
import { type GitSide, listGitDifference } from "../../io/git/git-difference.ts";
import { withObjects } from "../../io/git/git-objects.ts";
import type { PlacedFile } from "../../io/place/write-placed.ts";

const PLACED_BYTES_MAX = 256 * 1024 * 1024;

const isFile = (side: GitSide | null): side is GitSide => side !== null && side.mode.startsWith("100");

/** The files that make the working tree equal to the judged commit or index. */
export async function listPlacedFiles(worktree: GitAccess, judged: string): Promise<readonly PlacedFile[]> {
  const differences = await listGitDifference(worktree, { from: judged, to: null });
  const removed = differences.flatMap(({ path, before }) => (before === null ? [{ path, content: null }] : []));
  const wanted = differences.flatMap(({ path, before }) => (isFile(before) ? [{ path, side: before }] : []));
  const written = await withObjects(worktree, (read) =>
    Promise.all(
      wanted.map(async ({ path, side }) => {
        const { content } = await read(side.id, PLACED_BYTES_MAX);
        return { path, content, mode: side.mode === "100755" ? 0o755 : 0o644 };
      }),
    ),
  );
  return [...removed, ...written.filter(({ content }) => content !== null)];
}
