import { type NotReady, refuseNotReady } from "../records/command-failure.ts";
import type { Caller } from "../base/environment.ts";
import { unreachable } from "../base/errors.ts";
import { findRepository, type Repository, type RepositoryLayout } from "../git/repository-layout.ts";
import { findStateDirectory } from "../journal/state-directory.ts";

/** Git itself is checked only if the command runs it. */
export async function locateRepository(
  { cwd, environment }: Caller,
  { needsGit }: { readonly needsGit: boolean },
): Promise<Repository | NotReady> {
  const layout = await findRepository(cwd, environment);
  const isFolder = layout.kind !== "none" || layout.exists;
  const state = layout.kind === "repository" ? findStateDirectory(layout, environment).path : null;
  // Loaded only here, because a command that only reads has no use for git.
  const unusable =
    needsGit && isFolder ? await (await import("./usable-git.ts")).explainUnusableGit(cwd, environment, state) : null;
  return unusable ?? requireWorktree(layout);
}

/** Refuses a bare or missing repository. */
export function requireWorktree(layout: RepositoryLayout): Repository | NotReady {
  switch (layout.kind) {
    case "none":
      return refuseNoRepository(layout);
    case "bare":
      return refuseNotReady("bare_repository", `${layout.dir} is a bare repository.`, "Use a clone of it.");
    case "repository":
      return layout;
    default:
      return unreachable(layout);
  }
}

function refuseNoRepository({ searched, exists }: Extract<RepositoryLayout, { kind: "none" }>): NotReady {
  if (!exists)
    return refuseNotReady("no_folder", `There is no folder ${searched}.`, "Use --cwd with an existing folder.");
  return refuseNotReady(
    "no_repository",
    `There is no git repository at ${searched} or above it.`,
    "Change to a repository, use --cwd, or create one with `git init`.",
  );
}
