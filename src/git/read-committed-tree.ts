/**
 * The files of the commit that is checked out, proven by their hashes.
 *
 * Git does not hash an object again when it reads it, and a builder may have forged objects. The id of the commit is
 * taken from git; from there on, every commit and tree must be what its id says.
 */
import { createHash } from "node:crypto";
import type { CommittedEntry, CommittedTree } from "../records/committed-tree.ts";
import { MeasurementError } from "../base/errors.ts";
import { findCommit } from "./find-commit.ts";
import { accessRepository } from "./git.ts";
import { type ReadObject, withObjects } from "./git-objects.ts";
import type { Repository } from "./repository-layout.ts";
import { FOLDER_MODE, parseTree } from "./tree-listing.ts";

const OBJECT_BYTES_MAX = 64 * 1024 * 1024;

/** Null where there is no commit, or git's objects do not lead from it to its files. */
export async function readCommittedTree(repository: Repository): Promise<CommittedTree | null> {
  try {
    const commit = await findCommit("HEAD", { repository });
    if (commit === null) return null;
    return await withObjects(accessRepository(repository), (read) => readTree(commit, read));
  } catch (error) {
    if (error instanceof MeasurementError) return null;
    throw error;
  }
}

/** The content of one file of the tree; null where it is missing, too large or not what its id says. */
export async function readCommittedFile(
  repository: Repository,
  { id }: Pick<CommittedEntry, "id">,
  bytesMax: number,
): Promise<Buffer | null> {
  try {
    return await withObjects(accessRepository(repository), async (read) => {
      const { type, content } = await read(id, bytesMax);
      return type === "blob" && content !== null && hashObject(type, content, id) === id ? content : null;
    });
  } catch (error) {
    if (error instanceof MeasurementError) return null;
    throw error;
  }
}

async function readTree(commit: string, read: ReadObject): Promise<CommittedTree> {
  const text = (await readProven(read, commit, "commit")).toString("latin1");
  const root = /^tree (?<id>[0-9a-f]{40,64})\n/.exec(text)?.groups?.["id"];
  if (root === undefined) throw new MeasurementError(commit, "it names no tree");
  const files = new Map<string, CommittedEntry>();
  const folders = new Map<string, string>([["", root]]);
  let level: readonly (readonly [path: string, id: string])[] = [...folders];
  while (level.length > 0) {
    const trees = await Promise.all(
      level.map(async ([path, id]) => ({
        path,
        entries: parseTree(await readProven(read, id, "tree"), id.length / 2, id),
      })),
    );
    const below: (readonly [string, string])[] = [];
    for (const { path, entries } of trees) {
      for (const { name, mode, id } of entries) {
        const place = path === "" ? name : `${path}/${name}`;
        if (mode !== FOLDER_MODE) files.set(place, { mode, id });
        else {
          folders.set(place, id);
          below.push([place, id]);
        }
      }
    }
    level = below;
  }
  return { commit, files, folders };
}

async function readProven(read: ReadObject, id: string, wanted: string): Promise<Buffer> {
  const { type, content } = await read(id, OBJECT_BYTES_MAX);
  if (type !== wanted || content === null || hashObject(type, content, id) !== id)
    throw new MeasurementError(id, "it is not what its id says");
  return content;
}

export function hashObject(type: string, content: Buffer, { length }: { readonly length: number }): string {
  const hash = createHash(length === 64 ? "sha256" : "sha1");
  return hash.update(`${type} ${content.length}\0`).update(content).digest("hex");
}
