/** Commits in one file, on their way from one repository to another. */
import { createReadStream } from "node:fs";
import { findCommit, isAncestor } from "./find-commit.ts";
import { accessRepository, runGit } from "./git.ts";
import { moveRef } from "./move-ref.ts";
import type { Repository } from "./repository-layout.ts";

const LIST_BYTES_MAX = 1024 * 1024;

/** Everything from the base to these refs. */
export async function createBundle(
  repository: Repository /** A commit that the other side has. */,
  base: string,
  refs: readonly string[],
  file: string,
): Promise<void> {
  const args = ["bundle", "create", "--quiet", file, ...refs, `^${base}`];
  await runGit({ ...accessRepository(repository), args });
  await runGit({ ...accessRepository(repository), args: ["bundle", "verify", "--quiet", file] });
}

export interface ImportedRef {
  readonly ref: string;
  readonly commit: string;
  /** `kept`: the ref is elsewhere, with commits that the bundle does not have. */
  readonly state: "new" | "same" | "moved" | "kept";
}

/**
 * Takes the refs of a bundle over, each by compare and swap. A branch only moves forward. Nothing else is touched: the
 * maker of a bundle chooses the names in it, and git does not check them.
 */
export async function importBundle(
  repository: Repository,
  file: string,
  /** A branch that is kept, because the working tree would not follow. */
  checkedOut: string | null /** The one ref that the bundle is for, or a folder of refs, with a slash at its end. */,
  within: string,
): Promise<readonly ImportedRef[]> {
  const access = accessRepository(repository);
  await runGit({ ...access, args: ["bundle", "verify", "--quiet", file], outputBytesMax: LIST_BYTES_MAX });
  const { stdout } = await runGit({ ...access, args: ["bundle", "unbundle", file], outputBytesMax: LIST_BYTES_MAX });
  const imported: ImportedRef[] = [];
  for (const { ref, commit } of parseBundleRefs(stdout.toString("utf8"), within))
    imported.push(await importRef(repository, { ref, commit, checkedOut }));
  return imported;
}

const LISTED = /^(?<commit>[0-9a-f]{40}(?:[0-9a-f]{24})?) (?<ref>\S+)$/;

export function parseBundleRefs(text: string, within: string): readonly Pick<ImportedRef, "ref" | "commit">[] {
  return text.split("\n").flatMap((line) => {
    const { commit = "", ref = "" } = LISTED.exec(line)?.groups ?? {};
    const isWithin = within.endsWith("/") ? isBelow(ref, within) : ref === within;
    return isWithin ? [{ ref, commit }] : [];
  });
}

/** A ref is safe as a path, too. */
function isBelow(ref: string, folder: string): boolean {
  return ref.startsWith(folder) && /^[A-Za-z0-9][A-Za-z0-9_-]*$/.test(ref.slice(folder.length));
}

async function importRef(
  repository: Repository,
  { ref, commit, checkedOut }: { readonly ref: string; readonly commit: string; readonly checkedOut: string | null },
): Promise<ImportedRef> {
  const old = await findCommit(ref, { repository });
  if (old === commit) return { ref, commit, state: "same" };
  if (old !== null && (ref === checkedOut || !(await isAncestor(old, commit, repository))))
    return { ref, commit: old, state: "kept" };
  const from = old ?? "0".repeat(commit.length);
  await moveRef(repository, { ref, to: commit, from, reason: "relais: a fetched job" });
  return { ref, commit, state: old === null ? "new" : "moved" };
}

/** Each reader begins at the start of the file. */
export function streamFile(path: string): AsyncIterable<Uint8Array> {
  return { [Symbol.asyncIterator]: () => createReadStream(path)[Symbol.asyncIterator]() };
}
