/**
 * Runs one program as the real child process that a builder is, and returns when nothing of it is left: its children
 * inherit a marker in their environment, and every process that carries it is waited for.
 */
import { spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { existsSync, readFileSync, readdirSync } from "node:fs";
import { extname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { gitEnvironment } from "../support/repositories.ts";
import type { Program } from "./program.ts";

interface ProgramRun {
  readonly program: Program;
  /** Where the programs lie. */
  readonly folder: string;
  readonly root: string;
  readonly box: string;
}

const PATIENCE_MS = 60_000;

/** Throws where the program does not end as it says it does, since then its damage is not what it claims. */
export async function runProgram({ program, folder, root, box }: ProgramRun): Promise<void> {
  const marker = `RELAIS_DAMAGE=${randomUUID()}`;
  const interpreter = extname(program.file) === ".sh" ? "sh" : process.execPath;
  const child = spawn(interpreter, [join(folder, program.file)], {
    cwd: root,
    env: {
      ...gitEnvironment(box),
      // A program that makes git run something shall leave its mark here, where the walker sees it.
      MARK: join(box, "neighbour/mark"),
      RELAIS_DAMAGE: marker.slice("RELAIS_DAMAGE=".length),
    },
    stdio: ["ignore", "pipe", "pipe"],
    timeout: PATIENCE_MS,
    killSignal: "SIGKILL",
  });
  let complaint = "";
  child.stdout.resume();
  child.stderr.on("data", (chunk: Buffer) => (complaint = (complaint + chunk.toString("utf8")).slice(-2000)));
  const status = await new Promise<number | null>((resolve, reject) => {
    child.on("error", reject);
    child.on("close", resolve);
  });
  await noneLeft(marker, program.id.startsWith("processes/") ? 5 : 1);
  if ((status === 0) === program.fails) throw new Error(`the program ended with ${String(status)}: ${complaint}`);
}

/** A process that is just being replaced by another shows no environment, so one empty look is not always enough. */
async function noneLeft(marker: string, looks: number): Promise<void> {
  const deadline = Date.now() + PATIENCE_MS;
  let empty = 0;
  for (;;) {
    const left = carriers(marker);
    empty = left.length === 0 ? empty + 1 : 0;
    if (empty >= looks) return;
    if (Date.now() > deadline) throw new Error(`processes ${left.join(", ")} do not end`);
    await sleep(20);
  }
}

/** Where there is no /proc, closed pipes must do. */
function carriers(marker: string): string[] {
  if (!existsSync("/proc/self/environ")) return [];
  return readdirSync("/proc").filter((name) => /^\d+$/u.test(name) && environmentOf(name).includes(marker));
}

function environmentOf(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/environ`, "latin1");
  } catch {
    // It ended meanwhile, or it is somebody else's.
    return "";
  }
}
