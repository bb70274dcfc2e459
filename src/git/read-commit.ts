import { MeasurementError } from "../base/errors.ts";
import { accessRepository } from "./git.ts";
import { type ReadObject, withObjects } from "./git-objects.ts";
import type { Repository } from "./repository-layout.ts";

const COMMIT_BYTES_MAX = 1024 * 1024;

export interface CommitParts {
  readonly tree: string;
  readonly parents: readonly string[];
  readonly message: string;
}

export async function readCommit(repository: Repository, commit: string): Promise<CommitParts> {
  const text = await commitText(repository, commit);
  const end = text.indexOf("\n\n");
  const headers = text.slice(0, end).split("\n");
  const list = (name: string) =>
    headers.filter((line) => line.startsWith(`${name} `)).map((line) => line.slice(name.length + 1));
  return { tree: list("tree")[0] ?? "", parents: list("parent"), message: text.slice(end + 2) };
}

/** A commit as git stores it: headers, an empty line, the message. */
export async function commitText(repository: Repository, commit: string): Promise<string> {
  const content = await withObjects(accessRepository(repository), (read) => readCommitContent(read, commit));
  return content.toString("utf8");
}

export async function readCommitContent(read: ReadObject, commit: string): Promise<Buffer> {
  const { type, content } = await read(commit, COMMIT_BYTES_MAX);
  if (type !== "commit" || content === null) throw new MeasurementError(commit, "is no commit of usual size");
  return content;
}

const FILE_BYTES_MAX = 64 * 1024 * 1024;

/** One file as a commit or a tree has it, by its byte path; null where there is none, or nobody can ask for it. */
export async function readFileAt(read: ReadObject, tree: string, path: string): Promise<Buffer | null> {
  const found = /[\n\r]/.test(path) ? null : await read(`${tree}:${path}`, FILE_BYTES_MAX).catch(() => null);
  return found?.type === "blob" ? found.content : null;
}
