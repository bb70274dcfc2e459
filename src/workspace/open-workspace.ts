/**
 * Opens everything that a tick needs before its lock: repository, configuration, commit, workspace folder.
 *
 * Only the empty state directory is created. The workspace folder may be missing: the first tick makes it.
 */
import { join } from "node:path";
import { type NotReady, refuseNotReady } from "../records/command-failure.ts";
import { findGitOperation } from "../git/git-status.ts";
import { readHead } from "../git/head.ts";
import { openStateDirectory } from "../journal/state-directory.ts";
import { type ProjectCaller, readProject } from "./read-project.ts";
import { refuseGitOperation } from "./repository-refusals.ts";
import type { Workspace } from "./workspace.ts";
import { findReplacedWorkspace, refuseUnusableState } from "./workspace-refusals.ts";

/** Creates the state directory, or only finds it. */
type FindState = typeof openStateDirectory;

export async function openWorkspace(
  caller: ProjectCaller,
  findState: FindState = openStateDirectory,
): Promise<Workspace | NotReady> {
  const project = await readProject(caller, { needsGit: true });
  if (project.kind === "blocked") return project;
  const { repository, config } = project;
  const head = await readHead(repository);
  if (head.commit === null)
    return refuseNotReady(
      "no_commit",
      `The repository at ${repository.root} has no commit yet.`,
      "Make a first commit, so that relais can revert a tick.",
    );
  if (!head.text.startsWith("ref: ")) {
    // A rebase or a bisect detaches HEAD until it ends.
    const operation = findGitOperation(repository);
    if (operation !== null) return { ...refuseNotReady("", ""), ...refuseGitOperation(operation) };
    return refuseNotReady(
      "detached_head",
      "HEAD is detached.",
      "Switch to a branch: `git switch <branch>`, or `git switch -c <new branch>`.",
    );
  }
  const folder = join(repository.root, config.workspace_dir);
  const replaced = findReplacedWorkspace(repository.root, config);
  if (replaced !== null) return replaced;
  const state = findState(repository, caller.environment);
  if (state.kind === "unusable") return refuseUnusableState(state);
  const { path: stateDirectory, lockPath } = state;
  return { ...project, head: { text: head.text, commit: head.commit }, folder, stateDirectory, lockPath };
}

/** A workspace for many ticks, which commit whatever they keep. */
export async function openSeriesWorkspace(caller: ProjectCaller): Promise<Workspace | NotReady> {
  const workspace = await openWorkspace(caller);
  if (workspace.kind === "blocked" || workspace.config.git.commit !== "never") return workspace;
  return refuseNotReady(
    "commit_never",
    "`git.commit` is `never`, but a series must commit each tick.",
    "Set `git.commit` to `loop` or `always`, or run single ticks with `relais run`.",
  );
}
