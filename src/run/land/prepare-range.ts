/**
 * Puts the commits of a branch on top of HEAD, and finds out what the worktree must look like then.
 *
 * Git merges and stores objects; the worktree and the branches are not touched.
 */
import { refuse, type Refusal } from "../../contract/answers/command-failure.ts";
import type { EntrySide } from "../../contract/evidence/evidence.ts";
import { countNoun } from "../../core/words/count-noun.ts";
import type { LandingMove } from "../../core/workflow/landing.ts";
import { layOutPaths } from "../../io/commit/lay-out-paths.ts";
import { replayCommits } from "../../io/commit/replay-commits.ts";
import { isExecutable } from "../../io/content/recorded-entry.ts";
import { toBytePath } from "../../io/files/byte-path.ts";
import { type FilterView, openFilterView } from "../../io/git/filter-view.ts";
import { listGitDifference } from "../../io/git/git-difference.ts";
import { accessRepository, runGit } from "../../io/git/git.ts";
import { LANDED_COMMITS_MAX } from "../evidence/commit-undo.ts";
import { readSides } from "./entry-sides.ts";
import { explainConflict, type LandingGround, type PreparedLanding } from "./landing-ground.ts";

const SUBMODULE = "160000";

export interface RangeSource {
  /** Of the branch or the job. */
  readonly name: string;
  readonly tip: string;
}

export async function prepareRange(ground: LandingGround, { name, tip }: RangeSource): Promise<PreparedLanding> {
  const { repository, settings, identity, runId, folder, head, signal } = ground;
  const base = await findMergeBase(ground, tip);
  if (base === null) return refuseLanding(name, "unrelated", `${name} has no commit in common with HEAD.`);
  if (base === tip) return refuseLanded(name);
  const objectFormat = head.length === 64 ? "sha256" : "sha1";
  const view = await openFilterView({ repository, settings, folder, objectFormat, signal });
  const request = { range: { base, tip }, onto: head, commitsMax: LANDED_COMMITS_MAX, identity, runId };
  const replayed = await replayCommits({ ...request, access: view.access });
  if (replayed.kind === "conflict") return explainConflict(view.access, name, replayed);
  if (replayed.kind === "too-many")
    return refuseLanding(
      name,
      "too_many_commits",
      `${name} has ${replayed.count} commits; ${LANDED_COMMITS_MAX} can land at once.`,
    );
  const { subjects, tree } = replayed;
  if (subjects.length === 0) return refuseLanded(name);
  const moves = await listMoves(ground, view, replayed.tip);
  if (!Array.isArray(moves)) return refuseLanding(name, "submodule", `${name} changes a submodule.`);
  const summary = `${countNoun(subjects.length, "commit")} of ${name}`;
  const commits = { base: head, tip: replayed.tip, tree };
  return { kind: "prepared", subjects, landing: { name, moves, commits, summary } };
}

function refuseLanding(name: string, cause: string, message: string): Refusal {
  return refuse({ cause, message, next: `See \`git log HEAD..${name}\`.` });
}

function refuseLanded(name: string): Refusal {
  const message = `Everything of ${name} is in HEAD already.`;
  return refuse({ cause: "landed_already", message, next: `Remove the branch with \`git branch -D ${name}\`.` });
}

async function findMergeBase({ repository, head, signal }: LandingGround, tip: string): Promise<string | null> {
  const args = ["merge-base", head, tip];
  const { stdout, status } = await runGit({ ...accessRepository(repository, signal), args, okStatuses: [0, 1] });
  return status === 0 ? stdout.toString("latin1").trim() : null;
}

/** Null where one of them is a submodule, whose content is not here. */
async function listMoves(
  { repository, store, head }: LandingGround,
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
