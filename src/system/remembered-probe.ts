/**
 * What was found to work on this machine, kept in the state directory so that the next tick need not try it again.
 *
 * Only a good answer is kept, for this start of the machine and an hour at most: what is refused may be allowed a moment
 * later. A forged one gains nothing: what does not work fails where it is used, and no program runs with fewer limits.
 */
import { createHash } from "node:crypto";
import { readFileSync, readlinkSync, statSync } from "node:fs";
import { join } from "node:path";
import { readNow } from "./read-files.ts";
import { UNSAFE } from "./redo-log.ts";
import { readClockMs } from "./clock.ts";

export interface ProbeMemory {
  readonly stateDirectory: string;
  readonly name: "overlay" | "sandbox";
}

/** What the answer depends on: it is asked again after any change. */
export interface ProbeSubject {
  readonly about: unknown;
  /** Programs, and folders by their file system. */
  readonly files: readonly string[];
}

const HOUR_MS = 3_600_000;
const BYTES_MAX = 1024;

/** Whether the same subject worked a short time ago. */
export function isKnownToWork(memory: ProbeMemory, subject: ProbeSubject): boolean {
  try {
    const text = readNow(locate(memory), { bytesMax: BYTES_MAX })?.toString("utf8") ?? "";
    const [stamp, at] = text.split("\n");
    const age = readClockMs() - Number(at);
    return stamp === computeStamp(subject) && age >= 0 && age < HOUR_MS;
  } catch {
    return false; // It is tried.
  }
}

/** A failure does not matter: it is tried again. */
export function rememberThatItWorks(memory: ProbeMemory, subject: ProbeSubject): void {
  try {
    UNSAFE.write(locate(memory), `${computeStamp(subject)}\n${readClockMs()}\n`);
  } catch {
    // As on a full disk.
  }
}

const locate = ({ stateDirectory, name }: ProbeMemory): string => join(stateDirectory, `${name}-works`);

/** A hash, because the subject may hold the environment of the person. */
function computeStamp({ about, files }: ProbeSubject): string {
  const boot = readFileSync("/proc/sys/kernel/random/boot_id", "latin1");
  const namespaces = ["user", "mnt", "pid"].map((name) => readlinkSync(`/proc/self/ns/${name}`));
  const machine = [boot, process.getuid?.(), process.getgid?.(), namespaces];
  return createHash("sha256")
    .update(JSON.stringify([machine, about, files.map(describeFile)]))
    .digest("hex");
}

function describeFile(path: string): readonly string[] {
  const stats = statSync(path, { bigint: true });
  const { dev, ino, size, mtimeNs, ctimeNs } = stats;
  return [path, ...(stats.isDirectory() ? [dev] : [dev, ino, size, mtimeNs, ctimeNs]).map(String)];
}
