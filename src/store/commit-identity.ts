import type { Environment } from "../base/environment.ts";
import { shorten } from "../base/words.ts";
import type { CommitAuthor } from "../git/commit-tree.ts";
import type { Repository } from "../git/repository-layout.ts";
import { pickVariables } from "../system/child-environment.ts";
import { type FilterSettings, USER_CONFIG_VARIABLES } from "../git/filter-settings.ts";
import { accessRepository, runGit } from "../git/git.ts";

export interface CommitIdentity extends CommitAuthor {
  /** Nobody is configured, so the commit carries the runner's own name. */
  readonly isFallback: boolean;
}

const FALLBACK: CommitIdentity = { name: "relais", email: "relais@localhost", isFallback: true };

/** Where the user's git finds out who the user is. */
const IDENTITY_VARIABLES = [...USER_CONFIG_VARIABLES, "GIT_AUTHOR_NAME", "GIT_AUTHOR_EMAIL", "EMAIL"];

interface IdentityOptions {
  /** The whole configuration, if it was read already. */
  readonly settings?: Pick<FilterSettings, "all">;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Who commits, found before any agent works in the repository. Git may not guess from the name of the machine. It is
 * asked where the settings leave something open.
 */
export async function commitIdentity(
  repository: Repository,
  { settings, signal }: IdentityOptions = {},
): Promise<CommitIdentity> {
  const plain = settings === undefined ? null : findPlainIdentity(settings, repository.environment);
  return plain ?? askIdentity(repository, signal);
}

/** Git leaves out some characters at both ends, and all that would end a name or an address. */
const PLAIN = /^[^\p{Cc}\s.,:;<>"\\'](?:[^\p{Cc}<>]*[^\p{Cc}\s.,:;<>"\\'])?$/u;

function findPlainIdentity({ all }: Pick<FilterSettings, "all">, environment: Environment): CommitIdentity | null {
  const find = (part: "name" | "email"): string | undefined => {
    const [author, user] = [`author.${part}`, `user.${part}`].map(
      (key) => all.findLast((setting) => setting.key === key)?.value,
    );
    return environment[`GIT_AUTHOR_${part.toUpperCase()}`] ?? author ?? user;
  };
  const [name, email] = [find("name"), find("email")];
  if (name === undefined || email === undefined) return null;
  return PLAIN.test(name) && PLAIN.test(email) ? { name, email, isFallback: false } : null;
}

async function askIdentity(repository: Repository, signal: AbortSignal | undefined): Promise<CommitIdentity> {
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

const NAME_CHARS = 400;

/** Who decides, for the journal: as git knows the person, or by the name of the account. */
export function namePerson({ name, email, isFallback }: CommitIdentity, environment: Environment): string {
  const account = environment["USER"] ?? environment["LOGNAME"] ?? "unknown";
  return shorten(isFallback ? account : `${name} <${email}>`, NAME_CHARS);
}
