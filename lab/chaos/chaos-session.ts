/** Starts and ends the sessions of the chaos run. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { SessionProcess } from "../../src/records/session-process.ts";
import type { Claim } from "../../src/queue/pure/engine.ts";
import type { ChaosPlaces } from "./chaos-places.ts";

type SessionEnd =
  | { readonly kind: "done"; readonly commit: string }
  | { readonly kind: "failed"; readonly status: number | null }
  | { readonly kind: "cancelled" | "stopped" };

/** Runs the script of a job. What ends it early: a request, the loss of the claim, or the end of the worker. */
export async function runSession(claim: Claim, places: ChaosPlaces, stop: AbortSignal): Promise<SessionEnd> {
  const [steps = "1", lifeline = "listening"] = claim.spec.arguments;
  const child = spawn(
    "sh",
    [
      places.session,
      join(places.locks, encodeURIComponent(claim.key)),
      places.overlaps,
      places.made,
      places.repository,
      claim.job,
      String(claim.attempt),
      steps,
      lifeline,
    ],
    { detached: true, stdio: ["pipe", "pipe", "inherit"] },
  );
  child.stdin.on("error", () => null); // It may be gone already.
  const output: Buffer[] = [];
  child.stdout.on("data", (data: Buffer) => output.push(data));
  const gone = once(child, "close");
  const process = describeProcess(child);
  const ended: { kind: "done" | "cancelled" | "stopped" } = { kind: "done" };
  const end = (kind: "cancelled" | "stopped"): void => {
    ended.kind = kind;
    void endGroup(process);
  };
  if (!(await isStarted(claim, process))) end("stopped");
  const over = new AbortController();
  for (const signal of [claim.lost, stop])
    signal.addEventListener("abort", () => end("stopped"), { signal: over.signal });
  void listen(claim, over.signal, () => end("cancelled"));
  if (stop.aborted || claim.lost.aborted) end("stopped");
  child.stdin.write("go\n");
  await gone;
  over.abort();
  await endGroup(process);
  if (ended.kind !== "done") return { kind: ended.kind };
  const commit = Buffer.concat(output).toString("utf8").trim();
  return child.exitCode === 0 ? { kind: "done", commit } : { kind: "failed", status: child.exitCode };
}

async function isStarted(claim: Claim, process: SessionProcess): Promise<boolean> {
  try {
    return (await claim.started(process)) === "recorded";
  } catch {
    return false; // The disk is full: the session has not begun.
  }
}

async function listen(claim: Claim, signal: AbortSignal, onCancel: () => void): Promise<void> {
  for await (const ask of claim.asked(signal)) if (ask === "cancel") onCancel();
}

function describeProcess({ pid = 0 }: ChildProcess): SessionProcess {
  const boot = readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim();
  return { pid, birth: readStat(pid)?.birth ?? "gone", boot };
}

/** Ends a group by its leader, and answers once nobody of it is left. Another process with the same number is not meant. */
export async function endGroup({ pid, birth }: SessionProcess): Promise<void> {
  for (;;) {
    const leader = readStat(pid);
    if (leader !== null && leader.birth !== birth) return;
    if (!listGroup(pid)) return;
    try {
      process.kill(-pid, "SIGKILL");
    } catch {
      // It went just now.
    }
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

/** Whether a living process belongs to the group. */
function listGroup(group: number): boolean {
  return readdirSync("/proc").some((name) => {
    const stat = /^\d+$/.test(name) ? readStat(Number(name)) : null;
    return stat?.group === group && !stat.isZombie;
  });
}

function readStat(pid: number): { readonly birth: string; readonly group: number; readonly isZombie: boolean } | null {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, "latin1");
    const fields = text.slice(text.lastIndexOf(")") + 2).split(" ");
    return { birth: fields[19] ?? "", group: Number(fields[2]), isZombie: ["Z", "X"].includes(fields[0] ?? "") };
  } catch {
    return null;
  }
}
