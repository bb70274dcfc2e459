/** HEAD as its files tell it, without running git. */
import { join } from "node:path";
import type { Head } from "../records/evidence.ts";
import { MeasurementError } from "../base/errors.ts";
import { readNow } from "../system/read-files.ts";
import type { Repository } from "./repository-layout.ts";

/** What git takes for white space, which is less than Unicode does: a branch may end with an ideographic space. */
const SPACE = " \t\n\v\f\r";
const HEAD_BYTES_MAX = 64 * 1024;
const PACKED_BYTES_MAX = 64 * 1024 * 1024;
const COMMIT = /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/;
const BRANCH = /^ref: (?<name>refs\/heads\/.+)$/s;

export function readHeadText(content: string): string {
  let start = 0;
  let end = content.length;
  while (start < end && SPACE.includes(content.charAt(start))) start += 1;
  while (end > start && SPACE.includes(content.charAt(end - 1))) end -= 1;
  return content.slice(start, end);
}

/**
 * The text of HEAD and the commit that it names; whether that commit can be read is not known. Null where only git can
 * tell: a branch without commits, one that leads to another, another kind of storage, or a name that no file can have.
 */
export function readHeadFiles(repository: Pick<Repository, "gitDir" | "commonDir">): Head | null {
  try {
    return readPlainHead(repository);
  } catch (error) {
    if (error instanceof MeasurementError) return null;
    throw error;
  }
}

function readPlainHead({ gitDir, commonDir }: Pick<Repository, "gitDir" | "commonDir">): Head | null {
  const text = readSmall(join(gitDir, "HEAD"), HEAD_BYTES_MAX);
  if (text === null) return null;
  if (COMMIT.test(text)) return { text, commit: text };
  const branch = BRANCH.exec(text)?.groups?.["name"];
  if (branch === undefined || branch.split("/").includes("..")) return null;
  const commit = readSmall(join(commonDir, branch), HEAD_BYTES_MAX) ?? findPacked(branch, commonDir);
  return commit !== null && COMMIT.test(commit) ? { text, commit } : null;
}

/** Null also where a damaged file names the branch twice. */
function findPacked(branch: string, commonDir: string): string | null {
  const lines = readSmall(join(commonDir, "packed-refs"), PACKED_BYTES_MAX)?.split("\n") ?? [];
  const [line, other] = lines.filter((one) => one.endsWith(branch) && one.slice(one.indexOf(" ") + 1) === branch);
  return line === undefined || other !== undefined ? null : line.slice(0, line.indexOf(" "));
}

function readSmall(path: string, bytesMax: number): string | null {
  const data = readNow(path, { bytesMax });
  return data === null ? null : readHeadText(data.toString("utf8"));
}
