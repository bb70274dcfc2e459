/**
 * The path of a repository, for the case that its `.git` is gone.
 *
 * A builder may delete or move the git directory, and relais may be killed before the rollback. Then nothing in the
 * folder says that it is a repository, or a search finds the one of a parent folder. So each state directory names its
 * repository.
 */
import { readdirSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import * as v from "valibot";
import type { Environment } from "../base/environment.ts";
import { parseWith } from "../base/schema-error.ts";
import { writeAtomic } from "../system/atomic-file.ts";
import { readBounded } from "../system/bounded-file.ts";
import { parseJson } from "../system/parse-json.ts";
import type { Repository } from "../git/repository-layout.ts";
import { locateStateRoot } from "./state-directory.ts";

const Remembered = v.strictObject({
  kind: v.literal("repository"),
  root: v.string(),
  gitDir: v.string(),
  commonDir: v.string(),
  gitFile: v.boolean(),
});

const NAME = "repository.json";
const BYTES_MAX = 64 * 1024;

export async function rememberRepository(
  stateDirectory: string,
  { kind, root, gitDir, commonDir, gitFile }: Repository,
): Promise<void> {
  const remembered = { kind, root, gitDir, commonDir, gitFile };
  const [path, text] = [join(stateDirectory, NAME), `${JSON.stringify(remembered)}\n`];
  const read = await readBounded(path, BYTES_MAX);
  if (read.kind === "read" && read.data.toString("utf8") === text) return;
  await writeAtomic(path, text, { mode: 0o600 });
}

/** A repository with a journal. */
export interface JournaledRepository {
  /** The name of its state directory. */
  readonly name: string;
  readonly root: string;
  readonly journal: { readonly path: string; readonly bytes: number };
}

/** The repositories of this user that still exist and have a journal, the one that was written last first. */
export async function listJournaledRepositories(environment: Environment): Promise<readonly JournaledRepository[]> {
  const remembered = await listRememberedRepositories(environment);
  const found = [...remembered].flatMap(([name, { root }]) => {
    const path = join(locateStateRoot(environment), name, "journal.jsonl");
    const stats = statSync(path, { throwIfNoEntry: false });
    const isThere = statSync(root, { throwIfNoEntry: false })?.isDirectory() ?? false;
    if (stats === undefined || !isThere) return [];
    return [{ changedMs: stats.mtimeMs, repository: { name, root, journal: { path, bytes: stats.size } } }];
  });
  return found.toSorted((one, other) => other.changedMs - one.changedMs).map(({ repository }) => repository);
}

/** By the name of the state directory. */
async function listRememberedRepositories(environment: Environment): Promise<ReadonlyMap<string, Repository>> {
  const known = new Map<string, Repository>();
  for (const name of listStateNames(locateStateRoot(environment))) {
    const read = await readBounded(join(locateStateRoot(environment), name, NAME), BYTES_MAX);
    if (read.kind !== "read") continue;
    const parsed = parseWith(Remembered, parseJson(read.data.toString("utf8")));
    if (parsed.kind === "valid") known.set(name, { ...parsed.value, environment });
  }
  return known;
}

/** The innermost repository that relais has worked on, at this folder or above it, even if its git data is gone. */
export async function recallRepository(folder: string, environment: Environment): Promise<Repository | null> {
  const remembered = await listRememberedRepositories(environment);
  const known = new Map([...remembered.values()].map((repository) => [repository.root, repository]));
  for (let at = folder; ; at = dirname(at)) {
    const found = known.get(at);
    if (found !== undefined) return found;
    if (at === dirname(at)) return null;
  }
}

function listStateNames(root: string): readonly string[] {
  try {
    return readdirSync(root);
  } catch {
    return []; // Nothing was ever remembered here.
  }
}
