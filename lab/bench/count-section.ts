/** How many git processes a tick starts and how often it waits for the disk: counts do not depend on the machine. */
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { writeRows } from "../../scripts/write-rows.ts";
import { type BenchRepository, type End, ENDS, makeRepository, rest } from "./bench-repository.ts";
import type { Bench, Subject } from "./rows.ts";
import { compare } from "./table.ts";
import { PLACES, tickSubject } from "./tick-rows.ts";

const FILES = 100;
const SYSTEM_CALLS = "execve,execveat,fsync,fdatasync,sync,syncfs,sync_file_range,msync";
const GIT_TARGETS: Readonly<Record<End, { readonly must: number; readonly best: number }>> = {
  accepted: { must: 4, best: 2 },
  committed: { must: 6, best: 4 },
  reverted: { must: 5, best: 3 },
};
const SYNC_TARGET = { must: 12, best: 8 };

interface Counts {
  readonly git: number;
  readonly syncs: number;
}

/** The third tick of each kind: the first ones create what later ones find. */
export async function writeCounts(bench: Bench, words: readonly string[]): Promise<string> {
  if (!hasStrace()) return "Not measured: strace is missing.";
  const rows: string[][] = [];
  for (const place of chooseAmong(PLACES, words)) {
    const repository = makeRepository({ ...bench, name: `counts-${place}`, files: FILES, ignored: 0 });
    await rest();
    for (const end of chooseAmong(ENDS, words)) {
      const subject = tickSubject(bench, repository, { place, sandbox: "off", end });
      let counts: Counts = { git: Number.NaN, syncs: Number.NaN };
      for (let tick = 0; tick < 3; tick += 1) counts = await countOnce(bench, repository, subject);
      rows.push([`${end}, ${place}`, ...writeCount(counts.git, GIT_TARGETS[end])]);
      rows.at(-1)?.push(...(end === "accepted" ? writeCount(counts.syncs, SYNC_TARGET) : [`${counts.syncs}`, ""]));
    }
  }
  const heads = [`a tick, ${FILES} files`, "git processes", "must / best", "fsyncs", "must / best"];
  return writeRows(heads, rows);
}

function writeCount(value: number, target: { readonly must: number; readonly best: number }): readonly string[] {
  return [`${value} ${compare(value, target)}`, `${target.must} / ${target.best}`];
}

/** Those that a word names, or all of them. */
function chooseAmong<T extends string>(all: readonly T[], words: readonly string[]): readonly T[] {
  const chosen = all.filter((one) => words.includes(one));
  return chosen.length === 0 ? all : chosen;
}

function hasStrace(): boolean {
  try {
    execFileSync("strace", ["-V"], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
}

async function countOnce({ meter }: Bench, { box }: BenchRepository, subject: Subject): Promise<Counts> {
  const file = join(box, "system-calls");
  const options = ["-f", "--seccomp-bpf", "-qq", "-o", file, "-e", `trace=${SYSTEM_CALLS}`] as const;
  await subject.before?.();
  await meter.measure({ ...subject, commands: subject.commands.map((command) => ["strace", ...options, ...command]) });
  await subject.after?.();
  const calls = readFileSync(file, "utf8").split("\n");
  return {
    git: calls.filter((call) => /execve(?:at)?\("[^"]*\/git(?:-[\w-]+)?"/.test(call) && !call.includes("= -1")).length,
    syncs: calls.filter((call) => /^\d+ +(?:fsync|fdatasync|sync|syncfs|sync_file_range|msync)\(/.test(call)).length,
  };
}
