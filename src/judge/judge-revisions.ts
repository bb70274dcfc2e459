/**
 * Which commits a judgement is about.
 *
 * A range is compared with the commit where its sides parted, but judged by the rules that the end of `A` has: a branch
 * that parted before a rule was made would escape it otherwise. Histories that were merged into each other both ways
 * have parted in more than one place, and all of them are named.
 */
import { MeasurementError } from "../base/measurement-error.ts";
import { findCommit } from "../git/find-commit.ts";
import { type GitAnswer, runGit } from "../git/git.ts";
import { readHead } from "../git/read-head.ts";
import type { Repository } from "../git/repository-layout.ts";
import type { JudgedSubject, JudgeTarget } from "./judge-request.ts";

export type ResolvedTarget =
  | { readonly kind: "resolved"; readonly subject: JudgedSubject }
  /** The branch has no commit yet. */
  | { readonly kind: "unborn" }
  | { readonly kind: "unknown"; readonly message: string };

interface RevisionSources {
  readonly repository: Repository;
  readonly signal: AbortSignal | undefined;
}

interface Range {
  readonly from: string;
  readonly to: string;
}

const LINES = /^(?:[0-9a-f]{40,64}\n){2}(?:\^[0-9a-f]{40,64}\n)*$/;
const ANSWER_BYTES_MAX = 64 * 1024;

/** Resolved once, so that a ref that moves meanwhile changes nothing. */
export async function resolveTarget(target: JudgeTarget, asked: RevisionSources): Promise<ResolvedTarget> {
  if (target.kind === "range") return resolveRange(target, asked);
  const isHead = target.base === "HEAD";
  const base = isHead ? (await readHead(asked.repository, asked.signal)).commit : await findCommit(target.base, asked);
  if (base === null) return isHead ? { kind: "unborn" } : refuseNoCommit(target.base);
  // Against an older commit, what lies on the disk may be part of what is to be judged.
  const mayBeOnDisk = target.kind === "worktree" && isHead;
  const rules = { commit: base, mayBeOnDisk };
  return { kind: "resolved", subject: { kind: target.kind, base, otherBases: [], head: null, rules } };
}

async function resolveRange(range: Range, asked: RevisionSources): Promise<ResolvedTarget> {
  const wrong = [range.from, range.to].find((revision) => /^[-^]|^$|\0/.test(revision));
  if (wrong !== undefined) return refuseNoCommit(wrong);
  const { status, stdout, stderr } = await askRange(range, asked);
  const answer = stdout.toString("latin1");
  if (status !== 0 || !LINES.test(answer)) return explainUnknownRange(range, { ...asked, stderr: stderr });
  const [head = "", from = "", base, ...otherBases] = answer.match(/[0-9a-f]+/g) ?? [];
  if (base === undefined) {
    const message = `${quote(range.from)} and ${quote(range.to)} have no common history here; in a shallow clone, fetch more commits.`;
    return { kind: "unknown", message };
  }
  const rules = { commit: from, mayBeOnDisk: false };
  return { kind: "resolved", subject: { kind: "range", base, otherBases, head, rules } };
}

/** One process answers with the end, the start and, marked with `^`, where they parted. */
function askRange({ from, to }: Range, { repository, signal }: RevisionSources): Promise<GitAnswer> {
  return runGit({
    args: ["rev-parse", `${from}...${to}`],
    cwd: repository.root,
    environment: repository.environment,
    gitDir: repository.gitDir,
    workTree: repository.root,
    okStatuses: [0, 1, 128],
    outputBytesMax: ANSWER_BYTES_MAX,
    signal,
  });
}

async function explainUnknownRange(
  range: Range,
  asked: RevisionSources & { readonly stderr: string },
): Promise<ResolvedTarget> {
  for (const revision of [range.from, range.to]) {
    if ((await findCommit(revision, asked)) === null) return refuseNoCommit(revision);
  }
  const name = quote(`${range.from}..${range.to}`);
  if (asked.stderr !== "") throw new MeasurementError(`the range ${name}`, asked.stderr);
  return { kind: "unknown", message: `${name} is not a range of commits.` };
}

function refuseNoCommit(revision: string): ResolvedTarget {
  return { kind: "unknown", message: `There is no commit ${quote(revision)} in this repository.` };
}

function quote(text: string): string {
  return `"${text}"`;
}
