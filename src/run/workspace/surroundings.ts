/**
 * What is there to be looked at: the repository, its configuration, its journal.
 *
 * Looking must work when something is wrong, because that is when people look. So only a missing repository and a
 * journal that cannot be believed end it, and nothing is made that is not there yet.
 */
import { join } from "node:path";
import type { Config } from "../../contract/config/config.ts";
import type { JournalLine } from "../../contract/journal/event.ts";
import type { Environment } from "../../contract/values/environment.ts";
import { InvariantError, unreachable } from "../../contract/values/invariant.ts";
import { parseConfig } from "../../contract/config/parse-config.ts";
import type { Lock } from "../../contract/journal/lock.ts";
import { findRepository, type Repository } from "../../io/git/repository-layout.ts";
import { findStateDirectory } from "../../io/workspace/state-directory.ts";
import { surveyJournal } from "../../io/journal/survey-journal.ts";
import { type ConfigFile, readConfigFile } from "./config-file.ts";
import { bareRepository, noRepository, stateUnusable, type Unready } from "./ground.ts";
import { lockPathsOf } from "./incomplete-journal.ts";
import { journalUnusable } from "./unusable-journal.ts";

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
  /** Those included that are missing from the journal and known from their copies. */
  readonly lines: readonly JournalLine[];
  readonly missingLines: number;
  /** Who was at work when all that was known of a tick was lost. */
  readonly lostTick: Lock | null;
}

export async function lookAround(cwd: string, environment: Environment): Promise<Surroundings | Unready> {
  const layout = await findRepository(cwd, environment);
  switch (layout.kind) {
    case "none":
      return noRepository(layout);
    case "bare":
      return bareRepository(layout.dir);
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
  if (state.kind === "unusable") return stateUnusable(state);
  const configFile = await readConfigFile(root);
  const config = configFile.kind === "config" ? configFile.config : defaultConfig();
  const journal = await surveyJournal({
    stateDirectory: state.path,
    ledger: join(root, config.workspace_dir, "ledger.jsonl"),
    lockPaths: lockPathsOf({ lockPath: state.lockPath, repository, config }),
  });
  if (journal.kind === "corrupt" || journal.kind === "newer") return journalUnusable(journal);
  if (journal.kind === "short" && journal.damage !== null) return journalUnusable(journal.damage);
  return {
    kind: "found",
    repository,
    stateDirectory: state.path,
    lockPath: state.lockPath,
    configFile,
    config,
    history: join(root, config.history.dir),
    lines: journal.lines,
    missingLines: journal.kind === "short" ? journal.missing.length : 0,
    lostTick: journal.kind === "lost" ? journal.holder : null,
  };
}

/** What holds where there is no configuration that can be used. */
export function defaultConfig(): Config {
  const parsed = parseConfig({});
  if (parsed.kind === "invalid") throw new InvariantError("the defaults are no configuration");
  return parsed.value;
}
