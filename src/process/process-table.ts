import { closeSync, openSync, readFileSync, readSync, readdirSync } from "node:fs";
import { MeasurementError } from "../base/errors.ts";
import { readErrorCode } from "../system/read-files.ts";
import { parseProcStat } from "./proc-stat.ts";
import { readLockLimit } from "./session-tag.ts";
import { findSystemTool } from "../system/system-tool.ts";

/** The columns that `parsePs` reads, in its order; `lstart` is five words and `command` is the rest of the line. */
export const PS_COLUMNS = "pid=,ppid=,pgid=,stat=,lstart=,command=";

/** Any characters may follow: a program may have carriage returns and other line ends in its arguments. */
const LINE = /^\s*(\d+)\s+(\d+)\s+(\d+)\s+(\S+)\s+(\S+\s+\S+\s+\d+\s+[\d:]+\s+\d{4})(?:\s(.*))?$/s;

/** Parses the output of `ps -o` with `PS_COLUMNS`. Further lines of a command have no pid and are skipped. */
export function parsePs(output: string) {
  return output.split("\n").flatMap((line) => {
    const [, pid, parent, group, state, start, text] = LINE.exec(line) ?? [];
    if (state === undefined || start === undefined) return [];
    return {
      pid: Number(pid),
      parent: Number(parent),
      group: Number(group),
      start: start.replaceAll(/\s+/g, " "),
      ended: state.startsWith("Z"),
      // The command line and, where `ps` was asked for it and may tell, the environment.
      text: (text ?? "").trim(),
    };
  });
}

/**
 * The processes of this machine.
 *
 * Linux lists everything in `/proc`, without starting a program. Elsewhere `ps` is asked; there the environment of
 * protected system programs stays hidden, so the marker finds fewer processes and the watch over descendants matters
 * more.
 */

const COMMAND_CHARACTERS_MAX = 200;
/** Enough to come to an end on a machine that starts processes all the time. */
const LISTS_MAX = 50;

/** One living process. With its pid, `start` tells it from a later process that was given the same pid. */
export interface ProcessEntry {
  readonly pid: number;
  readonly parent: number;
  /** The session on Linux and the process group elsewhere, which is the closest that `ps` shows. */
  readonly session: number;
  readonly start: string;
  /** The same as a number, to tell who started first. */
  readonly startOrder: number;
  /** Whether the environment it was started with holds the marker. */
  readonly isMarked: () => boolean;
  /** Whether its environment is hidden from its own user. */
  readonly isHidden: () => boolean;
  /** The tag of its session, or any other limit; null where there is none to be read. */
  readonly tag: () => number | null;
  readonly command: () => string;
}

/**
 * Every living process. The iterable is lazy on Linux: an entry is fresh when it is handed out, so a signal that is
 * sent at once almost certainly reaches the right process.
 */
export async function listLivingProcesses(marker: string | null): Promise<LivingProcesses> {
  return process.platform === "linux"
    ? new ProcList(marker)
    : Object.assign(await listPsEntries(marker), { isWhole: () => false });
}

export interface LivingProcesses extends Iterable<ProcessEntry> {
  /** After the last entry: whether it is known that nobody was missed who moved to a new pid meanwhile. */
  readonly isWhole: () => boolean;
}

/** In the form that `listLivingProcesses` uses; null where there is no such process or it has ended. */
export async function findProcessStart(pid: number): Promise<string | null> {
  if (process.platform === "linux") return readStat(pid)?.start ?? null;
  const [line] = parsePs((await findSystemTool("/bin/ps", ["-o", PS_COLUMNS, "-p", String(pid)])) ?? "");
  return line === undefined || line.ended ? null : line.start;
}

/** A number to compare starts on this machine. */
export function startOrder(start: string): number {
  return /^\d+$/.test(start) ? Number(start) : Date.parse(start);
}

/** Lists again until nobody is new: a process that moves to a new pid would slip through a single list. */
class ProcList implements LivingProcesses {
  readonly #marker: string | null;
  #isWhole = false;

  constructor(marker: string | null) {
    this.#marker = marker;
  }

  isWhole(): boolean {
    return this.#isWhole;
  }

  *[Symbol.iterator](): Iterator<ProcessEntry> {
    const seen = new Set<string>();
    for (let list = 0; list < LISTS_MAX && !this.#isWhole; list += 1) {
      const names = readdirSync("/proc").filter((name) => !seen.has(name) && PID.test(name));
      this.#isWhole = names.length === 0;
      for (const name of names) {
        seen.add(name);
        const stat = readStat(name);
        if (stat !== null) yield new ProcEntry(stat, this.#marker);
      }
    }
  }
}

const PID = /^\d+$/;

class ProcEntry implements ProcessEntry {
  readonly pid: number;
  readonly parent: number;
  readonly session: number;
  readonly start: string;
  readonly startOrder: number;
  readonly #marker: string | null;

  constructor(stat: NonNullable<ReturnType<typeof readStat>>, marker: string | null) {
    this.pid = stat.pid;
    this.parent = stat.parent;
    this.session = stat.session;
    this.start = stat.start;
    this.startOrder = startOrder(stat.start);
    this.#marker = marker;
  }

  isMarked(): boolean {
    return this.#marker !== null && (readProc(this.pid, "environ")?.includes(this.#marker) ?? false);
  }

  isHidden(): boolean {
    return isOwnUser(this.pid) && readProc(this.pid, "environ") === null && readStat(this.pid) !== null;
  }

  tag(): number | null {
    return readLockLimit(this.pid);
  }

  command(): string {
    return cutCommand(readProc(this.pid, "cmdline")?.toString("utf8").replaceAll("\0", " ") ?? "");
  }
}

/** The kernel's line is far shorter, and comes in one read. */
const STAT_BYTES_MAX = 4096;
/** Every process is looked at several times in a tick, so nothing is allocated for it. */
const statBytes = Buffer.alloc(STAT_BYTES_MAX);

function readStat(pid: number | string) {
  const stat = parseProcStat(findStatLine(pid) ?? "");
  return stat === null || stat.ended ? null : stat;
}

function findStatLine(pid: number | string): string | null {
  return tryProc(() => {
    const descriptor = openSync(`/proc/${pid}/stat`, "r");
    try {
      return statBytes.toString("latin1", 0, readSync(descriptor, statBytes, 0, STAT_BYTES_MAX, 0));
    } finally {
      closeSync(descriptor);
    }
  });
}

function isOwnUser(pid: number): boolean {
  const status = readProc(pid, "status")?.toString("latin1") ?? "";
  return /^Uid:\t(?<real>\d+)/m.exec(status)?.groups?.["real"] === String(process.getuid?.());
}

/** Whether a process was started by this one, directly or not, and its parents are still there. */
export function isDescendant(pid: number): boolean {
  let parent: number | null = pid;
  while (parent !== null && parent > 1 && parent !== process.pid) parent = readStat(parent)?.parent ?? null;
  return parent === process.pid;
}

function readProc(pid: number, file: "environ" | "cmdline" | "status"): Buffer | null {
  return tryProc(() => readFileSync(`/proc/${pid}/${file}`));
}

/** Null where the process is gone (it may go at any moment) or belongs to somebody else. */
function tryProc<T>(read: () => T): T | null {
  try {
    return read();
  } catch (error) {
    if (["ENOENT", "ESRCH", "EACCES", "EPERM"].includes(readErrorCode(error) ?? "")) return null;
    throw error;
  }
}

async function listPsEntries(marker: string | null): Promise<ProcessEntry[]> {
  const output = await findSystemTool("/bin/ps", ["-axwwE", "-o", PS_COLUMNS]);
  if (output === null) throw new MeasurementError("the process list", "ps failed");
  return parsePs(output)
    .filter(({ ended }) => !ended)
    .map(({ pid, parent, group, start, text }) => ({
      pid,
      parent,
      session: group,
      start,
      startOrder: startOrder(start),
      isMarked: () => marker !== null && text.includes(marker),
      isHidden: () => false,
      tag: () => null,
      command: () => cutCommand(text),
    }));
}

function cutCommand(text: string): string {
  return text.trim().slice(0, COMMAND_CHARACTERS_MAX);
}
