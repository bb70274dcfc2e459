import type { Repository } from "../git/repository-layout.ts";
import { pickVariables } from "../machine/environment.ts";
import { runGit } from "../git/git.ts";

/** Under whose name the runner commits. */
export interface CommitIdentity {
  readonly name: string;
  readonly email: string;
  /** Nobody is configured, so the commit carries the runner's own name. */
  readonly isFallback: boolean;
}

const FALLBACK: CommitIdentity = { name: "relais", email: "relais@localhost", isFallback: true };

/** Where the user's git finds out who the user is. */
const PLACES = [
  "HOME",
  "XDG_CONFIG_HOME",
  "GIT_CONFIG_GLOBAL",
  "GIT_CONFIG_SYSTEM",
  "GIT_CONFIG_NOSYSTEM",
  "GIT_AUTHOR_NAME",
  "GIT_AUTHOR_EMAIL",
  "EMAIL",
];

/** Asks git, before anybody else works in the repository. Git is not allowed to guess from the name of the machine. */
export async function commitIdentity(repository: Repository, signal?: AbortSignal): Promise<CommitIdentity> {
  const { stdout, status } = await runGit({
    args: ["-c", "user.useConfigOnly=true", "var", "GIT_AUTHOR_IDENT"],
    cwd: repository.root,
    environment: repository.environment,
    gitDir: repository.gitDir,
    env: pickVariables(repository.environment, PLACES),
    okStatuses: [0, 128],
    outputBytesMax: 64 * 1024,
    signal,
  });
  const found = /^(?<name>.+) <(?<email>[^<>]*)> \d+ [+-]\d{4}\n?$/s.exec(stdout.toString("utf8"))?.groups;
  if (status !== 0 || found === undefined) return FALLBACK;
  return { name: found["name"] ?? "", email: found["email"] ?? "", isFallback: false };
}

/** The variables that make git sign its objects and reflogs with this name. */
export function makeIdentityVariables({ name, email }: CommitIdentity): Readonly<Record<string, string>> {
  return {
    GIT_AUTHOR_NAME: name,
    GIT_AUTHOR_EMAIL: email,
    GIT_COMMITTER_NAME: name,
    GIT_COMMITTER_EMAIL: email,
  };
}
