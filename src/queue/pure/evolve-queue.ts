/**
 * One record after the other makes the queue.
 *
 * A record that does not fit the state has no effect, for every reader alike. A late result, a late line or a late
 * attachment names a token that is not the newest of its job any more, so it changes nothing, whenever its writer wakes.
 */
import type { JobResult, JobSpent, JobTerms } from "./job.ts";
import type { QueueEvent, QueueRecord } from "./queue-record.ts";
import { unreachable } from "../../base/errors.ts";
import { endJob, forgetOldJobs, isOver, waitAgain } from "./job-end.ts";
import type { JobRow } from "./job-row.ts";
import { addRow, listRunning, listWaiting, type QueueState, unlistWaiting } from "./queue-state.ts";

type EventOf<K extends QueueEvent["kind"]> = Extract<QueueEvent, { kind: K }>;
/** What a worker records about the job that it holds. */
type HeldEvent = Extract<QueueEvent, { token: number }>;

const NOTHING_SPENT: JobSpent = { ticks: 0, sessions: 0, dollars: 0, seconds: 0 };

/** Changes the state; answers whether the record had an effect. */
export function evolveQueue(state: QueueState, record: QueueRecord): boolean {
  state.seq = record.seq;
  const { event } = record;
  return "token" in event ? evolveHeld(state, record, event) : evolveQueued(state, record, event);
}

function evolveQueued(state: QueueState, record: QueueRecord, event: Exclude<QueueEvent, HeldEvent>): boolean {
  switch (event.kind) {
    case "submitted":
      return submit(state, record, event);
    case "fired":
      return fire(state, record, event);
    case "claimed":
      return claim(state, record, event);
    case "asked":
      return ask(state, record, event);
    case "held":
      state.isHeld = event.is_held;
      return true;
    case "retried":
      return retry(state, event);
    case "moved":
      return move(state, event);
    case "blocked":
      return block(state, event);
    case "restored":
      return restore(state, record, event);
    case "swept":
      for (const store of event.stores) state.dropped.delete(store);
      return true;
    case "sealed":
      state.generation += 1;
      forgetOldJobs(state, record.at);
      return true;
    default:
      return unreachable(event);
  }
}

function submit(state: QueueState, record: QueueRecord, event: EventOf<"submitted">): boolean {
  if (state.jobs.has(event.job)) return false;
  const { job: id, store, head, spec, terms } = event;
  const blockers = findBlockers(state, terms);
  addRow(state, { ...newRow(record), id, store, head, spec, terms, blockers, ...phaseOf(terms) });
  return true;
}

/** One that waits although another member knows its end has ended. Nothing that runs or is over is changed. */
function restore(state: QueueState, record: QueueRecord, event: EventOf<"restored">): boolean {
  const { result } = event;
  const isNew = submit(state, record, { ...event, kind: "submitted" });
  const row = state.jobs.get(event.job);
  if (row === undefined || (!isNew && (result === null || row.phase !== "waiting"))) return false;
  row.attempt = Math.max(row.attempt, event.attempt);
  row.spent = event.spent;
  if (result !== null) endJob(state, row, { record, result });
  return true;
}

function phaseOf(terms: JobTerms): Pick<JobRow, "phase"> {
  return { phase: terms.every === null ? "waiting" : "scheduled" };
}

/** Jobs of the list that have not ended well; forgotten ones have ended. */
function findBlockers(state: QueueState, terms: JobTerms): string[] {
  return terms.after.filter((id) => (state.jobs.get(id)?.phase ?? "done") !== "done");
}

function newRow({
  at,
  seq,
}: QueueRecord): Omit<JobRow, "id" | "store" | "head" | "spec" | "terms" | "phase" | "blockers"> {
  return {
    isPaused: false,
    submittedAt: at,
    order: seq,
    attempt: 0,
    token: 0,
    worker: null,
    leaseMs: 0,
    process: null,
    startedAt: null,
    endedAt: null,
    endedBy: 0,
    asks: [],
    spent: NOTHING_SPENT,
    result: null,
    attachments: [],
    losses: [],
    lost: 0,
    lines: [],
    fired: null,
  };
}

/** A time of a schedule becomes a job, once. */
function fire(state: QueueState, record: QueueRecord, { schedule: id, job, store, time }: EventOf<"fired">): boolean {
  const schedule = state.schedules.get(id);
  if (schedule === undefined) return false;
  schedule.fired = { time, job };
  if (state.jobs.has(job)) return false;
  const { head, spec } = schedule;
  const terms = { ...schedule.terms, every: null, not_before: null };
  addRow(state, { ...newRow(record), id: job, store, head, spec, terms, phase: "waiting", blockers: [] });
  return true;
}

function claim(state: QueueState, record: QueueRecord, { job, worker, lease_ms }: EventOf<"claimed">): boolean {
  const row = state.jobs.get(job);
  if (row?.phase !== "waiting" || row.isPaused || state.isHeld || state.holders.has(row.head.key)) return false;
  unlistWaiting(state, row);
  row.phase = "running";
  row.attempt += 1;
  row.token = record.seq;
  row.worker = worker;
  row.leaseMs = lease_ms;
  row.process = null;
  row.startedAt = record.at;
  row.asks = [];
  listRunning(state, row);
  return true;
}

function evolveHeld(state: QueueState, record: QueueRecord, event: HeldEvent): boolean {
  const row = state.running.get(event.job);
  if (row === undefined || row.token !== event.token) return false;
  switch (event.kind) {
    case "started":
      row.process = event.process;
      state.leftovers.delete(row.head.key); // Its worker has proven them gone.
      break;
    case "lines":
      row.lines = [
        ...row.lines.filter(({ attempt }) => attempt !== row.attempt),
        { attempt: row.attempt, bytes: event.bytes, seq: record.seq },
      ];
      break;
    case "attached":
      row.attachments = [...row.attachments.filter((one) => !isSame(one, event.attachment)), event.attachment];
      break;
    case "spent":
      row.spent = addSpent(row.spent, event.spent);
      break;
    case "finished":
      endJob(state, row, { record, result: event.result });
      break;
    case "released":
      if (event.not_before !== null) row.terms = { ...row.terms, not_before: event.not_before };
      giveBack(state, row, record);
      break;
    case "lost":
      lose(state, row, { record, why: event.why });
      break;
  }
  return true;
}

function isSame(one: EventOf<"attached">["attachment"], other: EventOf<"attached">["attachment"]): boolean {
  return one.name === other.name && one.attempt === other.attempt;
}

function addSpent(one: JobSpent, other: JobSpent): JobSpent {
  return {
    ticks: add(one.ticks, other.ticks),
    sessions: add(one.sessions, other.sessions),
    dollars: add(one.dollars, other.dollars),
    seconds: add(one.seconds, other.seconds),
    tokens: add(one.tokens ?? 0, other.tokens ?? 0),
  };
}

/** A sum that is infinite would be nothing in a snapshot, and the job could spend everything once more. */
function add(one: number, other: number): number {
  return Math.min(Number.MAX_VALUE, one + other);
}

/** It waits again, unless somebody asked for its end. */
function giveBack(state: QueueState, row: JobRow, record: QueueRecord): void {
  if (row.asks.includes("cancel")) endJob(state, row, { record, result: shortResult(row, "cancelled", "cancelled") });
  else waitAgain(state, row);
}

/** The process of the attempt may outlive its worker: the next claim of the key has to end it. */
function lose(state: QueueState, row: JobRow, { record, why }: { record: QueueRecord; why: string }): void {
  const { id: job, attempt, process } = row;
  row.losses = [...row.losses, { attempt, at: record.at, why }];
  row.lost += 1;
  if (process !== null) {
    const { key } = row.head;
    state.leftovers.set(key, [...(state.leftovers.get(key) ?? []), { job, attempt, process }]);
  }
  if (row.lost < row.terms.attempts_max) return giveBack(state, row, record);
  const summary = `${row.lost} attempts were lost with their workers, the last one because ${why}`;
  endJob(state, row, { record, result: shortResult(row, "failed", summary) });
}

function shortResult(row: JobRow, outcome: JobResult["outcome"], summary: string): JobResult {
  const text = summary.slice(0, 300);
  return { outcome, code: null, exit_status: null, branch: null, commit: null, spent: row.spent, summary: text };
}

function ask(state: QueueState, record: QueueRecord, { job, what }: EventOf<"asked">): boolean {
  const row = state.jobs.get(job);
  if (row === undefined || isOver(row)) return false;
  if (what !== "cancel") setPaused(state, row, what === "pause");
  if (row.phase === "running") row.asks = [...row.asks, what];
  else if (what === "cancel")
    endJob(state, row, { record, result: shortResult(row, "cancelled", "cancelled before it started") });
  return true;
}

function setPaused(state: QueueState, row: JobRow, isPaused: boolean): void {
  if (row.phase === "waiting") unlistWaiting(state, row);
  row.isPaused = isPaused;
  if (row.phase === "waiting") listWaiting(state, row);
}

function retry(state: QueueState, { job }: EventOf<"retried">): boolean {
  const row = state.jobs.get(job);
  if (row === undefined || !isOver(row)) return false;
  row.result = null;
  row.endedAt = null;
  row.lost = 0;
  row.isPaused = false;
  row.terms = { ...row.terms, not_before: null };
  if (row.terms.every === null) {
    row.blockers = findBlockers(state, row.terms);
    waitAgain(state, row);
  } else {
    row.phase = "scheduled";
    state.schedules.set(row.id, row);
  }
  return true;
}

function move(state: QueueState, { job, priority }: EventOf<"moved">): boolean {
  const row = state.jobs.get(job);
  if (row?.phase !== "waiting" && row?.phase !== "scheduled") return false;
  if (row.phase === "waiting") unlistWaiting(state, row);
  row.terms = { ...row.terms, priority };
  if (row.phase === "waiting") listWaiting(state, row);
  return true;
}

/** Only ever later. */
function block(state: QueueState, { agent, until }: EventOf<"blocked">): boolean {
  const now = state.limits.get(agent);
  if (now !== undefined && now >= until) return false;
  state.limits.set(agent, until);
  return true;
}
