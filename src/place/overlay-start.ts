/** What a tick in an overlay began with, and the moment by the clock of the file system. */
import { createHash } from "node:crypto";
import { join } from "node:path";
import * as v from "valibot";
import { type EntrySide, Head } from "../records/evidence.ts";
import type { Entry, Manifest } from "../base/manifest.ts";
import { decodePath } from "../base/path-text.ts";
import { toBytePath } from "../system/byte-path.ts";
import { readNow } from "../system/read-now.ts";
import type { RedoLog } from "../system/redo-log.ts";
import { readHead } from "../git/read-head.ts";
import type { Repository } from "../git/repository-layout.ts";
import { findEntryAt } from "../system/walk.ts";
import { readChangeTime } from "./tree-merge.ts";

export interface OverlayStart {
  readonly head: Head;
  /** By the clock of the file system. */
  readonly atNs: bigint;
}

const START = "start.json";
const START_BYTES_MAX = 64 * 1024;
/** Nobody knows the moment: every file may have been edited since. */
export const UNKNOWN_START: OverlayStart = { head: { text: "", commit: null }, atNs: 0n };

interface StartPlace {
  readonly folder: string;
  readonly redo: Pick<RedoLog, "write">;
}

/**
 * Answers with the hash of the file, for the journal. It is safe after the next sync of the redo log, which may write
 * the file again at another time. So the file names the moment.
 */
export async function writeOverlayStart({ folder, redo }: StartPlace, repository: Repository): Promise<string> {
  const head = await readHead(repository);
  const path = join(folder, START);
  redo.write(path, "");
  const entry = findEntryAt(toBytePath(folder), START);
  const at_ns = entry === null ? "0" : String(readChangeTime(entry));
  const text = `${JSON.stringify({ worktree: repository.root, head, at_ns })}\n`;
  redo.write(path, text);
  return hashText(text);
}

/** Null where the file is not the one of the journal. */
export function readOverlayStart(folder: string, sha256: string): OverlayStart | null {
  const entry = findEntryAt(toBytePath(folder), START);
  if (entry?.type !== "file") return null;
  const text = readNow(join(folder, START), { bytesMax: START_BYTES_MAX })?.toString("utf8") ?? "";
  if (hashText(text) !== sha256) return null;
  const { head, at_ns } = v.parse(StartFile, JSON.parse(text));
  return { head, atNs: BigInt(at_ns) };
}

function hashText(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}

const StartFile = v.object({ head: Head, at_ns: v.pipe(v.string(), v.digits()) });

/**
 * The files of the worktree that somebody edited since: they are not what the builder began with. Without an earlier
 * side, nothing ever takes the edit for its content: neither a merge nor a salvage that is applied. `known` are the
 * sides before a judged change, which the runner itself may have restored.
 */
export function listEditedSince(
  before: Manifest,
  { start, known }: { readonly start: OverlayStart | null; readonly known: ReadonlyMap<string, EntrySide | null> },
): readonly string[] {
  if (start === null) return [];
  return [...before].flatMap(([path, entry]) =>
    entry.type === "directory" || readChangeTime(entry) <= start.atNs || isKnown(entry, known.get(path)) ? [] : [path],
  );
}

function isKnown(entry: Entry, side: EntrySide | null | undefined): boolean {
  const link = entry.target === null ? null : decodePath(entry.target).text;
  return side?.type === entry.type && side.id === entry.id && side.link_target === link;
}
