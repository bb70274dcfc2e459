/**
 * What is there to be looked at: the repository, its configuration, its journal.
 *
 * Looking must work when something is wrong, because that is when people look. So only a missing repository and a
 * journal that cannot be believed end it, and nothing is made that is not there yet.
 */
import { join } from "node:path";
import type { Config } from "../contract/config.ts";
import type { JournalLine } from "../contract/event.ts";
import { InvariantError, unreachable } from "../contract/invariant.ts";
import { parseConfig } from "../contract/parse-config.ts";
import { readJournal } from "../io/read-journal.ts";
import { findRepository, type Repository } from "../io/repository-layout.ts";
import { findStateDirectory } from "../io/state-directory.ts";
import { type ConfigFile, readConfigFile } from "./config-file.ts";
import { type Unready, unready } from "./ground.ts";

export type Environment = Readonly<Record<string, string | undefined>>;

export interface Surroundings {
  readonly kind: "found";
  readonly repository: Repository;
  /** It need not exist yet. */
  readonly stateDirectory: string;
  readonly lockPath: string;
  readonly configFile: ConfigFile;
  /** The defaults where no configuration can be used. */
  readonly config: Config;
  /** The history folder, as an absolute path. */
  readonly history: string;
  readonly lines: readonly JournalLine[];
}

export async function lookAround(cwd: string, environment: Environment): Promise<Surroundings | Unready> {
  const layout = await findRepository(cwd);
  switch (layout.kind) {
    case "none":
      return unready("no_repository", `There is no git repository at ${layout.searched} or above it.`);
    case "bare":
      return unready("bare_repository", `${layout.dir} is a repository without a working tree.`);
    case "repository":
      return inRepository(layout, environment);
    default:
      return unreachable(layout);
  }
}

async function inRepository(
  repository: Repository,
  environment: Environment,
): Promise<Surroundings | Unready> {
  const { root } = repository;
  const state = findStateDirectory(repository, environment);
  if (state.kind === "unusable")
    return unready("state_unusable", `The state directory ${state.path} cannot be used: ${state.reason}.`);
  const configFile = await readConfigFile(root);
  const config = configFile.kind === "config" ? configFile.config : defaults();
  const ledger = join(root, config.workspace_dir, "ledger.jsonl");
  const journal = await readLines([join(state.path, "journal.jsonl"), ledger]);
  if ("kind" in journal) return journal;
  return {
    kind: "found",
    repository,
    stateDirectory: state.path,
    lockPath: state.lockPath,
    configFile,
    config,
    history: join(root, config.history.dir),
    lines: journal,
  };
}

/** The first journal that is there: the published one serves where the repository came from another machine. */
async function readLines(paths: readonly string[]): Promise<readonly JournalLine[] | Unready> {
  for (const path of paths) {
    const read = await readJournal(path);
    if (read.kind === "read") return read.lines;
    if (read.kind === "corrupt") return journalDamaged(read);
  }
  return [];
}

/** Why nothing can be said or done about a repository whose journal is damaged. */
export function journalDamaged(damage: {
  readonly path: string;
  readonly line: number | null;
  readonly reason: string;
}): Unready {
  const where = damage.line === null ? "" : ` at line ${damage.line}`;
  const message = `The journal ${damage.path} is damaged${where}: ${damage.reason}.`;
  const remedy =
    "It is not repaired by guessing. Move it away to begin a new one; where the ledger of the workspace is whole, it is taken up.";
  return { ...unready("journal_corrupt", message), code: "BLOCKED_CRASH_RECOVERY_REQUIRED", remedy };
}

function defaults(): Config {
  const parsed = parseConfig({});
  if (parsed.kind === "invalid") throw new InvariantError("the defaults are no configuration");
  return parsed.value;
}
