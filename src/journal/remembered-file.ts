/**
 * What a command leaves in the state directory so that the next one need not read a long journal.
 *
 * It is only a cache. It holds for one version of relais and for one journal: who changes the journal changes its inode,
 * its size or its times, and then everything is read. The file has its content twice, so that half a file is none.
 */
import { removeQuietly } from "../system/remove-quietly.ts";
import { lstatSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { readNow } from "../system/read-files.ts";

/** Put in place by the build. */
declare const RELAIS_VERSION: string | undefined;

const BYTES_MAX = 8 * 1024 * 1024;
/** Raised with every change of what is remembered, or of what a fold of the journal means. */
const FORM = 5;
const WRITER = `${typeof RELAIS_VERSION === "string" ? RELAIS_VERSION : "source"} ${FORM}`;

interface Remembered {
  readonly text: string;
  /** The fingerprint of the journal. */
  readonly journal: string | null;
}

/** Inode, size and times of an entry; null where there is none. */
export function readFingerprint(path: string): string | null {
  const found = lstatSync(path, { bigint: true, throwIfNoEntry: false });
  if (found === undefined) return null;
  return [found.dev, found.ino, found.mode, found.size, found.mtimeNs, found.ctimeNs].join(" ");
}

export function readJournalFingerprint(stateDirectory: string): string | null {
  return readFingerprint(join(stateDirectory, "journal.jsonl"));
}

/** Null where nothing was remembered, or the journal has changed since. */
export function readRemembered(stateDirectory: string, name: string): Remembered | null {
  try {
    const journal = readJournalFingerprint(stateDirectory);
    const file = readNow(join(stateDirectory, name), { bytesMax: BYTES_MAX })?.toString("utf8") ?? "";
    const [bound, text = "", again] = file.split("\n");
    return bound === bind(journal) && text === again ? { text, journal } : null;
  } catch {
    return null;
  }
}

/** Without it everything is read, so a failure does not matter. */
export function writeRemembered(stateDirectory: string, name: string, content: object): void {
  const body = JSON.stringify(content);
  const path = join(stateDirectory, name);
  const temporary = `${path}.tmp`;
  // Not synced: after a power cut there is none, or one with two different lines.
  try {
    rmSync(temporary, { force: true });
    const bound = bind(readJournalFingerprint(stateDirectory));
    writeFileSync(temporary, `${bound}\n${body}\n${body}\n`, { mode: 0o600, flag: "wx" });
    renameSync(temporary, path);
  } catch {
    removeQuietly(temporary);
  }
}

function bind(journal: string | null): string {
  return JSON.stringify({ writer: WRITER, journal });
}
