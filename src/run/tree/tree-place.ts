/** Where the tree of a repository lies, for commands that only look at it. */
import { join, resolve } from "node:path";
import type { Config } from "../../contract/config/config.ts";
import type { Caller } from "../../contract/values/environment.ts";
import { unreachable } from "../../contract/values/invariant.ts";
import { type ReadTree, readTree, TREE_BYTES_MAX } from "../../core/tree/read-tree.ts";
import { readBounded } from "../../io/files/bounded-file.ts";
import { findRepository, type Repository } from "../../io/git/repository-layout.ts";
import { readConfigFile } from "../workspace/config-file.ts";
import { bareRepository, noRepository, type Unready, unready } from "../workspace/ground.ts";

export interface TreePlace {
  readonly kind: "place";
  readonly repository: Repository;
  readonly config: Config;
}

/** The repository and its configuration, without which nobody knows where the tree is. */
export async function findTreePlace({ cwd, environment }: Caller): Promise<TreePlace | Unready> {
  const repository = await findRepository(cwd, environment);
  switch (repository.kind) {
    case "none":
      return noRepository(repository);
    case "bare":
      return bareRepository(repository.dir);
    case "repository":
      break;
    default:
      return unreachable(repository);
  }
  const file = await readConfigFile(repository.root);
  if (file.kind === "config") return { kind: "place", repository, config: file.config };
  if (file.kind === "unusable")
    return { ...unready("config_invalid", file.message), problems: file.problems };
  return unready(
    "config_missing",
    `There is no relais.config.json at the root of the repository, ${repository.root}.`,
    "Run `relais init` there.",
  );
}

export interface FoundTree {
  readonly kind: "found";
  /** From the root of the repository, or as it was named. */
  readonly path: string;
  readonly read: ReadTree;
}

/** Reads the tree of the workspace, or another file that is to be looked at. */
export async function findTree(caller: Caller, file: string | null): Promise<FoundTree | Unready> {
  if (file !== null)
    return readTreeFile({ path: file, absolute: resolve(caller.cwd, file) }, "Name a file that exists.");
  const place = await findTreePlace(caller);
  if (place.kind === "blocked") return place;
  const path = `${place.config.workspace_dir}/tree.json`;
  const absolute = join(place.repository.root, path);
  return readTreeFile({ path, absolute }, "`relais tree init` makes one.");
}

async function readTreeFile(
  { path, absolute }: { readonly path: string; readonly absolute: string },
  remedy: string,
): Promise<FoundTree | Unready> {
  const read = await readBounded(absolute, TREE_BYTES_MAX);
  if (read.kind === "read") return { kind: "found", path, read: readTree(read.data) };
  const reason = read.kind === "missing" ? "it does not exist" : read.reason;
  return unready("tree_missing", `The tree ${path} cannot be read: ${reason}.`, remedy);
}
