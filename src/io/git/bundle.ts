/** Commits in one file, on their way from one repository to another. */
import { createReadStream } from "node:fs";
import { findCommit } from "./find-commit.ts";
import { accessRepository, runGit } from "./git.ts";
import type { Repository } from "./repository-layout.ts";

const LIST_BYTES_MAX = 1024 * 1024;

interface BundleRequest {
  readonly repository: Repository;
  /** A commit that the other side has. */
  readonly base: string;
  readonly refs: readonly string[];
  readonly file: string;
}

/** Everything from the base to these refs. */
export async function createBundle({ repository, base, refs, file }: BundleRequest): Promise<void> {
  const args = ["bundle", "create", "--quiet", file, ...refs, `^${base}`];
  await runGit({ ...accessRepository(repository), args });
  await runGit({ ...accessRepository(repository), args: ["bundle", "verify", "--quiet", file] });
}

/** Moves a ref to a commit, whatever it was. */
export async function setRef(repository: Repository, ref: string, commit: string): Promise<void> {
  await runGit({ ...accessRepository(repository), args: ["update-ref", "-m", "relais: a job", ref, commit] });
}

export interface ImportedRef {
  readonly ref: string;
  readonly commit: string;
  /** `kept`: the ref is elsewhere, with commits that the bundle does not have. */
  readonly state: "new" | "same" | "moved" | "kept";
}

/**
 * Takes the refs of a bundle over, each by compare and swap. A branch only moves forward. Nothing else is touched; a
 * branch that is checked out is kept, because the working tree would not follow.
 */
export async function importBundle(
  repository: Repository,
  file: string,
  checkedOut: string | null,
): Promise<readonly ImportedRef[]> {
  const access = accessRepository(repository);
  await runGit({ ...access, args: ["bundle", "verify", "--quiet", file], outputBytesMax: LIST_BYTES_MAX });
  const { stdout } = await runGit({ ...access, args: ["bundle", "unbundle", file], outputBytesMax: LIST_BYTES_MAX });
  const imported: ImportedRef[] = [];
  for (const line of stdout.toString("utf8").trimEnd().split("\n")) {
    const [, commit = "", ref = ""] = /^(\S+) (\S+)$/.exec(line) ?? [];
    if (ref !== "") imported.push(await importRef(repository, { ref, commit, checkedOut }));
  }
  return imported;
}

async function importRef(
  repository: Repository,
  { ref, commit, checkedOut }: { readonly ref: string; readonly commit: string; readonly checkedOut: string | null },
): Promise<ImportedRef> {
  const old = await findCommit(ref, { repository });
  if (old === commit) return { ref, commit, state: "same" };
  const access = accessRepository(repository);
  if (old !== null) {
    const ancestry = ["merge-base", "--is-ancestor", old, commit];
    const { status } = await runGit({ ...access, args: ancestry, okStatuses: [0, 1] });
    if (status !== 0 || ref === checkedOut) return { ref, commit: old, state: "kept" };
  }
  const before = old ?? "0".repeat(commit.length);
  await runGit({ ...access, args: ["update-ref", "-m", "relais: a fetched job", ref, commit, before] });
  return { ref, commit, state: old === null ? "new" : "moved" };
}

/** Each reader begins at the start of the file. */
export function streamFile(path: string): AsyncIterable<Uint8Array> {
  return { [Symbol.asyncIterator]: () => createReadStream(path)[Symbol.asyncIterator]() };
}
