/** A job in the hands of a worker. Everything that it records carries the token of its claim. */
import type { Claim, Fenced, JobAsk } from "../../contract/queue/engine.ts";
import type { Attachment, JobSpec } from "../../contract/queue/job.ts";
import type { QueueEvent } from "../../contract/queue/queue-record.ts";
import { InvariantError } from "../../contract/values/invariant.ts";
import type { JobRow } from "../../core/queue/queue-state.ts";
import { noteBatch, storeAttachment, writeLines } from "../../io/queue/job-files.ts";
import type { EngineParts } from "./engine-parts.ts";

/** An event of this job, without the part that every one has. */
type Unsigned = QueueEvent extends infer E ? (E extends { token: number } ? Omit<E, "job" | "token"> : never) : never;

export interface HeldClaim extends Claim {
  /** Aborts `lost` where the job is in other hands. */
  readonly look: () => void;
}

export interface ClaimedJob {
  readonly row: JobRow;
  readonly token: number;
  readonly spec: JobSpec;
  readonly leftovers: Claim["leftovers"];
  /** It has ended, was given back, or was lost. */
  readonly onOver: () => void;
}

export function holdClaim(parts: EngineParts, { row, token, spec, leftovers, onOver }: ClaimedJob): HeldClaim {
  const { log } = parts;
  const { id: job, attempt, store, spent } = row;
  const place = { folder: parts.folder, store, attempt };
  const lost = new AbortController();
  let isOver = false;
  let bytes = 0;
  let turn: Promise<unknown> = Promise.resolve();

  const finishHolding = (): void => {
    isOver = true;
    onOver();
  };
  const isHeld = (): boolean => !isOver && log.refresh().running.get(job)?.token === token;
  const look = (): void => {
    if (isOver || isHeld()) return;
    finishHolding();
    lost.abort();
  };
  const write = (event: Unsigned): number | Fenced => {
    const seq = isOver ? null : log.record(() => (isHeld() ? sign(event, { job, token }) : null));
    if (seq === null) look();
    return seq ?? "fenced";
  };
  const record = async (event: Unsigned): Promise<"recorded" | Fenced> => {
    const seq = write(event);
    if (seq === "fenced") return seq;
    if (event.kind === "finished" || event.kind === "released") finishHolding();
    await log.sync();
    return "recorded";
  };
  const appendLines = async (lines: readonly string[]): Promise<"recorded" | Fenced> => {
    if (lines.some((line) => line.includes("\n"))) throw new InvariantError("a line of a job has a newline in it");
    if (!isHeld()) return (look(), "fenced");
    const data = Buffer.from(lines.map((line) => `${line}\n`).join(""));
    await writeLines(place, bytes, data);
    const end = bytes + data.length;
    const seq = write({ kind: "lines", bytes: end });
    if (seq === "fenced") return seq;
    bytes = end;
    await noteBatch(place, { seq, end });
    return "recorded";
  };
  return {
    job,
    key: row.head.key,
    spec,
    attempt,
    token: BigInt(token),
    spent,
    leftovers,
    lost: lost.signal,
    look,
    asked: (signal) => listAsks(parts, { job, token, signal }),
    started: (process) => record({ kind: "started", process }),
    append: (lines) => {
      const done = turn.then(() => appendLines(lines));
      turn = done.catch(() => null);
      return done;
    },
    attach: async (name, content): Promise<Attachment | Fenced> => {
      if (!isHeld()) return (look(), "fenced");
      const attachment = { name, attempt, ...(await storeAttachment(place, name, content)) };
      return (await record({ kind: "attached", attachment })) === "fenced" ? "fenced" : attachment;
    },
    spend: (more) => record({ kind: "spent", spent: more }),
    finish: (result) => record({ kind: "finished", result }),
    release: async (why, notBefore) => {
      await record({ kind: "released", why: why.slice(0, 300), not_before: notBefore });
    },
  };
}

function sign(event: Unsigned, held: { readonly job: string; readonly token: number }): QueueEvent {
  return { ...event, ...held };
}

interface AskedOf {
  readonly job: string;
  readonly token: number;
  readonly signal: AbortSignal;
}

/** Ends with the claim. */
async function* listAsks({ log, changes }: EngineParts, { job, token, signal }: AskedOf): AsyncGenerator<JobAsk, void> {
  for (let done = 0; !signal.aborted;) {
    const row = log.refresh().running.get(job);
    if (row?.token !== token) return;
    const ask = row.asks[done];
    if (ask === undefined) await changes.next(signal);
    else {
      done += 1;
      yield ask;
    }
  }
}
