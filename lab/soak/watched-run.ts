/** One process of relais, looked at from outside while it works. Linux only: it reads /proc. */
import { spawn } from "node:child_process";
import { createWriteStream, readdirSync, readFileSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";
import type { SoakRepository } from "./soak-repository.ts";

/** A process at one moment. */
export interface Look {
  readonly memoryMb: number;
  readonly descriptors: number;
  /** Of the process and of all that it waited for. */
  readonly cpuMs: number;
}

interface WatchedRun {
  readonly command: readonly [string, ...string[]];
  readonly repository: SoakRepository;
  /** Called several times a second; whether the process is to be killed now. */
  readonly onLook: (look: Look) => "go on" | "kill";
}

const LOOK_MS = 100;
const RUN_MS_MAX = 1_800_000;
const CLOCK_TICK_MS = 10;

/** How the process ended: its status or its signal. */
export async function watchRun({ command, repository, onLook }: WatchedRun): Promise<number | string> {
  const [file, ...args] = command;
  const child = spawn(file, args, { cwd: repository.root, env: repository.env, stdio: ["ignore", "pipe", "pipe"] });
  const log = createWriteStream(`${repository.box}/relais.log`, { flags: "a" });
  child.stdout.pipe(log, { end: false });
  child.stderr.pipe(log, { end: false });
  const state: { end: number | string | null } = { end: null };
  const closed = new Promise<void>((done) => {
    child.once("close", (status, signal) => {
      state.end = status ?? signal ?? "unknown";
      done();
    });
  });
  const until = performance.now() + RUN_MS_MAX;
  while (state.end === null) {
    await Promise.race([closed, delay(LOOK_MS)]);
    const look = state.end === null ? lookAt(child.pid ?? 0) : null;
    if (look === null) continue;
    if (onLook(look) === "kill" || performance.now() > until) child.kill("SIGKILL");
  }
  log.end();
  return state.end;
}

function lookAt(pid: number): Look | null {
  try {
    const rss = /VmRSS:\s+(?<kb>\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.groups?.["kb"];
    if (rss === undefined) return null; // It is over, and nobody has waited for it yet.
    const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1]?.split(" ") ?? [];
    const cpu = fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0);
    return {
      memoryMb: Number(rss) / 1024,
      descriptors: readdirSync(`/proc/${pid}/fd`).length,
      cpuMs: cpu * CLOCK_TICK_MS,
    };
  } catch {
    return null; // It has just ended.
  }
}
