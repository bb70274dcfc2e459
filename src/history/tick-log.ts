/** The transcripts of a tick in the order of the journal, and how each session ended. */
import { join } from "node:path";
import { readTranscript, type TranscriptReader } from "../agents/read-transcript.ts";
import type { Review } from "../records/review.ts";
import type { LoggedEntry, LoggedSession, TranscriptEntry } from "../records/transcript-entry.ts";
import type { JournalLine, TickEvent } from "../records/event.ts";
import { CHECKS } from "../records/live-event.ts";
import type { EventOf } from "../tick/pure/tick-state.ts";
import { followLines } from "../system/follow-file.ts";
import { repeatEvery } from "../system/clock.ts";
import { locateRunDirectory } from "../journal/run-directory.ts";
import { addHeldOutLines } from "../workspace/held-out-lines.ts";
import type { WorkspaceSnapshot } from "../workspace/workspace.ts";
import { readHolder } from "./read-status.ts";
import { watchEvents } from "./watch-run.ts";

type OnEntry = (entry: LoggedEntry) => void;

interface OpenSession {
  readonly session: LoggedSession;
  readonly news: (isLast?: boolean) => readonly string[];
  readonly reader: TranscriptReader;
}

type Driver = EventOf<"build_started">["driver"];

/** The ticks with a session or a check, newest first. */
export function listLoggedRuns(lines: readonly JournalLine[]): readonly string[] {
  const logged = lines.filter(({ event }) => STARTS.includes(event.type)).map(({ run_id }) => run_id);
  return [...new Set(logged)].toReversed();
}

const STARTS: readonly string[] = ["plan_started", "build_started", "review_started", "verified"];

/** Reads the log of a tick as far as it goes. */
export function readTickLog(around: WorkspaceSnapshot, runId: string): readonly LoggedEntry[] {
  const entries: LoggedEntry[] = [];
  const log = openTickLog(locateRunDirectory(around.stateDirectory, runId), (entry) => entries.push(entry));
  for (const line of around.lines) if (line.run_id === runId) log.take(line);
  log.finish();
  return entries;
}

const LOOK_MS = 200;

/** Reads the log of a tick until the tick has ended, or its process is gone. */
export async function followTickLog(
  around: WorkspaceSnapshot,
  runId: string,
  signal: AbortSignal,
  onEntry: OnEntry,
): Promise<void> {
  const log = openTickLog(locateRunDirectory(around.stateDirectory, runId), onEntry);
  const over = new AbortController();
  const take = (lines: readonly JournalLine[]): void => {
    for (const line of lines) {
      if (line.run_id !== runId) continue;
      log.take(line);
      if (line.event.type === "tick_ended") over.abort();
    }
  };
  take(around.lines);
  let wasHere = true;
  const look = async (): Promise<void> => {
    log.look();
    const isHere = (await readHolder(around)) !== null;
    // The locks are free for a moment between a recovery and the work after it.
    if (!isHere && !wasHere) over.abort();
    wasHere = isHere;
  };
  const stop = repeatEvery(LOOK_MS, () => void look().catch(() => over.abort()));
  try {
    const isEither = AbortSignal.any([signal, over.signal]);
    await watchEvents(around, { signal: isEither, onLines: take, onTrouble: () => {} });
  } finally {
    stop();
  }
  log.finish();
}

function openTickLog(folder: string, onEntry: OnEntry) {
  const sessions = new Map<string, OpenSession>();
  let role = "reviewer";
  const emit = (session: LoggedSession, entries: readonly TranscriptEntry[]): void => {
    for (const entry of entries) onEntry({ session, entry });
  };
  const read = ({ session, news, reader }: OpenSession, isLast: boolean): void => {
    for (const line of news(isLast)) emit(session, reader.line(line));
    if (isLast) emit(session, reader.rest());
  };
  const open = ({ name, driver }: Start, startedAt: string): void => {
    if (sessions.has(name) || driver === "patch") return;
    const news = followLines(join(folder, `${name.replace(" ", "-")}.log`));
    sessions.set(name, { session: { name, driver, startedAt }, news, reader: readTranscript(driver) });
  };
  const close = ({ name, entry }: Step): void => {
    const known = sessions.get(name);
    if (known === undefined) return;
    read(known, entry?.type !== "note");
    if (entry !== null) emit(known.session, [entry]);
    if (entry?.type !== "note") sessions.delete(name);
  };
  const finish = (): void => {
    for (const name of sessions.keys()) close({ name, entry: null });
  };
  const take = ({ event, at }: JournalLine): void => {
    if (event.type === "tick_started") role = event.review?.role ?? role;
    for (const start of listStarts(event, role)) open(start, at);
    for (const step of listSteps(event, role)) close(step);
    if (event.type === "verified")
      emit(
        { name: CHECKS, driver: null, startedAt: at },
        event.runs.map((run) => describeCheck(addHeldOutLines(run, folder))),
      );
    if (event.type === "tick_ended") finish();
  };
  return { take, finish, look: () => sessions.forEach((known) => read(known, false)) };
}

interface Start {
  readonly name: string;
  readonly driver: Driver;
}

function listStarts(event: TickEvent, role: string): readonly Start[] {
  if (event.type === "plan_started") return [{ name: "orchestrator", driver: event.driver }];
  if (event.type === "build_started")
    return event.kept === undefined ? [{ name: "builder", driver: event.driver }] : [];
  if (event.type !== "review_started") return [];
  return event.sessions.map(({ reviewer }) => ({ name: `${role} ${reviewer}`, driver: event.driver }));
}

/** What the journal says about a session; all but a note ends it. */
interface Step {
  readonly name: string;
  readonly entry: TranscriptEntry | null;
}

function listSteps(event: TickEvent, role: string): readonly Step[] {
  if (event.type === "plan_rejected") return [{ name: "orchestrator", entry: noteOf(`rejected: ${event.message}`) }];
  if (event.type === "planned") {
    const { intent, task_id } = event.task;
    return [{ name: "orchestrator", entry: endOf(true, `planned: ${intent ?? task_id}`) }];
  }
  if (event.type === "handed_over") {
    const { from, to, message } = event;
    return [{ name: event.role, entry: noteOf(`${from} handed over to ${to}: ${message}`) }];
  }
  if (event.type === "build_ended") return [{ name: "builder", entry: describeBuildEnd(event) }];
  if (event.type !== "review_answered" && event.type !== "reviewed") return [];
  return event.reviews.map((review) => ({ name: `${role} ${review.name}`, entry: describeVote(review) }));
}

const noteOf = (text: string): TranscriptEntry => ({ type: "note", text });
const endOf = (isGood: boolean, text: string): TranscriptEntry => ({ type: "ended", isGood, text });

function describeBuildEnd({ failure, summary }: EventOf<"build_ended">): TranscriptEntry {
  if (failure === null) return endOf(true, `done${summary === null ? "" : `: ${summary}`}`);
  return endOf(false, `${failure.code}, ${failure.cause}${summary === null ? "" : `: ${summary}`}`);
}

function describeVote({ vote, explanation, reasons }: Review): TranscriptEntry {
  return endOf(vote === "approve", [`vote: ${vote}`, explanation, ...reasons].filter((text) => text !== "").join("\n"));
}

function describeCheck(run: EventOf<"verified">["runs"][number]): TranscriptEntry {
  const { cmd, args, exit_code, timed_out, last_lines = [] } = run;
  const isGood = exit_code === 0 && !timed_out;
  return {
    type: "used",
    tool: run.template_id,
    kind: "command",
    target: [cmd, ...args].join(" "),
    status: isGood ? "ok" : "failed",
    exit: exit_code < 0 ? null : exit_code,
    output: last_lines.join("\n"),
  };
}
