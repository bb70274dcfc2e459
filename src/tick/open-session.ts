/** Opens the session of a tick: its agents, and the settings that must not change meanwhile. */
import { join } from "node:path";
import type { Work } from "../workflows/pure/workflow.ts";
import { readClockMs } from "../system/clock.ts";
import { commitIdentity } from "../store/commit-identity.ts";
import { openContentStore } from "../store/content-store.ts";
import { readFilterSettings } from "../git/filter-settings.ts";
import { pinHooks } from "../store/pin-hooks.ts";
import { rememberGitVersion } from "../git/git-version.ts";
import { rememberRepository } from "../journal/remembered-repository.ts";
import { createRunDirectory } from "../journal/run-directory.ts";
import { findInsidePrograms } from "../checks/find-inside-programs.ts";
import { readRecipes } from "../checks/read-recipes.ts";
import { listProgramNames } from "../checks/pure/check-steering.ts";
import { runByGit } from "../git/run-by-git.ts";
import type { NotReady } from "../records/command-failure.ts";
import type { CommandContext } from "../workspace/command-context.ts";
import type { LockedWorkspace } from "../workspace/workspace.ts";
import { chooseIsolation } from "../place/choose-isolation.ts";
import { openWorkplace } from "../place/open-workplace.ts";
import type { Workplace } from "../place/workplace.ts";
import { nameTickMarker } from "../process/reap-session.ts";
import { chooseSandbox } from "../place/tick-sandbox.ts";
import { isAttempt } from "../workspace/own-environment.ts";
import { openWork } from "./open-work.ts";
import type { AttemptsPort, RoundPort, RunningSession } from "./tick-session.ts";

export interface OpenRequest extends Pick<CommandContext, "signal" | "player" | "renderReport" | "emit" | "askPerson"> {
  /** Its `runId` becomes the id of the tick. */
  readonly workspace: LockedWorkspace;
  readonly seriesId: string;
  readonly work: Work;
  /** Absent is one session. */
  readonly attempts?: AttemptsPort | null;
  /** Absent takes one task of an answer. */
  readonly round?: RoundPort | null;
}

export type OpenedSession = { readonly kind: "session"; readonly session: RunningSession } | NotReady;

/** Nothing is written if an agent cannot be used. */
export async function openSession(request: OpenRequest): Promise<OpenedSession> {
  const { workspace, work, signal } = request;
  const { repository, config, stateDirectory, runId } = workspace;
  const ready = await openWork({ config, repository, player: request.player }, work);
  if ("kind" in ready) return ready;
  await rememberRepository(stateDirectory, repository);
  rememberGitVersion(repository.root, repository.environment, stateDirectory);
  const settings = await readFilterSettings(repository, signal);
  const runDirectory = createRunDirectory(stateDirectory, runId, {
    "config.json": workspace.configText,
    ...(work.task === null ? {} : { "task.json": `${JSON.stringify(work.task, null, 2)}\n` }),
  });
  const deadlineAt = readClockMs() + (work.maxSeconds ?? config.runner.max_tick_seconds) * 1000;
  const memory = { foreseen: null, candidate: null, tolerated: [], heldMs: 0, report: null, problems: [] };
  const recipes = readRecipes(repository.root);
  const checks = [...config.verification.templates, ...work.checks.known];
  const session = {
    kind: "running" as const,
    ...choosePorts(request),
    repository,
    stateDirectory,
    workspace: workspace.folder,
    config,
    configText: workspace.configText,
    runDirectory,
    runId,
    seriesId: request.seriesId,
    store: await openContentStore(stateDirectory, repository.environment),
    place: await choosePlace(request, settings.excludesFile),
    sandbox: await chooseSandbox({ repository, config, stateDirectory }),
    settings,
    identity: await commitIdentity(repository, { settings, signal }),
    hooks: config.git.hooks === "run" ? await pinHooks(repository, join(runDirectory, "hooks")) : null,
    runByGit: await runByGit(repository, settings),
    recipes,
    insidePrograms: await findInsidePrograms(repository, listProgramNames(checks, recipes)),
    signal,
    get deadlineAt() {
      return deadlineAt + memory.heldMs;
    },
    journal: workspace.journal,
    noteInLocks: workspace.noteInLocks,
    work: ready,
    memory,
    renderReport: request.renderReport,
    ...(request.emit === undefined ? {} : { emit: request.emit }),
  };
  return { kind: "session", session };
}

/** Where the configured place cannot be had, preflight says so. */
async function choosePlace({ workspace, seriesId }: OpenRequest, userExcludesFile: string | null): Promise<Workplace> {
  const { config, repository, stateDirectory, runId } = workspace;
  const { isolation } = await chooseIsolation({
    isolation: config.isolation,
    repository,
    stateDirectory,
    remembers: true,
  });
  const ownBranch = `${config.git.branch_prefix}${seriesId}`;
  const own = { runId, ownBranch, ownFolder: config.workspace_dir, marker: nameTickMarker(runId) };
  const place = { repository, stateDirectory, userExcludesFile, config, ...own };
  return openWorkplace(isolation ?? "in_place", place);
}

function choosePorts(request: OpenRequest): Pick<RunningSession, "attempts" | "round" | "ask"> {
  return { attempts: request.attempts ?? null, round: request.round ?? null, ask: chooseAsk(request) };
}

function chooseAsk({ workspace: { config, repository }, askPerson = null }: OpenRequest): RunningSession["ask"] {
  // The person is asked about the best of them.
  if (config.settle !== "ask" || isAttempt(repository.environment)) return null;
  return { timeoutSeconds: config.ask_timeout_seconds, person: askPerson };
}
