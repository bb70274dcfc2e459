/** The machine in one sentence: what a reader needs to compare ratios, and nothing that changes from day to day. */
import { execFileSync } from "node:child_process";
import { availableParallelism, platform } from "node:os";
import type { Bench } from "./rows.ts";

export function describeMachine({ folder, meter }: Bench): string {
  const cores = availableParallelism();
  const git = execFileSync("git", ["--version"], { encoding: "utf8" }).trim();
  const fileSystem = readFileSystem(folder);
  const remark = fileSystem === "ext4" ? "" : " The targets are meant for ext4.";
  const machine = `${platform()}, ${cores} cores, Node ${process.version}, ${git}, ${fileSystem}`;
  return `Measured on ${machine}; the floor is started by ${meter.starter}.${remark}`;
}

function readFileSystem(folder: string): string {
  try {
    const answer = execFileSync("df", ["--output=fstype", folder], { encoding: "utf8" });
    return answer.trim().split("\n").at(-1) ?? "an unknown file system";
  } catch {
    return "an unknown file system";
  }
}
