import { createHash } from "node:crypto";
import { join } from "node:path";
import { findStart } from "../../core/tick/tick-facts.ts";
import type { TickRecord } from "../../core/tick/tick-records.ts";
import { readBounded } from "../../io/files/bounded-file.ts";
import { commitIdentity } from "../../io/commit/commit-identity.ts";
import { openContentStore } from "../../io/content/content-store.ts";
import { filterSettings } from "../../io/git/filter-settings.ts";
import type { Journal } from "../../io/journal/journal.ts";
import { runDirectoryOf } from "../../io/workspace/run-directory.ts";
import { CONFIG_NAME } from "../workspace/config-file.ts";
import { configOf, type Unready } from "../workspace/ground.ts";
import { openInPlace } from "../evidence/in-place.ts";
import type { RecoveryPlace } from "./recovery-place.ts";
import type { RecoveringSession } from "../session/tick-session.ts";

const CONFIG_BYTES_MAX = 1024 * 1024;

/** The session in which a tick of an earlier process is brought to its end, with the configuration that it had. */
export async function recoverySession(
  { repository, stateDirectory, signal, renderReport }: RecoveryPlace,
  journal: Journal,
  { runId, seriesId, state }: TickRecord,
): Promise<RecoveringSession | Unready> {
  const runDirectory = runDirectoryOf(stateDirectory, runId);
  const places = [join(runDirectory, "config.json"), join(repository.root, CONFIG_NAME)];
  const configText = await recordedText(places, findStart(state)?.config_sha256 ?? null);
  const parsed = configOf(configText);
  if (parsed.kind === "blocked") return parsed;
  const { config } = parsed;
  const settings = await filterSettings(repository, signal);
  return {
    kind: "recovering",
    repository,
    stateDirectory,
    workspace: join(repository.root, config.workspace_dir),
    config,
    configText,
    runDirectory,
    runId,
    seriesId,
    store: await openContentStore(stateDirectory, repository.environment),
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
    memory: { foreseen: null, candidate: null, tolerated: [], report: null, problems: [] },
    renderReport,
  };
}

/** The configuration that the journal tells of, wherever it is left: a builder may have forged the one that was kept. */
async function recordedText(places: readonly string[], sha256: string | null): Promise<string> {
  for (const place of places) {
    const read = await readBounded(place, CONFIG_BYTES_MAX);
    if (read.kind !== "read") continue;
    const found = createHash("sha256").update(read.data).digest("hex");
    if (sha256 === null || found === sha256) return read.data.toString("utf8");
  }
  return "{}";
}
