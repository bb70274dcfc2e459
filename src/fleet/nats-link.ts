/** One repository on a server: its connection, and the names of what it has there. */
import { setTimeout as sleep } from "node:timers/promises";
import { JetStreamApiError } from "@nats-io/jetstream";
import { errors, type NatsConnection } from "@nats-io/transport-node";
import { isPassing, QueueError } from "../queue/pure/engine.ts";
import { describeError } from "../base/errors.ts";
import { SERVER_WANTED } from "../queue/pure/server-config.ts";
import { isAtLeast } from "../base/version-order.ts";

export interface NatsLink {
  readonly connection: NatsConnection;
  readonly names: NatsNames;
  /** How long an answer of the server may take. */
  readonly timeoutMs: number;
}

export interface NatsNames {
  /** The stream of the records, and its only subject. */
  readonly log: string;
  readonly logSubject: string;
  /** The stream of the journal lines, and all of its subjects: a prefix and `>`. */
  readonly events: string;
  readonly eventSubjects: string;
  /** A bucket of keys and values. */
  readonly beats: string;
  /** An object store. */
  readonly objects: string;
  /** Another one, for snapshots of the log. */
  readonly snapshots: string;
}

/** The server's number for a write that was not made with the newest state. */
const WRONG_SEQUENCE = [10_071, 10_164];
const STREAM_NOT_FOUND = 10_059;
const NOT_ENABLED = 10_039;
const TRIES_MAX = 10;
const TRY_AGAIN_MS = 200;
/** The cap of the server, of an account or of a stream is reached. */
const NO_ROOM = [10_002, 10_023, 10_047, 10_077];

export function isOutdated(error: unknown): boolean {
  return error instanceof JetStreamApiError && WRONG_SEQUENCE.includes(error.code);
}

/** Whether nobody knows if it happened. */
export function isUncertain(error: unknown): boolean {
  return isPassing(explainNats(error, ""));
}

export function explainNats(error: unknown, server: string): QueueError {
  if (error instanceof QueueError) return error;
  if (findCause(error, (one) => one instanceof errors.PermissionViolationError || isUnauthorized(one)) !== null)
    return new QueueError("refused", `the server ${server} does not allow this to your identity: ask its owner`);
  // The client tries for ever to connect again, unless the server refuses its key.
  if (findCause(error, (one) => one instanceof errors.ClosedConnectionError) !== null)
    return new QueueError(
      "refused",
      `the server ${server} does not let your key in: ask its owner for a new invitation`,
    );
  if (error instanceof JetStreamApiError && error.code === STREAM_NOT_FOUND)
    return new QueueError("refused", `the server ${server} has no queue for this repository: ask its owner for one`);
  if (error instanceof errors.InvalidArgumentError)
    return new QueueError("refused", `it is too large for the server ${server}: ${describeError(error)}`);
  if (isFull(error))
    return new QueueError(
      "unwritable",
      `the disk of the server ${server} is full: its owner makes room and restarts it`,
    );
  if (error instanceof JetStreamApiError)
    return new QueueError("unwritable", `the server ${server} did not do it: ${describeError(error)}. Try again`);
  return new QueueError("unreachable", `the server ${server} cannot be reached: ${describeError(error)}`);
}

/** A full disk has no number of its own, only the words of the system. */
function isFull(error: unknown): boolean {
  return error instanceof JetStreamApiError && (NO_ROOM.includes(error.code) || /no space left/.test(error.message));
}

function isUnauthorized(error: Error): boolean {
  return error instanceof errors.AuthorizationError || error instanceof errors.UserAuthenticationExpiredError;
}

function isUnserved(error: Error): boolean {
  if (error instanceof errors.NoRespondersError) return true;
  return error instanceof JetStreamApiError && error.code === NOT_ENABLED;
}

function findCause(error: unknown, isIt: (error: Error) => boolean): Error | null {
  if (!(error instanceof Error)) return null;
  return isIt(error) ? error : findCause(error.cause, isIt);
}

/** Calls the server; every failure is a `QueueError`. */
export async function callServer<T>({ connection }: Pick<NatsLink, "connection">, work: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await work();
    } catch (error) {
      // A server that takes new settings serves nobody for a moment: nothing happened, and it is asked again.
      if (findCause(error, isUnserved) === null || tries >= TRIES_MAX) throw explainNats(error, connection.getServer());
      await sleep(TRY_AGAIN_MS);
    }
  }
}

/** Older servers ignore what they do not know: what is missing is refused by name. */
export function refuseOldServer({ info }: NatsConnection): void {
  const { version = "unknown", jetstream = false, headers = false } = info ?? {};
  if (!isAtLeast(version, SERVER_WANTED))
    throw new QueueError("refused", `the server is nats-server ${version}; the queue needs 2.9 or later: update it`);
  const lacks = Object.entries({ JetStream: jetstream, headers }).flatMap(([name, isThere]) => (isThere ? [] : name));
  if (lacks.length > 0)
    throw new QueueError("refused", `the server lacks ${lacks.join(" and ")}: start it by \`relais queue serve\``);
}
