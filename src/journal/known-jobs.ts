/** What this machine knows of the jobs of a shared queue: one private file each. */
import { rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { KnownJob } from "../queue/pure/job.ts";
import { listNames } from "../system/list-folders.ts";
import { readPrivate, writePrivate } from "../system/private-document.ts";

/** More than a queue lists; the oldest go. */
const KNOWN_MAX = 2000;

export async function writeKnownJob(folder: string, known: KnownJob): Promise<void> {
  await writePrivate(join(folder, `${known.job}.json`), known);
  const files = listFiles(folder);
  if (files.length <= KNOWN_MAX) return;
  const aged = files.map((file) => ({ file, at: statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0 }));
  const old = aged.toSorted((one, other) => one.at - other.at).slice(0, files.length - KNOWN_MAX);
  for (const { file } of old) rmSync(file, { force: true });
}

/** A file that cannot be read is left out. */
export async function readKnownJobs(folder: string): Promise<readonly KnownJob[]> {
  const found: KnownJob[] = [];
  for (const file of listFiles(folder)) {
    const read = await readPrivate(file, KnownJob);
    if (read.kind === "read") found.push(read.value);
  }
  return found;
}

function listFiles(folder: string): readonly string[] {
  return listNames(folder)
    .filter((name) => name.endsWith(".json"))
    .map((name) => join(folder, name));
}
