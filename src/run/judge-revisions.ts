import { type GitRequest, runGit } from "../io/git.ts";
import type { Repository } from "../io/repository-layout.ts";
import type { JudgedSubject, JudgeTarget } from "./judge-request.ts";

export type Resolved =
  | { readonly kind: "resolved"; readonly subject: JudgedSubject }
  /** The branch has no commit yet. */
  | { readonly kind: "unborn" }
  | { readonly kind: "unknown"; readonly message: string };

interface Asked {
  readonly repository: Repository;
  readonly signal: AbortSignal | undefined;
}

const ID = /^[0-9a-f]{40}(?:[0-9a-f]{24})?$/;

/** Finds the commits that the revisions stand for, once, so that a ref that moves meanwhile changes nothing. */
export async function resolveTarget(target: JudgeTarget, asked: Asked): Promise<Resolved> {
  if (target.kind === "range") return resolveRange(target, asked);
  const base = await commitOf(target.base, asked);
  if (base !== null) return { kind: "resolved", subject: { kind: target.kind, base, head: null } };
  return target.base === "HEAD" ? { kind: "unborn" } : noCommit(target.base);
}

/** One process answers with the end, the start and, marked with `^`, where they parted. */
async function resolveRange(
  range: { readonly from: string; readonly to: string },
  asked: Asked,
): Promise<Resolved> {
  const wrong = [range.from, range.to].find((revision) => !isPlain(revision));
  if (wrong !== undefined) return noCommit(wrong);
  const lines = await revParse([`${range.from}...${range.to}`], asked);
  const [head, from, ...parted] = lines;
  if (head === undefined || from === undefined || !lines.every((line) => ID.test(line.replace(/^\^/, "")))) {
    return unknownEnd(range, asked);
  }
  const base = parted[0]?.slice(1);
  if (base === undefined) {
    const message = `${quoted(range.from)} and ${quoted(range.to)} have no common history here; in a shallow clone, fetch more of it.`;
    return { kind: "unknown", message };
  }
  return { kind: "resolved", subject: { kind: "range", base, head } };
}

async function unknownEnd(
  range: { readonly from: string; readonly to: string },
  asked: Asked,
): Promise<Resolved> {
  for (const revision of [range.from, range.to]) {
    if ((await commitOf(revision, asked)) === null) return noCommit(revision);
  }
  return { kind: "unknown", message: `${quoted(`${range.from}..${range.to}`)} is not a range of commits.` };
}

async function commitOf(revision: string, asked: Asked): Promise<string | null> {
  if (!isPlain(revision)) return null;
  const [id] = await revParse(["--verify", "--quiet", `${revision}^{commit}`], asked);
  return id !== undefined && ID.test(id) ? id : null;
}

/** An option or a negation would be read as such by git. */
function isPlain(revision: string): boolean {
  return !/^[-^]|^$|\0/.test(revision);
}

async function revParse(args: readonly string[], { repository, signal }: Asked): Promise<readonly string[]> {
  const request: GitRequest = {
    args: ["rev-parse", ...args],
    cwd: repository.root,
    gitDir: repository.gitDir,
    workTree: repository.root,
    okStatuses: [0, 1, 128],
    outputBytesMax: 64 * 1024,
    signal,
  };
  const { stdout, status } = await runGit(request);
  return status === 0
    ? stdout
        .toString("utf8")
        .split("\n")
        .filter((line) => line !== "")
    : [];
}

function noCommit(revision: string): Resolved {
  return { kind: "unknown", message: `There is no commit ${quoted(revision)} in this repository.` };
}

function quoted(text: string): string {
  return `"${text}"`;
}
