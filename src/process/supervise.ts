/**
 * The part of a session's output that is kept.
 *
 * A session may print gigabytes. The first bytes go into memory and into the log up to their caps, the rest is only
 * counted. The log is written synchronously, so nothing can pile up between the pipe and the disk.
 */
import { closeSync, constants, openSync } from "node:fs";
import { randomBytes } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import { writeFully } from "../system/write-files.ts";
import { createRedactor, listSecrets } from "../system/redact-secrets.ts";
import { readSteadyMs } from "../system/clock.ts";
import { InvariantError } from "../base/errors.ts";
import { nameMarkerVariable } from "../system/child-environment.ts";
import { type Family, type Reaped, sendSignal, watchFamily } from "./supervise-family.ts";
import { listLivingProcesses } from "./process-table.ts";
import {
  type Exit,
  launch,
  type LaunchRequest,
  type NotStarted,
  type OnChunk,
  type Running,
} from "./supervise-launch.ts";
import { chooseSessionTag } from "./session-tag.ts";

const { O_WRONLY, O_CREAT, O_APPEND, O_NOFOLLOW } = constants;

/** Room in the log for the notice about bytes that were not kept. */
const NOTICE_BYTES_MAX = 96;
const BUFFER_BYTES_MIN = 4096;
const TAIL_BYTES_MAX = 4096;

interface LogRequest {
  readonly path: string;
  readonly bytesMax: number;
}

interface OutputLimits {
  /** Both streams as they come, without secrets, appended to a file that grows by no more than `bytesMax`. */
  readonly log: LogRequest | null;
  readonly stdoutBytesMax: number;
  readonly stderrBytesMax: number;
}

interface KeptOutput {
  readonly stdout: Buffer;
  readonly stderr: Buffer;
  readonly stdoutTruncated: boolean;
  /** The end of both streams, without the secrets. */
  readonly tail: Buffer;
  /** All bytes of both streams, kept or not. */
  readonly bytesTotal: number;
}

interface OutputKeeper {
  readonly take: (chunk: Buffer, stream: "stdout" | "stderr") => void;
  readonly kept: () => KeptOutput;
  readonly bytesTotal: () => number;
  readonly close: () => void;
}

/** Opens the log, if any. Output is kept in memory as it came, with its secrets. */
function keepOutput(limits: OutputLimits, secrets: readonly Buffer[] = []): OutputKeeper {
  const { log, stdoutBytesMax, stderrBytesMax } = limits;
  const shown = { stdout: createRedactor(secrets), stderr: createRedactor(secrets) };
  const kept = { stdout: openCappedBuffer(stdoutBytesMax), stderr: openCappedBuffer(stderrBytesMax) };
  const file = log === null ? null : openCappedLog(log);
  const tail = openTail(TAIL_BYTES_MAX);
  const bytesTotal = (): number => kept.stdout.bytesSeen() + kept.stderr.bytesSeen();
  return {
    take: (chunk, stream) => {
      kept[stream].append(chunk);
      const visible = shown[stream].take(chunk);
      file?.append(visible);
      tail.append(visible);
    },
    kept: () => ({
      stdout: kept.stdout.content(),
      stderr: kept.stderr.content(),
      stdoutTruncated: kept.stdout.bytesSeen() > kept.stdout.content().length,
      tail: tail.content(),
      bytesTotal: bytesTotal(),
    }),
    bytesTotal,
    close: () => {
      for (const { rest } of Object.values(shown)) file?.append(rest());
      file?.close();
    },
  };
}

/** One growing buffer and not a list of chunks: a million chunks of one byte would cost a hundred times their size. */
function openCappedBuffer(bytesMax: number) {
  let buffer = Buffer.alloc(0);
  let length = 0;
  let bytesSeen = 0;
  return {
    append: (chunk: Buffer): void => {
      bytesSeen += chunk.length;
      const taken = chunk.subarray(0, bytesMax - length);
      if (length + taken.length > buffer.length) {
        const size = Math.max(length + taken.length, buffer.length * 2, BUFFER_BYTES_MIN);
        const grown = Buffer.alloc(Math.min(size, bytesMax));
        buffer.copy(grown, 0, 0, length);
        buffer = grown;
      }
      length += taken.copy(buffer, length);
    },
    content: () => buffer.subarray(0, length),
    bytesSeen: () => bytesSeen,
  };
}

/** The newest bytes of a stream; older ones are dropped once there is twice as much as needed. */
function openTail(bytesMax: number) {
  let chunks: Buffer[] = [];
  let length = 0;
  const content = (): Buffer => Buffer.concat(chunks).subarray(-bytesMax);
  return {
    append: (chunk: Buffer): void => {
      // Copied, because a chunk is a view of a larger buffer that would be held with it.
      chunks.push(Buffer.from(chunk.subarray(-bytesMax)));
      length += Math.min(chunk.length, bytesMax);
      if (length <= bytesMax * 2) return;
      chunks = [Buffer.from(content())];
      length = chunks[0]?.length ?? 0;
    },
    content,
  };
}

function openCappedLog({ path, bytesMax }: { readonly path: string; readonly bytesMax: number }) {
  const file = openSync(path, O_WRONLY | O_CREAT | O_APPEND | O_NOFOLLOW, 0o600);
  let room = Math.max(0, bytesMax - NOTICE_BYTES_MAX);
  let dropped = 0;
  return {
    append: (chunk: Buffer): void => {
      const taken = chunk.subarray(0, room);
      dropped += chunk.length - taken.length;
      room -= taken.length;
      writeFully(file, taken);
    },
    close: (): void => {
      try {
        if (dropped > 0) writeFully(file, Buffer.from(`\n[relais: ${dropped} more bytes were printed and not kept]\n`));
      } finally {
        closeSync(file);
      }
    },
  };
}

/** Why a session was stopped. */
type Cut = "timed-out" | "idle" | "output-limit" | "aborted" | "failed";

interface Limits {
  readonly deadlineMs: number;
  /** How long a session may print nothing; null or absent is no limit. */
  readonly idleTimeoutMs?: number | null;
  /** How much both streams may print together; null or absent is no limit. */
  readonly outputBytesMax?: number | null;
  readonly signal?: AbortSignal;
}

/** A timer that is asked for more than this fires at once. */
const TIMER_MS_MAX = 2 ** 31 - 1;

/** Starts the clocks of a session; `reached` settles with the first limit that is reached. */
function armLimits({ deadlineMs, idleTimeoutMs, outputBytesMax, signal }: Limits) {
  let settle: ((cut: Cut) => void) | undefined;
  const reached = new Promise<Cut>((resolve) => {
    settle = resolve;
  });
  const reach = (cut: Cut): void => settle?.(cut);
  const after = (ms: number, cut: Cut): NodeJS.Timeout => setTimeout(() => reach(cut), Math.min(ms, TIMER_MS_MAX));
  const deadline = after(deadlineMs, "timed-out");
  const idle = typeof idleTimeoutMs === "number" ? after(idleTimeoutMs, "idle") : null;
  const abort = (): void => reach("aborted");
  signal?.addEventListener("abort", abort);
  if (signal?.aborted === true) abort();
  return {
    reached,
    sawOutput: (bytesTotal: number): void => {
      idle?.refresh();
      if (typeof outputBytesMax === "number" && bytesTotal > outputBytesMax) reach("output-limit");
    },
    /** Our own work on the session failed, so it must stop. */
    fail: (): void => reach("failed"),
    disarm: (): void => {
      clearTimeout(deadline);
      if (idle !== null) clearTimeout(idle);
      signal?.removeEventListener("abort", abort);
    },
  };
}

/**
 * The one way to run an agent or a check.
 *
 * It always ends: by a deadline, an idle limit or an output limit. The exit of the program counts and not the closing
 * of its pipes, which a process left behind may hold open for ever. With the answer nothing that the program started is
 * still running, so that the next observation stays true. The stop begins with SIGINT to the program alone, because
 * agents then end their own commands and report what they did.
 */

const NOBODY: Reaped = { survivors: [], undead: [] };
/** Together well below the three seconds within which relais answers a signal: rollback and report follow. */
const GRACE_MS = { interrupt: 1000, terminate: 500 };
const KILL_WAIT_MS = 2000;
const DEATH_STEP_MS = 3;
const LINGER_MS = 2500;
const LINGER_STEP_MS = 40;
const DRAIN_STEPS = 10;
const DRAIN_STEP_MS = 50;

export interface SuperviseRequest extends Omit<LaunchRequest, "tag">, OutputLimits, Limits {
  /** Sees each chunk as it comes, beyond the caps too. It must not throw. */
  readonly onOutput?: (chunk: Buffer, stream: "stdout" | "stderr") => void;
  /** Carried by the program besides the marker of its session, so that it can be found without supervision. */
  readonly marker?: string;
  /** How long the program may take to end by itself after SIGINT, and its group after SIGTERM. */
  readonly graceMs?: Grace;
  /** Whether processes that a successful program left behind still write something; they get a moment for it. */
  readonly isAwaited?: () => Promise<boolean>;
}

type IsAwaited = NonNullable<SuperviseRequest["isAwaited"]>;

type Grace = typeof GRACE_MS;

type Ending =
  | { readonly kind: "exited"; readonly status: number }
  | { readonly kind: "signalled"; readonly signal: NodeJS.Signals }
  | { readonly kind: Exclude<Cut, "failed"> }
  | NotStarted;

/** How a session ended, what it printed, and whom it left behind. */
export type SessionEnd = Ending & KeptOutput & Reaped & { readonly durationMs: number };

/** Runs a program to its end. It throws only where the log cannot be written or the processes cannot be counted. */
export async function supervise(request: SuperviseRequest): Promise<SessionEnd> {
  const began = readSteadyMs();
  const output = keepOutput(request, listSecrets(request.env));
  const limits = armLimits(request);
  const faults: unknown[] = [];
  const onChunk: OnChunk = (chunk, stream) => {
    try {
      if (faults.length === 0) output.take(chunk, stream);
    } catch (error) {
      faults.push(error);
      limits.fail();
    }
    limits.sawOutput(output.bytesTotal());
    request.onOutput?.(Buffer.from(chunk), stream);
  };
  const conclude = (end: Ending & Reaped): SessionEnd => {
    return { ...end, ...output.kept(), durationMs: readSteadyMs() - began };
  };
  try {
    if (request.signal?.aborted === true) return conclude({ kind: "aborted", ...NOBODY });
    if (request.deadlineMs <= 0) return conclude({ kind: "timed-out", ...NOBODY });
    const marker = randomBytes(16).toString("hex");
    const env = { ...request.env, ...nameMarkerVariable(request.env, [request.marker, marker]) };
    const running = await launch({ ...request, env, tag: chooseSessionTag(request.marker) }, onChunk);
    if (running.kind === "not-started") return conclude({ ...running, ...NOBODY });
    return conclude(await attend(running, request, { marker, faults, reached: limits.reached }));
  } finally {
    limits.disarm();
    output.close();
  }
}

interface Attendance {
  /** Carried by the family of the program alone. */
  readonly marker: string;
  /** Our own errors while chunks were taken. */
  readonly faults: readonly unknown[];
  readonly reached: Promise<Cut>;
}

async function attend(
  running: Running,
  { graceMs = GRACE_MS, isAwaited }: SuperviseRequest,
  { marker, faults, reached }: Attendance,
): Promise<Ending & Reaped> {
  try {
    const { cut, reaped } = await awaitAndReap(running, { marker, reached, graceMs, isAwaited });
    await drain(running.closed);
    if (faults.length > 0) throw faults[0];
    return { ...readEnding(cut, await readSettled(running.exit)), ...reaped };
  } catch (error) {
    if ((await readSettled(running.exit)) === null) sendSignal(-running.pid, "SIGKILL");
    throw error;
  } finally {
    running.abandon();
  }
}

/** Waits for the exit or forces it, and then ends the rest of the family. */
async function awaitAndReap(
  running: Running,
  session: { marker: string; reached: Promise<Cut>; graceMs: Grace; isAwaited: IsAwaited | undefined },
): Promise<{ cut: Cut | null; reaped: Reaped }> {
  const family = await watchFamily({ ...running, marker: session.marker });
  try {
    const cut = await Promise.race([running.exit.then(() => null), session.reached]);
    if (cut !== null) {
      await family.look();
      await stop(running, session.graceMs);
    } else if (session.isAwaited !== undefined && (await running.exit).status === 0)
      await linger(family, session.isAwaited, session.reached);
    if (running.wrappers > 0) await awaitDeath(family);
    return { cut, reaped: await family.reap() };
  } finally {
    family.end();
  }
}

/**
 * A program may end while a child of it still writes the awaited answer. Killed in the middle it would leave half of
 * it, so it may go on until the answer is whole or no process is left, but not for long.
 */
async function linger(family: Family, isAwaited: IsAwaited, reached: Promise<Cut>): Promise<void> {
  const until = readSteadyMs() + LINGER_MS;
  while (readSteadyMs() < until && (await isAwaited()) && (await family.isLeft()))
    if (await isWithin(reached, LINGER_STEP_MS)) return;
}

/** With the wrapper everything inside dies, a moment later; nothing of it has outlived the program. */
async function awaitDeath(family: Family): Promise<void> {
  const until = readSteadyMs() + KILL_WAIT_MS;
  while (readSteadyMs() < until && (await family.isLeft())) await delay(DEATH_STEP_MS);
}

async function stop(running: Running, grace: Grace): Promise<void> {
  const { pid, exit } = running;
  const steps = [
    ["SIGINT", grace.interrupt, async () => (await findInside(running)).program],
    ["SIGTERM", grace.terminate, async () => (await findInside(running)).group],
    ["SIGKILL", KILL_WAIT_MS, () => Promise.resolve([-pid])],
  ] as const;
  for (const [signal, waitMs, findTargets] of steps) {
    const targets = await findTargets();
    if ((await readSettled(exit)) !== null) return; // From here on the pid may be somebody else's.
    for (const target of targets) sendSignal(target, signal);
    await isWithin(exit, waitMs);
  }
}

/** Whom a signal for the program reaches, and whom one for its group: never the processes that wrap it. */
async function findInside({
  pid,
  wrappers,
}: Running): Promise<Readonly<Record<"program" | "group", readonly number[]>>> {
  if (wrappers === 0) return { program: [pid], group: [-pid] };
  const entries = [...(await listLivingProcesses(null))].filter(({ session }) => session === pid);
  const chain = [pid];
  for (let depth = 0; depth < wrappers; depth += 1)
    chain.push(
      ...entries
        .filter(({ parent }) => parent === chain[depth])
        .map((entry) => entry.pid)
        .slice(0, 1),
    );
  const above = new Set(chain.slice(0, wrappers));
  return {
    program: chain.slice(wrappers),
    group: entries.flatMap((entry) => (above.has(entry.pid) ? [] : [entry.pid])),
  };
}

/** Reads the rest of the pipes. In small steps, so that each of them gives the reader a turn on a busy machine. */
async function drain(closed: Promise<unknown>): Promise<void> {
  for (let step = 0; step < DRAIN_STEPS; step += 1) if (await isWithin(closed, DRAIN_STEP_MS)) return;
}

async function isWithin(promise: Promise<unknown>, ms: number): Promise<boolean> {
  const timer = new AbortController();
  const late = delay(ms, false, { signal: timer.signal }).catch(() => false);
  const inTime = await Promise.race([promise.then(() => true), late]);
  timer.abort();
  return inTime;
}

/** The exit if it has happened, else null. */
async function readSettled(exit: Promise<Exit>): Promise<Exit | null> {
  return Promise.race([exit, Promise.resolve(null)]);
}

function readEnding(cut: Cut | null, exit: Exit | null): Ending {
  if (cut !== null && cut !== "failed") return { kind: cut };
  if (exit?.signal) return { kind: "signalled", signal: exit.signal };
  if (exit?.status !== null && exit?.status !== undefined) return { kind: "exited", status: exit.status };
  throw new InvariantError("a session ended without an exit and without a cause");
}
