/**
 * An observation on disk: it saves reading everything again in the next process, and recovery restores from it.
 *
 * One line per entry, tabs between fields, and a last line with the hash of all before it: a file that is cut or
 * changed is not taken for an observation.
 */
import { hash } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import type { Entry, EntryType, Manifest, Observation } from "../base/manifest.ts";
import { writeAtomic } from "../system/atomic-file.ts";
import type { RedoLog } from "../system/redo-log.ts";

const FORMAT = "relais-observation-1";
const TYPES: readonly EntryType[] = ["file", "directory", "symlink", "fifo", "socket", "device"];

export interface SavedObservation {
  readonly observation: Observation;
  /** The repository and the content store that it belongs to. */
  readonly signature: string;
}

/** Writes the observation and answers with the hash that names it. With a redo log, it is safe after its next sync. */
export async function saveObservation(path: string, saved: SavedObservation, redo?: RedoLog): Promise<string> {
  const body = renderBody(saved);
  const sha256 = computeDigest(body);
  const text = Buffer.concat([body, Buffer.from(`${sha256}\n`)]);
  if (redo === undefined) await writeAtomic(path, text, { mode: 0o600 });
  else redo.write(path, text);
  return sha256;
}

/** Few enough lines for their texts to be freed early. */
const LINES_AT_ONCE = 4096;

function renderBody({ observation, signature }: SavedObservation): Buffer {
  const { takenAt, worktree, git } = observation;
  const parts: Buffer[] = [];
  let lines = `${FORMAT}\t${takenAt}\t${worktree.size}\t${git.size}\t${signature}\n`;
  let count = 0;
  for (const manifest of [worktree, git]) {
    for (const [key, entry] of manifest) {
      lines += `${renderLine(key, entry)}\n`;
      count += 1;
      if (count % LINES_AT_ONCE !== 0) continue;
      parts.push(Buffer.from(lines, "latin1"));
      lines = "";
    }
  }
  return Buffer.concat([...parts, Buffer.from(lines, "latin1")]);
}

/** Null where there is none or it is damaged: then everything is read again. */
export function loadObservation(path: string): (SavedObservation & { readonly sha256: string }) | null {
  if (!existsSync(path)) return null;
  const bytes = readFileSync(path);
  const bodyEnd = bytes.lastIndexOf("\n", bytes.length - 2) + 1;
  const body = bytes.subarray(0, bodyEnd);
  const sha256 = computeDigest(body);
  if (bytes.toString("latin1", bodyEnd) !== `${sha256}\n`) return null;
  const read = readBody(body.toString("latin1"));
  return read === null ? null : { ...read, sha256 };
}

const HEADER = /^(?<format>[^\t]*)\t(?<takenAt>\d+(?:\.\d+)?)\t(?<worktree>\d+)\t(?<git>\d+)\t(?<signature>.*)$/s;

function readBody(body: string): SavedObservation | null {
  const headerEnd = body.indexOf("\n");
  const header = HEADER.exec(body.slice(0, Math.max(0, headerEnd)))?.groups;
  if (header === undefined || header["format"] !== FORMAT) return null;
  const worktree = parseManifest(body, headerEnd + 1, Number(header["worktree"]));
  const git = worktree && parseManifest(body, worktree.end, Number(header["git"]));
  if (worktree === null || git === null || git.end !== body.length) return null;
  const takenAt = Number(header["takenAt"]);
  const observation = { takenAt, worktree: worktree.manifest, git: git.manifest };
  return { observation, signature: header["signature"] ?? "" };
}

function renderLine(path: string, entry: Entry): string {
  const { type, mode, size, owner, hardLinks, stamp, id, target } = entry;
  const fields = `${TYPES.indexOf(type)}\t${mode}\t${size}\t${owner}\t${hardLinks}\t${stamp}\t${id ?? "-"}`;
  return `${fields}\t${escapeText(path)}\t${target === null ? "" : escapeText(target)}`;
}

/** Type, mode, size, owner, hard links, stamp, id, path, target. Groups without names, for speed. */
const LINE = /([0-5])\t(\d+)\t(\d+)\t([^\t\n]*)\t(\d+)\t([^\t\n]*)\t([^\t\n]+)\t([^\t\n]*)\t([^\t\n]*)\n/y;

/** Null for a line that is never written like this, and for a path that occurs twice. */
function parseManifest(
  body: string,
  start: number,
  count: number,
): { readonly manifest: Manifest; readonly end: number } | null {
  const manifest = new Map<string, Entry>();
  let end = start;
  for (let line = 0; line < count; line += 1) {
    LINE.lastIndex = end;
    const fields = LINE.exec(body);
    if (fields === null) return null;
    manifest.set(unescapeText(fields[8] ?? ""), parseEntry(fields));
    end = LINE.lastIndex;
  }
  return manifest.size === count ? { manifest, end } : null;
}

function parseEntry(fields: readonly string[]): Entry {
  const [, kind, mode, size, owner = "", hardLinks, stamp = "", id = "-", , target = ""] = fields;
  const type = TYPES[Number(kind)] ?? "file";
  return {
    type,
    mode: Number(mode),
    size: Number(size),
    owner,
    hardLinks: Number(hardLinks),
    stamp,
    id: id === "-" ? null : id,
    target: type === "symlink" ? unescapeText(target) : null,
    forced: false,
  };
}

const SPECIAL = /[\\\t\n]/;
const ESCAPES: Readonly<Record<string, string>> = { "\\": "\\\\", "\t": "\\t", "\n": "\\n" };
const PLAIN: Readonly<Record<string, string>> = { "\\\\": "\\", "\\t": "\t", "\\n": "\n" };

function escapeText(text: string): string {
  if (!SPECIAL.test(text)) return text;
  return text.replaceAll(/[\\\t\n]/g, (character) => ESCAPES[character] ?? character);
}

function unescapeText(text: string): string {
  return text.includes("\\") ? text.replaceAll(/\\[\\tn]/g, (pair) => PLAIN[pair] ?? pair) : text;
}

function computeDigest(body: Buffer): string {
  return hash("sha256", body);
}
