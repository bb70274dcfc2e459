/** The records of a redo log: each is a line about a file, its bytes, and a newline. */
import { hash } from "node:crypto";
import { lstatSync, readFileSync } from "node:fs";
import * as v from "valibot";
import { parseWith } from "../base/schema-error.ts";
import { parseJson } from "./parse-json.ts";
import { readNow } from "./read-now.ts";

const FORMAT = "relais-redo-1";
export const UNKNOWN_BOOT = "-";
const NEWLINE = 0x0a;

/** The first line of a log that was begun after this start of the machine. */
export function renderLogHeader(boot: string): string {
  return `${FORMAT} ${boot}\n`;
}

const RedoRecord = v.strictObject({
  /** Relative to the state directory. */
  path: v.pipe(
    v.string(),
    v.check((path) => path.split("/").every((part) => !["", ".", ".."].includes(part))),
  ),
  mode: v.pipe(v.number(), v.integer()),
  size: v.pipe(v.number(), v.integer(), v.minValue(0)),
  /** Null where earlier records of this path, and of everything below it, do not count any more. */
  sha256: v.nullable(v.string()),
});
type RedoRecord = v.InferOutput<typeof RedoRecord>;

/** Of a file with these bytes; null for one whose earlier records do not count any more. */
export function renderRecord({ path, mode }: Pick<RedoRecord, "path" | "mode">, data: Buffer | null): Buffer {
  const sha256 = data === null ? null : hash("sha256", data);
  const record: RedoRecord = { path, mode, size: data?.length ?? 0, sha256 };
  return Buffer.concat([Buffer.from(`${JSON.stringify(record)}\n`), data ?? Buffer.alloc(0), Buffer.from("\n")]);
}

export interface RedoFile {
  readonly mode: number;
  readonly data: Buffer;
}

interface ReadLog {
  readonly boot: string;
  /** The last content of each path. */
  readonly files: ReadonlyMap<string, RedoFile>;
  /** Where the last whole record ends. */
  readonly end: number;
  readonly size: number;
}

/** Null where there is no log. */
export function readLog(log: string): ReadLog | null {
  if (lstatSync(log, { throwIfNoEntry: false })?.isFile() !== true) return null;
  const bytes = readFileSync(log);
  const headerEnd = bytes.indexOf("\n") + 1;
  const boot = new RegExp(`^${FORMAT} (\\S+)\n$`).exec(bytes.toString("latin1", 0, headerEnd))?.[1];
  if (boot === undefined) return { boot: UNKNOWN_BOOT, files: new Map(), end: 0, size: bytes.length };
  return { boot, ...readRecords(bytes, headerEnd), size: bytes.length };
}

/** Where the last whole record ends, of those that were added after `from`, where one begins. */
export function findLogEnd(log: string, { from, size }: { readonly from: number; readonly size: number }): number {
  const added = readNow(log, { bytesMax: size - from, isTail: true });
  return added === null ? from : from + readRecords(added, 0).end;
}

/** A record that was cut off, and everything after it, does not count. */
function readRecords(bytes: Buffer, start: number): Pick<ReadLog, "files" | "end"> {
  const files = new Map<string, RedoFile>();
  let end = start;
  while (end < bytes.length) {
    const lineEnd = bytes.indexOf("\n", end) + 1;
    const record = parseRecord(bytes.toString("utf8", end, lineEnd));
    const next = record === null ? 0 : lineEnd + record.size + 1;
    if (record === null || next > bytes.length || bytes[next - 1] !== NEWLINE) break;
    putRecord(files, record, bytes.subarray(lineEnd, next - 1));
    end = next;
  }
  return { files, end };
}

function putRecord(files: Map<string, RedoFile>, { path, mode, sha256 }: RedoRecord, data: Buffer): void {
  if (sha256 === null) {
    for (const known of files.keys()) if (known === path || known.startsWith(`${path}/`)) files.delete(known);
  } else if (hash("sha256", data) === sha256) files.set(path, { mode, data });
}

function parseRecord(line: string): RedoRecord | null {
  const parsed = parseWith(RedoRecord, parseJson(line));
  return parsed.kind === "valid" ? parsed.value : null;
}
