/** Reads the tree of a repository, without a lock. */
import { join, resolve } from "node:path";
import type { Caller } from "../base/environment.ts";
import { type ReadTree, readTree, TREE_BYTES_MAX } from "./pure/read-tree.ts";
import { readProject } from "../workspace/read-project.ts";
import { readBounded } from "../system/bounded-file.ts";
import { refuseNotReady, type NotReady } from "../records/command-failure.ts";

export interface FoundTree {
  readonly kind: "found";
  /** From the root of the repository, or as it was named. */
  readonly path: string;
  readonly read: ReadTree;
}

export async function findTree(caller: Caller, file: string | null): Promise<FoundTree | NotReady> {
  if (file !== null) return readTreeFile({ path: file, absolute: resolve(caller.cwd, file) }, "Name an existing file.");
  const place = await readProject(caller);
  if (place.kind === "blocked") return place;
  const path = `${place.config.workspace_dir}/tree.json`;
  const absolute = join(place.repository.root, path);
  return readTreeFile({ path, absolute }, "Create one with `relais tree init`.");
}

async function readTreeFile(
  { path, absolute }: { readonly path: string; readonly absolute: string },
  remedy: string,
): Promise<FoundTree | NotReady> {
  const read = await readBounded(absolute, TREE_BYTES_MAX);
  if (read.kind === "read") return { kind: "found", path, read: readTree(read.data) };
  const reason = read.kind === "missing" ? "it does not exist" : read.reason;
  return refuseNotReady("tree_missing", `The tree ${path} cannot be read: ${reason}.`, remedy);
}
