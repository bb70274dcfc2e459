/** A job in the hands of a worker. Everything that it records carries the token of its claim. */
import type { Claim, Fenced, JobAsk } from "./pure/engine.ts";
import type { Attachment, JobSpec } from "./pure/job.ts";
import type { QueueEvent } from "./pure/queue-record.ts";
import type { QueueState } from "./pure/queue-state.ts";
import { InvariantError } from "../base/invariant.ts";
import { type EngineParts, waitForChanges } from "./engine-parts.ts";
import type { AppendLines, OwnBeats, StoredPlace } from "./engine-ports.ts";

/** An event of a held job, without the part that every one has. */
type HeldEvent = QueueEvent extends infer E ? (E extends { token: number } ? Omit<E, "job" | "token"> : never) : never;

export interface HeldClaim extends Claim {
  /** Aborts `lost` where the job is in other hands. */
  readonly look: () => void;
  readonly giveUp: (reason: Error) => void;
}

export interface ClaimedJob extends Pick<Claim, "job" | "key" | "attempt" | "spent" | "leftovers"> {
  readonly token: number;
  readonly spec: JobSpec;
  readonly store: string;
  readonly leash: OwnBeats["leash"];
  /** It has ended, was given back, or was lost. */
  readonly onOver: () => void;
}

interface Holding extends ClaimedJob {
  readonly parts: EngineParts;
  readonly place: StoredPlace;
  readonly lost: AbortController;
  isOver: boolean;
  /** The last batch of lines. */
  turn: Promise<unknown>;
}

export function holdClaim(parts: EngineParts, claimed: ClaimedJob): HeldClaim {
  const { job, key, spec, attempt, token, spent, leftovers, store, leash } = claimed;
  const place = { store, attempt };
  const lost = new AbortController();
  const holding: Holding = { ...claimed, parts, place, lost, isOver: false, turn: Promise.resolve() };
  const appendLines = openLines(holding);
  return {
    job,
    key,
    spec,
    attempt,
    token: BigInt(token),
    spent,
    leftovers,
    lost: lost.signal,
    look: () => look(holding),
    giveUp: (reason) => giveUp(holding, reason),
    leash: (listener) => leash?.(listener) ?? (() => {}),
    asked: (signal) => listAsks(holding, signal),
    started: (process) => record(holding, { kind: "started", process }),
    append: (lines) => {
      const done = holding.turn.then(() => appendLines(lines));
      holding.turn = done.catch(() => null); // One failure is one caller's.
      return done;
    },
    attach: (name, content) => attach(holding, name, content),
    spend: (more) => record(holding, { kind: "spent", spent: more }),
    finish: (result) => record(holding, { kind: "finished", result }),
    release: async (why, notBefore) => {
      await record(holding, { kind: "released", why: why.slice(0, 300), not_before: notBefore });
    },
  };
}

function isHeld({ job, token, isOver }: Holding, { running }: QueueState): boolean {
  return !isOver && running.get(job)?.token === token;
}

function look(holding: Holding): void {
  if (!holding.isOver && !isHeld(holding, holding.parts.log.known()))
    giveUp(holding, new Error(`job ${holding.job} is in other hands`));
}

function giveUp(holding: Holding, reason: Error): void {
  endHolding(holding);
  holding.lost.abort(reason);
}

function endHolding(holding: Holding): void {
  holding.isOver = true;
  holding.onOver();
}

/** The number of the record; null where the job is in other hands. */
async function write(holding: Holding, event: HeldEvent): Promise<number | null> {
  const { job, token, isOver, parts } = holding;
  const seq = isOver
    ? null
    : await parts.log.record((state) => (isHeld(holding, state) ? { ...event, job, token } : null));
  if (seq === null) look(holding);
  return seq;
}

async function record(holding: Holding, event: HeldEvent): Promise<"recorded" | Fenced> {
  if ((await write(holding, event)) === null) return "fenced";
  if (event.kind === "finished" || event.kind === "released") endHolding(holding);
  await holding.parts.log.sync();
  return "recorded";
}

function openLines(holding: Holding): AppendLines {
  const { job, parts, place } = holding;
  const append = parts.store.openLines({ ...place, job, count: (bytes) => write(holding, { kind: "lines", bytes }) });
  return async (lines) => {
    if (lines.some((line) => line.includes("\n"))) throw new InvariantError("a line of a job has a newline in it");
    look(holding);
    return holding.isOver ? "fenced" : append(lines);
  };
}

async function attach(
  holding: Holding,
  name: string,
  content: AsyncIterable<Uint8Array>,
): Promise<Attachment | Fenced> {
  look(holding);
  if (holding.isOver) return "fenced";
  const attachment = {
    name,
    attempt: holding.attempt,
    ...(await holding.parts.store.attach(holding.place, name, content)),
  };
  return (await record(holding, { kind: "attached", attachment })) === "fenced" ? "fenced" : attachment;
}

/** Ends with the claim. */
async function* listAsks({ parts, job, token }: Holding, signal: AbortSignal): AsyncGenerator<JobAsk, void> {
  const changes = waitForChanges(parts.changes, signal);
  try {
    for (let done = 0; !signal.aborted;) {
      const row = parts.log.known().running.get(job);
      if (row?.token !== token) return;
      const ask = row.asks[done];
      if (ask === undefined) await changes.next();
      else {
        done += 1;
        yield ask;
      }
    }
  } finally {
    changes.close();
  }
}
