import { MeasurementError } from "../base/measurement-error.ts";
import type { FilterView } from "../git/filter-view.ts";
import { runGit } from "../git/git.ts";

const MESSAGES_BYTES_MAX = 1024 * 1024;

/** Writes paths of a commit into the tree of the view, as a checkout would: through the repository's filters. */
export async function layOutPaths({ access }: FilterView, commit: string, paths: readonly string[]): Promise<void> {
  await runGit({ ...access, args: ["read-tree", commit] });
  if (paths.length === 0) return;
  const { stderr } = await runGit({
    ...access,
    args: ["checkout-index", "-f", "-z", "--stdin"],
    input: Buffer.from(paths.map((path) => `${path}\0`).join(""), "latin1"),
    outputBytesMax: MESSAGES_BYTES_MAX,
  });
  refuseUnfiltered(stderr);
}

/** Git goes on with unconverted content when a filter fails that is not required. A commit should not. */
export function refuseUnfiltered(messages: string): void {
  const failure = /^(?:error|fatal): (?<what>.*external filter '.*)$/m.exec(messages)?.groups?.["what"];
  if (failure !== undefined) throw new MeasurementError("the repository's filters", failure);
}
