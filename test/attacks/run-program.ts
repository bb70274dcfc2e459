/**
 * Runs one attack as the real child process that a builder is, without relais around it, and returns when nothing of it is
 * left: its children inherit a marker in their environment, and every process that carries it is waited for.
 */
import { spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync } from "node:fs";
import { extname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { findInterpreter } from "../../src/drill/pure/drill-stage.ts";
import type { HostileBuilder } from "../../src/drill/pure/hostile-builder.ts";
import { environmentIn } from "./ground.ts";

interface ProgramRun {
  readonly builder: HostileBuilder;
  /** Where the attacks lie. */
  readonly folder: string;
  readonly root: string;
  readonly box: string;
}

const PATIENCE_MS = 60_000;

/** Throws where the program does not end as it says it does, since then its damage is not what it claims. */
export async function runProgram({ builder, folder, root, box }: ProgramRun): Promise<void> {
  const marker = `RELAIS_ATTACK=${randomUUID()}`;
  const drop = join(box, "tmp/drop");
  rmSync(drop, { recursive: true, force: true });
  mkdirSync(drop, { recursive: true });
  const interpreter = findInterpreter(extname(builder.file), process.execPath);
  const child = spawn(interpreter, [join(folder, builder.file)], {
    cwd: root,
    env: {
      ...environmentIn(box, builder),
      RELAIS_DROP: drop,
      RELAIS_RESULT_PATH: join(drop, "result.json"),
      RELAIS_ATTACK: marker.slice("RELAIS_ATTACK=".length),
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
  await noneLeft(marker, builder.class === "processes" ? 5 : 1);
  if ((status === 0) === builder.fails) throw new Error(`the program ended with ${String(status)}: ${complaint}`);
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
