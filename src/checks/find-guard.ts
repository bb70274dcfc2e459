/** The one check of a tree: as configured, or the usual one of the project. */
import { isDeepStrictEqual } from "node:util";
import { type NotReady, refuseNotReady } from "../records/command-failure.ts";
import { makeDefaultConfig } from "../config/config.ts";
import type { Caller } from "../base/environment.ts";
import { findDefaultGuard } from "../workflows/pure/guard-steering.ts";
import { findProgram } from "../system/find-program.ts";
import { findProject } from "../workspace/read-project.ts";
import type { Workspace } from "../workspace/workspace.ts";

type GuardPlace = Pick<Workspace, "config" | "repository">;

/** A guard that cannot start would fail every attempt. */
export async function findGuard(
  { config, repository }: GuardPlace,
  { environment }: Pick<Caller, "environment">,
): Promise<readonly string[] | NotReady> {
  const guard = config.tree.guard ?? (await findProjectGuard({ config, repository }));
  if (guard === null)
    return refuseNotReady(
      "guard_missing",
      "The tree has no guard: this project has no check `ci`, `test` or `check`.",
      "Name a command with tree.guard in relais.config.json.",
    );
  const [program = ""] = guard;
  const found = await findProgram(program, { path: environment["PATH"] ?? "", cwd: repository.root });
  if (found !== null) return guard;
  const message = `The guard \`${guard.join(" ")}\` cannot be started: there is no program "${program}".`;
  return refuseNotReady("guard_missing", message, "Install it, or set tree.guard in relais.config.json.");
}

async function findProjectGuard({ config, repository }: GuardPlace): Promise<readonly string[] | null> {
  const { templates } = config.verification;
  // The default templates are an example and no part of this project.
  const isExample = isDeepStrictEqual(templates, makeDefaultConfig().verification.templates);
  const configured = isExample ? null : findDefaultGuard(templates);
  return configured ?? findDefaultGuard((await findProject(repository)).templates);
}
