/** What relais keeps on the disk: its state outside the worktree, and its folder in it. */
import { spawnSync } from "node:child_process";
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import type { SoakRepository } from "./soak-repository.ts";

export interface SoakDisk {
  /** Without the records. */
  readonly diskMb: number;
  /** The journal and its copies, and the documents of goals and campaigns: they are kept for good. */
  readonly recordKbPerTick: number;
}

const RECORDS = ["journal.jsonl", "ledger.jsonl", "lines.jsonl", "goals", "campaigns"];
/** Of the folder around the copy of a tick's lines. */
const FOLDER_KB = 4;
const KB_OF_MB = 1024;

export function measureDisk({ root, state }: SoakRepository, ticks: number): SoakDisk {
  const folders = [state(), join(root, "relais")];
  const all = countKb(folders, []);
  const runs = join(state(), "runs");
  const around = existsSync(runs) ? FOLDER_KB * readdirSync(runs).length : 0;
  const rest = countKb(folders, RECORDS) - around;
  return { diskMb: rest / KB_OF_MB, recordKbPerTick: (all - rest) / Math.max(1, ticks) };
}

function countKb(folders: readonly string[], excluded: readonly string[]): number {
  const without = excluded.map((name) => `--exclude=${name}`);
  // Its status tells only that a file went away meanwhile.
  const { stdout } = spawnSync("du", ["-s", "-k", "-c", ...without, ...folders], { encoding: "utf8" });
  return Number(stdout.trim().split("\n").at(-1)?.split("\t")[0]);
}
