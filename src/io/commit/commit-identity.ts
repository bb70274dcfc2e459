import type { Repository } from "../git/repository-layout.ts";
import { pickVariables } from "../machine/environment.ts";
import { USER_CONFIG_VARIABLES } from "../git/filter-settings.ts";
import { accessRepository, runGit } from "../git/git.ts";

export interface CommitIdentity {
  readonly name: string;
  readonly email: string;
  /** Nobody is configured, so the commit carries the runner's own name. */
  readonly isFallback: boolean;
}

const FALLBACK: CommitIdentity = { name: "relais", email: "relais@localhost", isFallback: true };

/** Where the user's git finds out who the user is. */
const IDENTITY_VARIABLES = [...USER_CONFIG_VARIABLES, "GIT_AUTHOR_NAME", "GIT_AUTHOR_EMAIL", "EMAIL"];

/** Asks git before any agent works in the repository. Git may not guess from the name of the machine. */
export async function commitIdentity(repository: Repository, signal?: AbortSignal): Promise<CommitIdentity> {
  const { stdout, status } = await runGit({
    ...accessRepository(repository, signal),
    args: ["-c", "user.useConfigOnly=true", "var", "GIT_AUTHOR_IDENT"],
    env: pickVariables(repository.environment, IDENTITY_VARIABLES),
    okStatuses: [0, 128],
  });
  const found = /^(?<name>.+) <(?<email>[^<>]*)> \d+ [+-]\d{4}\n?$/s.exec(stdout.toString("utf8"))?.groups;
  if (status !== 0 || found === undefined) return FALLBACK;
  return { name: found["name"] ?? "", email: found["email"] ?? "", isFallback: false };
}

export function makeIdentityVariables({ name, email }: CommitIdentity): Readonly<Record<string, string>> {
  return {
    GIT_AUTHOR_NAME: name,
    GIT_AUTHOR_EMAIL: email,
    GIT_COMMITTER_NAME: name,
    GIT_COMMITTER_EMAIL: email,
  };
}
