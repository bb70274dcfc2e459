/** Repairs of a journal, for recovery only. Nothing is thrown away: unusable files stay beside it. */
import { readFile, rename } from "node:fs/promises";
import { dirname, join } from "node:path";
import { writeAtomic } from "../system/atomic-file.ts";
import { readClockMs } from "../system/clock.ts";
import { readErrorCode } from "../system/read-files.ts";
import type { JournalSurvey } from "./survey-journal.ts";

/** Restores the missing lines as they were. A file without a usable line is set aside first. */
export async function repairJournal(
  path: string,
  { missing, bytes }: Extract<JournalSurvey, { kind: "short" }>,
): Promise<void> {
  const own = bytes === 0 ? Buffer.alloc(0) : (await readFile(path)).subarray(0, bytes);
  if (bytes === 0) await setJournalAside(path);
  const lines = missing.flatMap((line) => [line, Buffer.from("\n")]);
  await writeAtomic(path, Buffer.concat([own, ...lines]), { mode: 0o600 });
}

/** Renames a damaged journal, so that a new one can begin. */
export async function setJournalAside(path: string): Promise<void> {
  try {
    await rename(path, join(dirname(path), `journal.damaged-${readClockMs()}`));
  } catch (error) {
    if (readErrorCode(error) !== "ENOENT") throw error;
  }
}
