import { MeasurementError } from "../../contract/values/measurement-error.ts";
import { accessRepository } from "./git.ts";
import { withObjects } from "./git-objects.ts";
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
  const { type, content } = await withObjects(accessRepository(repository), (read) => read(commit, COMMIT_BYTES_MAX));
  if (type !== "commit" || content === null) throw new MeasurementError(commit, "is no commit of usual size");
  return content.toString("utf8");
}
