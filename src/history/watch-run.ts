import { join } from "node:path";
import { readTranscriptEvents } from "../agents/read-transcript.ts";
import type { JournalLine } from "../records/event.ts";
import { CHECKS, type LiveListener, type LiveEvent } from "../records/live-event.ts";
import { readClockMs, repeatEvery } from "../system/clock.ts";
import { followLines } from "../system/follow-file.ts";
import { locateRunDirectory } from "../journal/run-directory.ts";
import { chooseDriver } from "../agents/choose-driver.ts";
import type { ScriptPlayer } from "../agents/scripted.ts";
import { foldLines } from "../records/folded-lines.ts";
import type { Lock } from "../records/lock.ts";
import type { Config } from "../config/config.ts";
import { foldLiveCampaign, NO_LIVE_CAMPAIGN, findSilenceNotice } from "../workflows/pure/live-session.ts";
import { canonicaliseTree } from "../workflows/pure/tree-nodes.ts";
import { WorkspaceFold } from "../journal/pure/workspace-state.ts";
import { pauseUntil } from "../system/pause.ts";
import { readHolder } from "./read-status.ts";
import type { WorkspaceSnapshot } from "../workspace/workspace.ts";
import { emitOpened, emitRecorded } from "../tick/emit-recorded.ts";
import { readTreeFile } from "../workspace/tree-file.ts";
import { followJournal, type FollowRequest } from "../journal/follow-journal.ts";

/** Emits the activity of agents from the transcripts that another process writes. */
export function followSessions(stateDirectory: string, emit: LiveListener) {
  let runId = "";
  const looks = new Map<string, () => void>();
  const open = (name: string, speaker: string, driver: Parameters<typeof readTranscriptEvents>[0]): void => {
    const news = followLines(join(locateRunDirectory(stateDirectory, runId), `${name}.log`));
    const read = readTranscriptEvents(driver, (event) => emit({ kind: "agent", atMs: readClockMs(), speaker, event }));
    looks.set(name, () => {
      for (const line of news()) read(line);
    });
  };
  const look = (): void => {
    for (const one of looks.values()) one();
  };
  return {
    take: ({ run_id, event }: JournalLine): void => {
      if (event.type === "tick_started") {
        // A session may end, and the next tick begin, between two looks.
        look();
        looks.clear();
      }
      runId = run_id;
      if (event.type === "planned") open("verify", CHECKS, "command");
      if (event.type === "plan_started" && !looks.has("orchestrator"))
        open("orchestrator", "orchestrator", event.driver);
      if (event.type === "build_started") open("builder", "builder", event.driver);
      if (event.type === "review_started") {
        const { driver } = event;
        for (const { reviewer } of event.sessions)
          for (const role of ["reviewer", "verifier"]) open(`${role}-${reviewer}`, `${role} ${reviewer}`, driver);
      }
    },
    look,
  };
}

/** Follows another process that works here: the journal it writes, and the transcripts of its agents. */

interface RunWatch {
  readonly emit: LiveListener;
  readonly signal: AbortSignal;
  readonly player: ScriptPlayer;
  /** Whether to wait until a process starts. */
  readonly isPatient?: boolean;
  readonly onTrouble: Parameters<typeof watchEvents>[1]["onTrouble"];
}

const LOOK_MS = 300;

/** `gone`: the other process ended in the middle of its work. `left`: a signal ended the watch. */
export type WatchEnd = { readonly kind: "done" | "gone"; readonly pid: number } | { readonly kind: "nobody" | "left" };

export async function watchRun(around: WorkspaceSnapshot, watch: RunWatch): Promise<WatchEnd> {
  const holder = await waitForHolder(around, watch);
  if (holder === null) return { kind: "nobody" };
  const over = new AbortController();
  const signal = AbortSignal.any([watch.signal, over.signal]);
  const teller = await openTeller(around, watch);
  const begunMs = Date.parse(holder.started_at);
  teller.begin(around.lines.filter(({ at }) => Date.parse(at) >= begunMs));
  let wasHere = true;
  const look = async (): Promise<void> => {
    teller.look();
    const isHere = (await readHolder(around))?.pid === holder.pid;
    // The locks are free for a moment between a recovery and the work after it, so one look is not enough.
    if (!isHere && !wasHere) over.abort();
    wasHere = isHere;
  };
  const stop = repeatEvery(LOOK_MS, () => void look().catch(() => over.abort()));
  try {
    await watchEvents(around, { signal, onLines: teller.take, onTrouble: watch.onTrouble });
  } finally {
    stop();
  }
  teller.look();
  if (watch.signal.aborted) return { kind: "left" };
  return { kind: teller.isDone() ? "done" : "gone", pid: holder.pid };
}

async function waitForHolder(around: WorkspaceSnapshot, { isPatient = false, signal }: RunWatch): Promise<Lock | null> {
  for (;;) {
    const holder = await readHolder(around);
    if (holder !== null || !isPatient) return holder;
    const goesOn = await pauseUntil(readClockMs() + LOOK_MS, { signal, onStep: () => {} });
    if (!goesOn) return null;
  }
}

async function openTeller(around: WorkspaceSnapshot, { emit: listener, player }: RunWatch) {
  const { budgets, campaign } = around.config;
  const { emit, lookForSilence } = watchSilence(campaign, listener);
  const known = foldLines(around.lines);
  const sessions = followSessions(around.stateDirectory, emit);
  const limits = await readLimits(around, player);
  let isOpen = false;
  const open = ({ series_id: seriesId }: JournalLine): void => {
    isOpen = true;
    emit({ kind: "limits", limits });
    emitOpened(emit, { seriesId, lines: known.lines() });
    emit({ kind: "spent", state: known.fold(WorkspaceFold).state(budgets), budgets });
  };
  return {
    /** With the lines that the other process has recorded already. */ begin: (lines: readonly JournalLine[]): void => {
      const last = lines.at(-1);
      if (last === undefined) return;
      open(last);
      const started = lines.findLast(({ event }) => event.type === "tick_started");
      if (started !== undefined) emitTree(around, started, emit);
      const ofTick = lines.slice(Math.max(0, started === undefined ? 0 : lines.lastIndexOf(started)));
      for (const line of ofTick) sessions.take(line);
    },
    take: (lines: readonly JournalLine[]): void => {
      for (const line of lines) {
        known.push(line);
        if (isOpen) emitRecorded(emit, { line, journal: known, budgets });
        else open(line);
        emitTree(around, line, emit);
        sessions.take(line);
      }
    },
    look: (): void => {
      sessions.look();
      lookForSilence();
    },
    isDone: () => isSeriesDone(known.lines()),
  };
}

function isSeriesDone(lines: readonly JournalLine[]): boolean {
  const started = lines.findLast(({ event }) => event.type === "tick_started");
  if (started?.event.type !== "tick_started") return false;
  const ofSeries = lines.filter(({ series_id }) => series_id === started.series_id);
  if (started.event.series !== undefined) return ofSeries.at(-1)?.event.type === "series_ended";
  return ofSeries.some(({ event }) => event.type === "tick_ended");
}

function watchSilence(campaign: Config["campaign"], listener: LiveListener) {
  let live = NO_LIVE_CAMPAIGN;
  return {
    emit: (event: LiveEvent): void => {
      live = foldLiveCampaign(live, event);
      listener(event);
    },
    lookForSilence: (): void => {
      const { session } = live;
      const notice = session === null ? null : findSilenceNotice(session, readClockMs(), campaign);
      if (session === null || notice === null) return;
      live = { ...live, session: { ...session, notices: notice.notice } };
      listener(notice);
    },
  };
}

function emitTree({ repository, config }: WorkspaceSnapshot, { event }: JournalLine, emit: LiveListener): void {
  if (event.type !== "tick_started" || event.workflow !== "tree") return;
  const read = readTreeFile({ folder: join(repository.root, config.workspace_dir) });
  if (read.kind === "tree")
    emit({ kind: "tree", tree: canonicaliseTree(read.tree), maxIterations: config.tree.max_iterations });
}

/** By the configuration as it is now. */
async function readLimits({ config, repository }: WorkspaceSnapshot, player: ScriptPlayer) {
  const of = async (role: "orchestrator" | "builder" | "reviewer") => {
    const choice = await chooseDriver({ config, repository, player, role });
    return choice.kind === "ready" ? choice.limits.timeoutMs : null;
  };
  return {
    orchestrator: await of("orchestrator"),
    builder: await of("builder"),
    reviewer: await of("reviewer"),
  };
}

/** Follows the journal of a repository, with the lines of all its worktrees. */
export async function watchEvents(
  { stateDirectory, lines }: Pick<WorkspaceSnapshot, "stateDirectory" | "lines">,
  watch: Omit<FollowRequest, "path" | "lines">,
): Promise<void> {
  await followJournal({ ...watch, path: join(stateDirectory, "journal.jsonl"), lines });
}

/** The newest tick first. */
export function listRuns(lines: readonly JournalLine[]): readonly string[] {
  return [...new Set(lines.map(({ run_id }) => run_id))].toReversed();
}
