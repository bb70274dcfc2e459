/** The workers of a chaos run: started, stopped, killed, and replaced. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readdirSync, readFileSync } from "node:fs";
import type { ChaosPlaces } from "./chaos-places.ts";

export interface ChaosWorker {
  readonly pid: number;
  readonly isGone: () => boolean;
  readonly isStopped: () => boolean;
  readonly killAlone: () => void;
  /** With its sessions. */
  readonly killAll: () => void;
  /** Stops it past its lease. */
  readonly stopFor: (ms: number) => Promise<void>;
  /** Asks it to end, and resolves when it has. */
  readonly end: () => Promise<void>;
}

export interface WorkerStart {
  readonly places: ChaosPlaces;
  /** Marks the environment of everything that the run starts. */
  readonly marker: string;
  readonly command: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly onError: (text: string) => void;
}

export function startWorker({ places, command, marker, onError, ...start }: WorkerStart): ChaosWorker {
  const [program = "", ...args] = command;
  const env = { ...start.env, RELAIS_CHAOS: marker };
  const child = spawn(program, args, { cwd: places.folder, env, detached: true, stdio: ["ignore", "ignore", "pipe"] });
  child.stderr.on("data", (data: Buffer) => onError(data.toString("utf8")));
  const gone = once(child, "exit");
  const { pid = 0 } = child;
  let isStopped = false;
  const signal = (name: NodeJS.Signals): void => void child.kill(name);
  return {
    pid,
    isGone: () => hasEnded(child),
    isStopped: () => isStopped,
    killAlone: () => signal("SIGKILL"),
    killAll: () => {
      const descendants = listDescendants(pid);
      signal("SIGKILL");
      for (const one of descendants) kill(one);
    },
    stopFor: async (ms) => {
      isStopped = true;
      signal("SIGSTOP");
      await new Promise((resolve) => setTimeout(resolve, ms));
      signal("SIGCONT");
      isStopped = false;
    },
    end: async () => {
      if (hasEnded(child)) return;
      signal("SIGTERM");
      await gone;
    },
  };
}

function hasEnded({ exitCode, signalCode }: ChildProcess): boolean {
  return exitCode !== null || signalCode !== null;
}

function kill(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch {
    // It is gone.
  }
}

function listDescendants(root: number): readonly number[] {
  const parents = new Map(listPids().map((pid) => [pid, readParent(pid)] as const));
  const found = new Set([root]);
  for (let grew = true; grew;) {
    const more = [...parents].filter(([pid, parent]) => !found.has(pid) && found.has(parent));
    for (const [pid] of more) found.add(pid);
    grew = more.length > 0;
  }
  found.delete(root);
  return [...found];
}

function readParent(pid: number): number {
  const text = readProc(pid, "stat");
  return Number(text.slice(text.lastIndexOf(")") + 2).split(" ")[1] ?? 0);
}

function listPids(): readonly number[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .map(Number);
}

function readProc(pid: number, file: string): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, "latin1");
  } catch {
    return "";
  }
}

/** Processes that a run started and that still live: by their environment, or by the folder in their command. */
export function listMarked(marker: string, folder: string): readonly number[] {
  return listPids().filter(
    (pid) =>
      pid !== process.pid &&
      (readProc(pid, "environ").includes(`RELAIS_CHAOS=${marker}\0`) || readProc(pid, "cmdline").includes(folder)),
  );
}
