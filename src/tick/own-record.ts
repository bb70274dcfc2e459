import { join } from "node:path";
import type { Change } from "../records/evidence.ts";
import type { TickEvent } from "../records/event.ts";
import { MeasurementError } from "../base/errors.ts";
import { findJudged } from "./pure/tick-facts.ts";
import type { Settling, Prepared, StateIn } from "./pure/tick-state.ts";
import type { EndedWork, OwnRecord } from "../workflows/pure/workflow.ts";
import { writeAtomic } from "../system/atomic-file.ts";
import { computeBlobId } from "../system/hash-file.ts";
import { readClockMs } from "../system/clock.ts";
import { copyBeginning } from "../system/copy-beginning.ts";
import { makeDeadlineSignal } from "../system/pause.ts";
import { commitRequest } from "./commit-request.ts";
import { commitAccepted } from "../keep/settle-commit.ts";
import { type OpenTick, type ReadyAgent, type RunningTick, TICK_TIMEOUT } from "./running-tick.ts";
import type { SessionReply, SessionRole } from "../agents/driver.ts";
import type { DriverLimits } from "../agents/choose-driver.ts";
import type { TurnLimit } from "./pure/turn-limit.ts";

/**
 * What the runner writes for a workflow when a tick is settled: files that are committed with the work, data
 * in the journal, and logs.
 *
 * After a crash nothing of it is repeated: the tick is rolled back, and the series does the work again.
 */

interface WrittenRecord {
  readonly record: OwnRecord | null;
  /** The written files. */
  readonly changes: readonly Change[];
}

const NOTHING: WrittenRecord = { record: null, changes: [] };

export async function writeOwn(
  session: OpenTick,
  ended: Pick<EndedWork, "facts" | "outcome" | "action">,
): Promise<WrittenRecord> {
  const {
    tick: { config, seriesId },
    where: { runDirectory, repository },
    left: memory,
  } = session;
  const proposals = memory.proposals ?? new Map();
  const makeRecord = session.kind === "running" ? session.work.record : undefined;
  const record = makeRecord?.({ ...ended, seriesId, proposals }) ?? null;
  if (record === null) return NOTHING;
  const changes: Change[] = [];
  await session.where.settlement.noteOwnFiles(
    Object.keys(record.files).map((name) => `${config.workspace_dir}/${name}`),
  );
  for (const [name, text] of Object.entries(record.files)) {
    const path = `${config.workspace_dir}/${name}`;
    await writeAtomic(join(repository.root, path), text);
    changes.push(makeChange(path, text));
  }
  // Not judged, because the runner wrote them.
  memory.tolerated = [...memory.tolerated, ...changes.map(({ path }) => path)];
  for (const [name, text] of Object.entries(record.logs))
    await writeAtomic(join(runDirectory, name), text, { mode: 0o600 });
  const { names, bytesMax } = record.copies;
  for (const [name, source] of Object.entries(names))
    await copyBeginning(join(runDirectory, source), join(runDirectory, name), bytesMax);
  return { record, changes };
}

function makeChange(path: string, text: string): Change {
  const content = Buffer.from(text);
  const after = { type: "file", mode: "0644", size: content.length, id: computeBlobId(content) } as const;
  return {
    path,
    path_base64: null,
    before: null,
    after: { ...after, link_target: null, hard_links: 1 },
    standing: "tracked",
    lines_added: 0,
    lines_deleted: 0,
    bytes_changed: 0,
    inside_repository: null,
    collides_with: null,
    made_readable: false,
  };
}

type SettledEvent = Extract<TickEvent, { type: "settled" }>;
type RecordCommit = Pick<SettledEvent, "commit" | "branch">;

const COMMIT_MS = 120_000;

/**
 * Commits the runner's record alone, after the work was reverted. If that fails, everything is reverted
 * again: an uncounted attempt is better than a tick that never ends.
 */
export async function commitOwn(
  session: OpenTick,
  { facts: known, outcome: reason, action }: Settling,
): Promise<WrittenRecord & { readonly committed: RecordCommit }> {
  const none = { commit: null, branch: null };
  const facts = findJudged(known);
  if (facts === null) return { ...NOTHING, committed: none };
  try {
    const own = await writeOwn(session, { facts, outcome: reason, action });
    if (own.record === null || own.changes.length === 0) return { ...own, committed: none };
    const outcome = await commitAccepted(
      await commitRequest(session, {
        facts,
        outcome: reason,
        changes: own.changes,
        signal: makeDeadlineSignal(readClockMs() + COMMIT_MS),
        hooks: null,
        subject: own.record.subject,
        isPutBack: true,
      }),
    );
    if (outcome.kind !== "committed") return { ...own, committed: none };
    return { ...own, committed: { commit: outcome.commit, branch: outcome.branch } };
  } catch (error) {
    if (!(error instanceof MeasurementError)) throw error;
    const problems = await session.where.settlement.discard();
    const problem = `the attempt could not be recorded: ${error.message}`;
    session.left.problems = [...session.left.problems, ...problems, problem];
    return { ...NOTHING, committed: none };
  }
}

/** Adds the workflow's data to the event. */
export function addOwnData({ record }: WrittenRecord, event: TickEvent): TickEvent {
  return record === null || event.type !== "settled" ? event : { ...event, data: { ...record.data } };
}

/** When an agent is out of quota, the next one of its role replaces it. */

type Failed = Extract<SessionReply, { kind: "failed" }>;

/** The configured agent, or the fallback after those that were refused. */
export function pickAgentNow<Agent extends ReadyAgent>(
  agent: Agent,
  { handedOver }: Pick<Prepared, "handedOver">,
  role: SessionRole,
): Agent {
  const refused = handedOver.filter((one) => one.role === role).length;
  const instead = refused === 0 ? undefined : agent.fallbacks[refused - 1];
  return instead === undefined ? agent : { ...agent, ...instead, fallbacks: agent.fallbacks.slice(refused) };
}

type RefusedSession = Pick<Failed, "cause" | "message" | "until" | "usage">;

export function handOver(now: ReadyAgent, role: SessionRole, refused: RefusedSession): TickEvent | null {
  const [next] = now.fallbacks;
  if (next === undefined) return null;
  return {
    type: "handed_over",
    role,
    from: now.driver.name,
    to: next.driver.name,
    cause: refused.cause.slice(0, 400),
    message: refused.message.slice(0, 4000),
    usage: refused.usage ?? null,
    ...(typeof refused.until === "string" ? { until: refused.until } : {}),
  };
}

/** Whether a session failed because of its account or its service. */
export function isOutOfQuota({ code, cause }: Failed): boolean {
  return code === "STOP_RATE_LIMITED" || cause === "quota_exceeded";
}

/** When the first of the refused agents is available again, if known. */
export function pickEarliestRetry({ handedOver }: Pick<Prepared, "handedOver">, last: Failed): { until?: string } {
  const moments = [...handedOver.map(({ until }) => until), last.until].flatMap((until) => until ?? []);
  const [first] = moments.toSorted((one, other) => Date.parse(one) - Date.parse(other));
  return first === undefined ? {} : { until: first };
}

/** The program's own message, and the key of the limit. */
export function describeFailure({ cause, message }: Failed, turns: TurnLimit | null): string {
  if (cause !== "max_turns" || turns === null) return message;
  return `${message}; its ${turns.max} turns are set by \`${turns.key}\``;
}

export function describeTime(limit: "time" | "idle", { keys, timeoutMs, idleTimeoutMs }: DriverLimits): string {
  const [ms, key, what] =
    limit === "idle"
      ? ([idleTimeoutMs, keys.idle, "seconds of silence"] as const)
      : ([timeoutMs, keys.timeout, "seconds"] as const);
  return `its ${(ms ?? 0) / 1000} ${what} are set by \`${key}\``;
}

/** A workflow may have set the time of the tick. */
export function describeTickTimeout({ work }: RunningTick, { started }: StateIn<"build">): TickEvent {
  if (work.maxSeconds === undefined) return TICK_TIMEOUT;
  const key = `${started.workflow}.iteration_timeout_seconds`;
  return {
    ...TICK_TIMEOUT,
    message: `The ${work.maxSeconds} seconds of an iteration are set by \`${key}\`.`,
  };
}
