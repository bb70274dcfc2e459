import { accessRepository, runGit } from "../git/git.ts";
import type { Repository } from "../git/repository-layout.ts";

interface Range {
  readonly repository: Repository;
  readonly from: string;
  readonly to: string;
  readonly bytesMax: number;
}

const FORMAT = ["--stat", "-p", "--no-renames", "--no-color", "--no-ext-diff", "--no-textconv"];

/** The change between two commits for an agent to read: an overview and the beginning of the patch. */
export async function commitPatch({ repository, from, to, bytesMax }: Range): Promise<string> {
  const kept: Buffer[] = [];
  let bytes = 0;
  await runGit({
    ...accessRepository(repository),
    workTree: repository.root,
    args: ["diff-tree", "-r", ...FORMAT, from, to, "--"],
    onStdout: (chunk) => {
      if (bytes < bytesMax) kept.push(chunk.subarray(0, bytesMax - bytes));
      bytes += chunk.length;
    },
    outputBytesMax: Number.MAX_SAFE_INTEGER,
  });
  return Buffer.concat(kept).toString("utf8");
}
