import { join } from "node:path";
import type { TickRecord } from "../core/tick/tick-records.ts";
import { readBounded } from "../io/bounded-file.ts";
import { commitIdentity } from "../io/commit-identity.ts";
import { openContentStore } from "../io/content-store.ts";
import { filterSettings } from "../io/filter-settings.ts";
import type { Journal } from "../io/journal.ts";
import { runDirectoryOf } from "../io/run-directory.ts";
import { configOf, type Unready } from "./ground.ts";
import { openInPlace } from "./in-place.ts";
import type { RecoveryPlace } from "./recovery-place.ts";
import type { TickSession } from "./tick-session.ts";

const CONFIG_BYTES_MAX = 1024 * 1024;

/** The session in which a tick of an earlier process is brought to its end, with the configuration that it had. */
export async function recoverySession(
  { repository, stateDirectory, signal, renderReport }: RecoveryPlace,
  journal: Journal,
  { runId, seriesId }: TickRecord,
): Promise<(TickSession & { readonly kind: "session" }) | Unready> {
  const runDirectory = runDirectoryOf(stateDirectory, runId);
  const read = await readBounded(join(runDirectory, "config.json"), CONFIG_BYTES_MAX);
  const configText = read.kind === "read" ? read.data.toString("utf8") : "{}";
  const parsed = configOf(configText);
  if (parsed.kind === "blocked") return parsed;
  const { config } = parsed;
  const settings = await filterSettings(repository, signal);
  return {
    kind: "session",
    repository,
    stateDirectory,
    workspace: join(repository.root, config.workspace_dir),
    config,
    configText,
    runDirectory,
    runId,
    seriesId,
    store: await openContentStore(stateDirectory),
    place: await openInPlace({ repository, stateDirectory, userExcludesFile: settings.excludesFile }),
    settings,
    identity: await commitIdentity(repository, signal),
    hooks: null,
    // Nothing is judged any more.
    runByGit: [],
    // What is left to do must not be cut short again.
    signal: new AbortController().signal,
    deadlineAt: Number.POSITIVE_INFINITY,
    journal,
    // Nothing is prepared any more.
    noteInLocks: () => Promise.resolve(),
    work: null,
    memory: { foreseen: null, candidate: null, tolerated: [], report: null, problems: [] },
    renderReport,
  };
}
