/**
 * When a worker was last seen, by a clock of the machine that never jumps and that all processes share. The file is made
 * once and overwritten in place, so that a full disk does not end a lease.
 */
import { closeSync, constants, openSync, rmSync, writeSync } from "node:fs";
import { uptime } from "node:os";
import { join } from "node:path";
import { QueueError } from "../queue/pure/engine.ts";
import { describeError } from "../base/errors.ts";
import { readNow } from "../system/read-files.ts";

const { O_RDWR, O_CREAT, O_NOFOLLOW } = constants;
const DIGITS = 20;
/** A beat is written twice, so that a reader sees one that is half new. */
const BEAT = /^(?<ms>\d{20}) \k<ms>\n$/;

export function writeBeat(folder: string, worker: string, ms: number): void {
  const digits = String(Math.floor(ms)).padStart(DIGITS, "0");
  const path = beatPath(folder, worker);
  try {
    overwrite(path, `${digits} ${digits}\n`);
  } catch (error) {
    throw new QueueError("unwritable", `cannot write the queue ${path}: ${describeError(error)}`);
  }
}

function overwrite(path: string, text: string): void {
  const file = openSync(path, O_RDWR | O_CREAT | O_NOFOLLOW, 0o600);
  try {
    writeSync(file, text, 0);
  } finally {
    closeSync(file);
  }
}

/** Null where there is none, or none that can be read. */
export function readBeat(folder: string, worker: string): number | null {
  const text = readNow(beatPath(folder, worker), { bytesMax: 1024 })?.toString("latin1") ?? "";
  const digits = BEAT.exec(text)?.groups?.["ms"];
  return digits === undefined ? null : Number(digits);
}

export function removeBeat(folder: string, worker: string): void {
  rmSync(beatPath(folder, worker), { force: true });
}

function beatPath(folder: string, worker: string): string {
  return join(folder, "beats", encodeURIComponent(worker));
}

/** Milliseconds since the start of the machine, which go on while it sleeps: for the end of a lease that another machine counts, too. */
export function readUptimeMs(): number {
  return uptime() * 1000;
}
