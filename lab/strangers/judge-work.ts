/** Judges merged work as `relais judge --range` does, by the built-in rules, in this process. */
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { judgeChange } from "../../src/judge/judge-change.ts";
import type { JudgeOutcome } from "../../src/judge/judge-rules.ts";
import { listJudgedPlaces } from "../../src/judge/pure/judged-rates.ts";
import type { JudgedPlace } from "../../src/records/judgement.ts";
import type { Work } from "./sample-work.ts";

export interface JudgedWork {
  readonly interrupted: string | null;
  readonly places: readonly JudgedPlace[];
  readonly cpuSeconds: number;
}

const NO_FLAGS = { scope: {}, forbid: [], maxFiles: null, maxLines: null, noNewFiles: false };

/** Lends a folder that passes for a worktree: a bare repository has none, and a range needs none. */
export async function withWorktreeOf<T>(gitDir: string, use: (folder: string) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), "relais-stranger-"));
  try {
    writeFileSync(join(folder, ".git"), `gitdir: ${gitDir}\n`);
    return await use(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

export async function judgeWork(cwd: string, { from, to }: Pick<Work, "from" | "to">): Promise<JudgedWork> {
  const before = readCpuSeconds();
  const outcome = await judgeChange({
    cwd,
    environment: process.env,
    target: { kind: "range", from, to },
    taskFile: null,
    flags: NO_FLAGS,
    proof: null,
  }).catch((error: unknown) => ({ kind: "threw" as const, message: String(error) }));
  return { ...describe(outcome), cpuSeconds: readCpuSeconds() - before };
}

type Answer = JudgeOutcome | { readonly kind: "threw"; readonly message: string };

function describe(outcome: Answer): Omit<JudgedWork, "cpuSeconds"> {
  if (outcome.kind === "judged")
    return { interrupted: null, places: listJudgedPlaces(outcome.judgement, outcome.changes) };
  const interrupted = "message" in outcome ? outcome.message : `${outcome.what}: ${outcome.detail}`;
  return { interrupted, places: [] };
}

/** Of this process and of the programs that it has started and that have ended. */
function readCpuSeconds(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6 + readEndedSeconds();
}

const CLOCK_TICKS = 100;

/** Linux says it; elsewhere the programs do not count. */
function readEndedSeconds(): number {
  if (!existsSync("/proc/self/stat")) return 0;
  const text = readFileSync("/proc/self/stat", "utf8");
  const fields = text.slice(text.lastIndexOf(")") + 2).split(" ");
  return (Number(fields[13]) + Number(fields[14])) / CLOCK_TICKS;
}
