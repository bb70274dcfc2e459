/** Everything that a tick needs before its first event: who is called for it, and what must not change meanwhile. */
import { join } from "node:path";
import type { ScriptPlayer } from "../../agents/scripted.ts";
import type { LiveListener } from "../../contract/journal/live-event.ts";
import type { Work } from "../../core/workflow/workflow.ts";
import { currentTimeMs } from "../../io/machine/clock.ts";
import { commitIdentity } from "../../io/commit/commit-identity.ts";
import { openContentStore } from "../../io/content/content-store.ts";
import { filterSettings } from "../../io/git/filter-settings.ts";
import type { Journal } from "../../io/journal/journal.ts";
import { pinHooks } from "../../io/commit/pin-hooks.ts";
import { rememberRepository } from "../../io/workspace/remembered-repository.ts";
import { createRunDirectory } from "../../io/workspace/run-directory.ts";
import { runByGit } from "../../io/git/run-by-git.ts";
import type { Ground, Unready } from "../workspace/ground.ts";
import { openInPlace } from "../evidence/in-place.ts";
import { openWork } from "./open-work.ts";
import type { RunningSession } from "../session/tick-session.ts";
import type { NoteInLocks } from "../workspace/with-locks.ts";

/** What only the caller of relais can give. */
export interface SessionSources {
  readonly signal: AbortSignal;
  /** How to start relais itself for a scripted session. */
  readonly player: ScriptPlayer;
  readonly renderReport: RunningSession["renderReport"];
  /** Whoever looks on; absent is nobody. */
  readonly emit?: LiveListener;
}

export interface SessionRequest extends SessionSources {
  readonly ground: Ground;
  readonly runId: string;
  readonly seriesId: string;
  readonly work: Work;
  readonly journal: Journal;
  readonly noteInLocks: NoteInLocks;
}

export type OpenedSession = { readonly kind: "session"; readonly session: RunningSession } | Unready;

/** Opens the session of a tick. Nothing is written where somebody who has to be called cannot be. */
export async function openSession(request: SessionRequest): Promise<OpenedSession> {
  const { ground, work, runId, signal } = request;
  const { repository, config, stateDirectory } = ground;
  const ready = await openWork({ config, repository, player: request.player }, work);
  if ("kind" in ready) return ready;
  await rememberRepository(stateDirectory, repository);
  const settings = await filterSettings(repository, signal);
  const runDirectory = await createRunDirectory(stateDirectory, runId, {
    "config.json": ground.configText,
    ...(work.task === null ? {} : { "task.json": `${JSON.stringify(work.task, null, 2)}\n` }),
  });
  const session = {
    kind: "running" as const,
    repository,
    stateDirectory,
    workspace: ground.workspace,
    config,
    configText: ground.configText,
    runDirectory,
    runId,
    seriesId: request.seriesId,
    store: await openContentStore(stateDirectory, repository.environment),
    place: await openInPlace({ repository, stateDirectory, userExcludesFile: settings.excludesFile }),
    settings,
    identity: await commitIdentity(repository, signal),
    hooks: config.git.hooks === "run" ? await pinHooks(repository, join(runDirectory, "hooks")) : null,
    runByGit: await runByGit(repository, settings),
    signal,
    deadlineAt: currentTimeMs() + (work.maxSeconds ?? config.runner.max_tick_seconds) * 1000,
    journal: request.journal,
    noteInLocks: request.noteInLocks,
    work: ready,
    memory: { foreseen: null, candidate: null, tolerated: [], report: null, problems: [] },
    renderReport: request.renderReport,
    ...(request.emit === undefined ? {} : { emit: request.emit }),
  };
  return { kind: "session", session };
}
