/**
 * Puts the commits of a branch on top of HEAD, and finds out what the worktree must look like then.
 *
 * Git merges and stores objects; the worktree and the branches are not touched.
 */
import { refuse, type Refusal } from "../records/command-failure.ts";
import type { EntrySide } from "../records/evidence.ts";
import { countNoun, shortenList } from "../base/words.ts";
import type { LandingCommits, LandingMove } from "../workflows/pure/workflow.ts";
import { layOutPaths } from "../store/workspace-commit.ts";
import type { OwnFiles } from "../store/merge-trees.ts";
import { replayCommits } from "../store/replay-commits.ts";
import { isExecutable } from "../store/recorded-entry.ts";
import { toBytePath } from "../system/byte-path.ts";
import { type FilterView, openFilterView } from "../git/filter-view.ts";
import { listGitDifference } from "../git/git-difference.ts";
import { accessRepository, runGit } from "../git/git.ts";
import { LANDED_COMMITS_MAX } from "../place/commit-undo.ts";
import { readSides } from "./entry-sides.ts";
import { explainConflict, type LandingBase, type PreparedLanding } from "./landing-base.ts";
import { listUnproved, openOwnFiles, readOwnTexts, type TreeLanding } from "./tree-landing.ts";

const SUBMODULE = "160000";

export interface RangeSource {
  /** Of the branch or the job. */
  readonly name: string;
  readonly tip: string;
  /** Absent lands no file of the runner. */
  readonly tree?: TreeLanding;
}

export async function prepareRange(ground: LandingBase, source: RangeSource): Promise<PreparedLanding> {
  const { name, tip } = source;
  const { repository, settings, identity, runId, folder, head, signal } = ground;
  const base = await findMergeBase(ground, tip);
  if (base === null) return refuseLanding(name, "unrelated", `${name} has no commit in common with HEAD.`);
  if (base === tip) return refuseLanded(name);
  const objectFormat = head.length === 64 ? "sha256" : "sha1";
  const view = await openFilterView({ repository, settings, folder, objectFormat, signal });
  const range = { base, tip };
  const { tree: ofTree = null } = source;
  const own = ofTree && openOwnFiles(ofTree);
  const unproved = await listUnproved(view.access, range, ofTree);
  if (unproved.length > 0) return refuseUnproved(name, unproved);
  const request = { range, onto: head, commitsMax: LANDED_COMMITS_MAX, identity, runId, own };
  const replayed = await replayCommits({ ...request, access: view.access });
  if (replayed.kind === "conflict") return explainConflict(view.access, name, replayed);
  if (replayed.kind === "too-many")
    return refuseLanding(
      name,
      "too_many_commits",
      `${name} has ${replayed.count} commits; ${LANDED_COMMITS_MAX} can land at once.`,
    );
  return replayed.subjects.length === 0 ? refuseLanded(name) : describeRange(ground, view, { ...replayed, name, own });
}

interface PlacedRange extends Pick<LandingCommits, "tip" | "tree"> {
  readonly name: string;
  readonly subjects: readonly string[];
  readonly own: OwnFiles | null;
}

/** What the worktree must look like, and what the runner adds. */
async function describeRange(ground: LandingBase, view: FilterView, placed: PlacedRange): Promise<PreparedLanding> {
  const { name, subjects, tip, tree, own } = placed;
  const all = await listMoves(ground, view, tip);
  if (all === null) return refuseLanding(name, "submodule", `${name} changes a submodule.`);
  const owned = all.map(({ path }) => path).filter((path) => own?.paths.includes(path));
  const moves = all.filter(({ path }) => !owned.includes(path));
  const commits = { base: ground.head, tip, tree };
  const landing = { name, moves, commits, summary: `${countNoun(subjects.length, "commit")} of ${name}` };
  const files = owned.length === 0 ? {} : { own: await readOwnTexts(view.access, tip, owned) };
  return { kind: "prepared", subjects, landing: { ...landing, ...files } };
}

function refuseLanding(name: string, cause: string, message: string): Refusal {
  return refuse({ cause, message, next: `See \`git log HEAD..${name}\`.` });
}

function refuseUnproved(name: string, leaves: readonly string[]): Refusal {
  const message = `On ${name} the tree says that ${shortenList(leaves)} passes, and the journal of the job does not.`;
  return refuseLanding(name, "tree_unproved", message);
}

function refuseLanded(name: string): Refusal {
  const message = `Everything of ${name} is in HEAD already.`;
  return refuse({ cause: "landed_already", message, next: `Remove the branch with \`git branch -D ${name}\`.` });
}

async function findMergeBase({ repository, head, signal }: LandingBase, tip: string): Promise<string | null> {
  const args = ["merge-base", head, tip];
  const { stdout, status } = await runGit({ ...accessRepository(repository, signal), args, okStatuses: [0, 1] });
  return status === 0 ? stdout.toString("latin1").trim() : null;
}

/** Null where one of them is a submodule, whose content is not here. */
async function listMoves(
  { repository, store, head }: LandingBase,
  view: FilterView,
  tip: string,
): Promise<readonly LandingMove[] | null> {
  const differences = await listGitDifference(view.access, { from: head, to: tip });
  if (differences.some(({ before, after }) => [before?.mode, after?.mode].includes(SUBMODULE))) return null;
  const paths = differences.map(({ path }) => path);
  const present = differences.filter(({ after }) => after !== null).map(({ path }) => path);
  await layOutPaths(view, tip, present);
  const [now, then] = [
    await readSides(store, toBytePath(repository.root), paths),
    await readSides(store, toBytePath(view.tree), present),
  ];
  return paths.map((path) => {
    const [from, to] = [now.get(path) ?? null, then.get(path) ?? null];
    // A folder in the place of a file holds only paths that leave.
    return { path, from: from?.type === "directory" ? null : from, to: to && useGitMode(to) };
  });
}

/** The folder of the view is private; the worktree is not. */
export function useGitMode(side: EntrySide): EntrySide {
  return side.type === "file" ? { ...side, mode: isExecutable(side) ? "0755" : "0644" } : side;
}
