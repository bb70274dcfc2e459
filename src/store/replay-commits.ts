/**
 * Puts the commits of a range on top of another commit, one after the other, as `git rebase` would and without a working
 * tree. Authors, dates and messages stay; each gets a trailer with the name of the tick that lands it. The new commits
 * are objects that nothing leads to.
 */
import { readClockMs } from "../system/clock.ts";
import { askGit, type GitAccess, runGit } from "../git/git.ts";
import { type ReadObject, withObjects } from "../git/git-objects.ts";
import { readCommitContent } from "../git/read-commit.ts";
import type { CommitIdentity } from "./commit-identity.ts";
import { DURABLE } from "../git/filter-view.ts";
import { mergeOwnFiles, mergeTrees, type OwnFiles, type TreeConflict } from "./merge-trees.ts";

interface CommitReplay {
  readonly access: GitAccess;
  readonly range: { readonly base: string; readonly tip: string };
  readonly onto: string;
  readonly commitsMax: number;
  readonly identity: CommitIdentity;
  /** The value of the trailer. */
  readonly runId: string;
  /** Files that git does not merge; null is none. */
  readonly own: OwnFiles | null;
}

type Replayed =
  | {
      readonly kind: "replayed";
      readonly tip: string;
      readonly tree: string;
      /** Of the commits that changed something; none if all of it is there already. */
      readonly subjects: readonly string[];
    }
  | { readonly kind: "too-many"; readonly count: number }
  | TreeConflict;

const LIST_BYTES_MAX = 16 * 1024 * 1024;

interface Step {
  readonly parent: string;
  readonly commit: string;
}

export async function replayCommits(request: CommitReplay): Promise<Replayed> {
  const { access, onto, commitsMax, own } = request;
  const steps = await listSteps(request);
  if (steps.length > commitsMax) return { kind: "too-many", count: steps.length };
  return withObjects(access, async (read) => {
    let tip = onto;
    let tree = readHeader(await readCommit(read, onto), "tree");
    const subjects: string[] = [];
    for (const { parent, commit } of steps) {
      const trees = { base: parent, ours: tip, theirs: commit };
      const plain = await mergeTrees(access, trees);
      const merged = own === null ? plain : await mergeOwnFiles({ access, read, trees, own }, plain);
      if (merged.kind === "conflict") return merged;
      // What it does is there already.
      if (merged.tree === tree) continue;
      ({ tree } = merged);
      const text = await readCommit(read, commit);
      tip = await writeCopy(request, { text, tree, parent: tip });
      subjects.push(readSubject(text));
    }
    return { kind: "replayed", tip, tree, subjects };
  });
}

/** A range with a merge in it becomes one commit: its parts may conflict where the whole does not. */
async function listSteps({ access, range: { base, tip } }: CommitReplay): Promise<readonly Step[]> {
  const { stdout } = await runGit({
    ...access,
    args: ["rev-list", "--reverse", "--topo-order", "--parents", `${base}..${tip}`],
    outputBytesMax: LIST_BYTES_MAX,
  });
  const lines = stdout
    .toString("latin1")
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => line.split(" "));
  const isLine = lines.every(({ length }) => length === 2);
  if (!isLine) return [{ parent: base, commit: tip }];
  return lines.map(([commit = "", parent = ""]) => ({ commit, parent }));
}

/** As a byte string. */
async function readCommit(read: ReadObject, commit: string): Promise<string> {
  return (await readCommitContent(read, commit)).toString("latin1");
}

function readHeader(text: string, name: string): string {
  const head = text.slice(0, text.indexOf("\n\n") + 1);
  return head.match(new RegExp(`^${name} (.*)$`, "m"))?.[1] ?? "";
}

function readMessage(text: string): string {
  return text.slice(text.indexOf("\n\n") + 2);
}

function readSubject(text: string): string {
  return Buffer.from(readMessage(text).trimStart().split("\n")[0] ?? "", "latin1").toString("utf8");
}

interface Copy {
  readonly text: string;
  readonly tree: string;
  readonly parent: string;
}

/** A signature does not count for the copy, and is left out. */
async function writeCopy({ access, identity, runId }: CommitReplay, { text, tree, parent }: Copy): Promise<string> {
  const seconds = Math.floor(readClockMs() / 1000);
  const { name, email } = identity;
  const encoding = readHeader(text, "encoding");
  const head = [
    `tree ${tree}`,
    `parent ${parent}`,
    `author ${readHeader(text, "author")}`,
    `committer ${Buffer.from(`${name} <${email}>`).toString("latin1")} ${seconds} +0000`,
    ...(encoding === "" ? [] : [`encoding ${encoding}`]),
  ];
  const whole = `${head.join("\n")}\n\n${addTrailer(readMessage(text), `Relais-Landed: ${runId}`)}`;
  return askGit({
    ...access,
    args: [...DURABLE, "hash-object", "-t", "commit", "-w", "--stdin"],
    input: Buffer.from(whole, "latin1"),
  });
}

const TRAILERS = /^(?:[A-Za-z0-9-]+: .*\n?)+$/;

function addTrailer(message: string, trailer: string): string {
  const trimmed = message.trimEnd();
  const last = trimmed.slice(trimmed.lastIndexOf("\n\n") + 2);
  const isBlock = trimmed.includes("\n\n") && TRAILERS.test(last);
  return `${trimmed}${isBlock ? "\n" : "\n\n"}${trailer}\n`;
}
