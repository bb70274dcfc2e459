/**
 * Waits while the disk is full or the queue cannot be written. A worker that ended instead would lose the result of a job
 * that is paid for.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { type Claim, isPassing, QueueError } from "../queue/pure/engine.ts";
import { describeError } from "../base/errors.ts";

/** Tries again until it works, the signal comes, or it fails for another reason. */
export type Insist = <T>(work: () => Promise<T>) => Promise<T>;

const RETRY_MS = 1000;

export function openPatience(
  signal: AbortSignal /** Says once that it waits, and once that it goes on. */,
  say: (message: string) => void,
): Insist {
  const waiting = new Set<object>();
  const begin = (work: object, error: unknown): void => {
    if (waiting.size === 0) say(`${describeError(error)}. The worker waits and tries again until it works.`);
    waiting.add(work);
  };
  const end = (work: object): void => {
    if (waiting.delete(work) && waiting.size === 0) say("It works again; the worker goes on.");
  };
  return async (work) => {
    for (;;) {
      try {
        const answer = await work();
        end(work);
        return answer;
      } catch (error) {
        if (signal.aborted || !isNoRoom(error)) throw error;
        begin(work, error);
        await sleep(RETRY_MS, undefined, { signal }).catch(() => null);
      }
    }
  };
}

/** Git and the system name it in the same words. */
const NO_ROOM = /no space left on device|disk quota exceeded/i;

function isNoRoom(error: unknown): boolean {
  return error instanceof QueueError ? isPassing(error) : NO_ROOM.test(describeError(error));
}

/** A claim whose records wait for room. What is attached is read again for each try. */
export function recordPatiently(claim: Claim, insist: Insist): Claim {
  return {
    ...claim,
    started: (process) => insist(() => claim.started(process)),
    append: (lines) => insist(() => claim.append(lines)),
    attach: (name, bytes) => insist(() => claim.attach(name, bytes)),
    spend: (spent) => insist(() => claim.spend(spent)),
    finish: (result) => insist(() => claim.finish(result)),
    release: (why, notBefore) => insist(() => claim.release(why, notBefore)),
  };
}
