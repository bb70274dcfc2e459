/** HEAD as its files tell it, without running git. */
import { join } from "node:path";
import type { Head } from "../../contract/evidence/evidence.ts";
import { readNow } from "../files/read-now.ts";
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
 * tell: a branch without commits, one that leads to another, or another kind of storage.
 */
export function readHeadFiles({ gitDir, commonDir }: Pick<Repository, "gitDir" | "commonDir">): Head | null {
  const text = readSmall(join(gitDir, "HEAD"), HEAD_BYTES_MAX);
  if (text === null) return null;
  if (COMMIT.test(text)) return { text, commit: text };
  const branch = BRANCH.exec(text)?.groups?.["name"];
  if (branch === undefined || branch.split("/").includes("..")) return null;
  const commit = readSmall(join(commonDir, branch), HEAD_BYTES_MAX) ?? findPacked(branch, commonDir);
  return commit !== null && COMMIT.test(commit) ? { text, commit } : null;
}

function findPacked(branch: string, commonDir: string): string | null {
  const lines = readSmall(join(commonDir, "packed-refs"), PACKED_BYTES_MAX)?.split("\n") ?? [];
  return lines.find((line) => line.endsWith(` ${branch}`))?.split(" ")[0] ?? null;
}

function readSmall(path: string, bytesMax: number): string | null {
  const data = readNow(path, { bytesMax });
  return data === null ? null : readHeadText(data.toString("utf8"));
}
