/** A relais that is at work while a test does something to it. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { onTestFinished } from "vitest";
import { executable } from "../support/relais.ts";
import { type Kind, openSite, type Site, type Strike, taskOf, withStrike } from "./site.ts";

export interface Running {
  readonly child: ChildProcess;
  /** How the process ended: its status, or the signal that ended it. */
  readonly end: Promise<number | NodeJS.Signals | null>;
  readonly stderr: () => string;
}

/** A repository that is gone when the test is over. */
export async function useSite(kind: Kind, config: Parameters<typeof openSite>[2] = {}): Promise<Site> {
  const site = await openSite(executable, kind, config);
  onTestFinished(() => site.remove());
  return site;
}

/** Starts the tick of the site and does not wait for it. */
export function startTick(site: Site, strike?: Strike): Running {
  const args = [executable, "run", "--json", "--task", join(site.box, "task.json")];
  const env = withStrike(site.environment, strike);
  const child = spawn(process.execPath, args, { cwd: site.root, env, stdio: ["ignore", "ignore", "pipe"] });
  onTestFinished(() => void child.kill("SIGKILL"));
  let said = "";
  child.stderr.on("data", (chunk: Buffer) => (said += chunk.toString()));
  const end = once(child, "exit").then(() => child.exitCode ?? child.signalCode);
  return { child, end, stderr: () => said };
}

/**
 * The text of a shell script that is hard to end: it ignores polite signals, goes on in a session of its own as well,
 * and never stops writing to the repository. It leaves its pids in the box.
 */
export function stubborn({ box }: Site): string {
  const loop = `trap "" INT TERM HUP; echo $$ >> ${box}/pids; while :; do echo late > src/late.ts; sleep 0.05; done`;
  writeFileSync(join(box, "loop.sh"), `${loop}\n`);
  return `trap "" INT TERM HUP; setsid sh ${box}/loop.sh </dev/null >/dev/null 2>&1 & exec sh ${box}/loop.sh`;
}

/** Makes the builder of the site a stubborn one. */
export function makeBuilderStubborn(site: Site): void {
  const steps = [
    { do: "ignore", signals: ["SIGINT", "SIGTERM", "SIGHUP"] },
    { do: "run", argv: ["sh", "-c", stubborn(site)], may_fail: true },
  ];
  writeFileSync(join(site.box, "task.json"), JSON.stringify(taskOf("ok", steps)));
}

/** Waits for something to be so, on a machine that may be busy. */
export async function until(isSo: () => boolean): Promise<void> {
  for (let round = 0; round < 1000; round += 1) {
    if (isSo()) return;
    await delay(30);
  }
  throw new Error("it never happened");
}

/** Waits until both loops of a stubborn script are at work. */
export async function untilStubborn(site: Site): Promise<readonly number[]> {
  const pids = (): number[] =>
    existsSync(join(site.box, "pids"))
      ? readFileSync(join(site.box, "pids"), "utf8").trim().split("\n").map(Number)
      : [];
  onTestFinished(() => living(pids()).forEach((pid) => process.kill(pid, "SIGKILL")));
  await until(() => pids().length === 2 && existsSync(join(site.root, "src/late.ts")));
  return pids();
}

/** Those of the processes that are still there. */
export function living(pids: readonly number[]): readonly number[] {
  return pids.filter((pid) => {
    try {
      return !readFileSync(`/proc/${pid}/stat`, "utf8").includes(") Z ");
    } catch {
      return false;
    }
  });
}

/** Lets a paused relais go on. */
export function resume(mark: string): void {
  rmSync(mark, { force: true });
}
