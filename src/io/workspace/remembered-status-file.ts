/** The file of the remembered status, in the state directory. It holds everything twice, so that half a file is none. */
import { lstatSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { REMEMBERED_VERSION, type RememberedStatus } from "../../contract/answers/remembered-status.ts";
import { readNow } from "../files/read-now.ts";

const BYTES_MAX = 4 * 1024 * 1024;

const locate = (stateDirectory: string): string => join(stateDirectory, "status.json");

/** Inode, size and times of the journal: who changes it changes them. Null where there is none. */
export function fingerprintJournal(stateDirectory: string): string | null {
  const found = lstatSync(join(stateDirectory, "journal.jsonl"), { bigint: true, throwIfNoEntry: false });
  if (found === undefined || !found.isFile()) return null;
  return [found.dev, found.ino, found.size, found.mtimeNs, found.ctimeNs].join(" ");
}

/** Null where nothing was remembered, or the journal has changed since. */
export function readRememberedStatus(stateDirectory: string): RememberedStatus | null {
  try {
    const text = readNow(locate(stateDirectory), { bytesMax: BYTES_MAX })?.toString("utf8") ?? "";
    const [body = "", again = ""] = text.split("\n");
    if (body !== again) return null;
    const remembered: RememberedStatus = JSON.parse(body);
    const isCurrent =
      remembered.version === REMEMBERED_VERSION && remembered.journal === fingerprintJournal(stateDirectory);
    return isCurrent ? remembered : null;
  } catch {
    return null;
  }
}

/** Without it everything is read, so a failure does not matter. */
export function writeRememberedStatus(stateDirectory: string, remembered: RememberedStatus): void {
  const body = JSON.stringify(remembered);
  const path = locate(stateDirectory);
  const temporary = `${path}.tmp`;
  // Not synced: after a power cut there is none, or one with two different lines.
  try {
    rmSync(temporary, { force: true });
    writeFileSync(temporary, `${body}\n${body}\n`, { mode: 0o600, flag: "wx" });
    renameSync(temporary, path);
  } catch {
    rmSync(temporary, { force: true });
  }
}
