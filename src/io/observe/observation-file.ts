/**
 * An observation on disk: it saves reading everything again in the next process, and recovery restores from it.
 *
 * One line per entry, tabs between fields, and a last line with the hash of all before it: a file that is cut or
 * changed is not taken for an observation. Of a large folder the lines are only what differs from a listing, which lies
 * beside it and is named in the first line by its hash.
 */
import { hash } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import type { Entry, EntryType, Manifest, Observation } from "../../contract/evidence/manifest.ts";
import { writeAtomic } from "../files/atomic-file.ts";
import type { RedoLog } from "../files/redo-log.ts";
import { findListedParts, type ListedChanges, makeListedManifest } from "./listed-manifest.ts";
import { isListingSaved, loadListing, removeListings, saveListing } from "./listing-file.ts";

const FORMAT = "relais-observation-1";
/** With the names of two listings behind it; `-` is none. */
const LISTED_FORMAT = "relais-observation-2";
const NO_LISTING = "-";
const TYPES: readonly EntryType[] = ["file", "directory", "symlink", "fifo", "socket", "device"];
/** Instead of a type: the listing has something there that is gone. */
const GONE = "6\t0\t0\t\t0\t\t-";

export interface SavedObservation {
  readonly observation: Observation;
  /** The repository and the content store that it belongs to. */
  readonly signature: string;
}

/** Writes the observation and answers with the hash that names it. With a redo log, it is safe after its next sync. */
export async function saveObservation(path: string, saved: SavedObservation, redo?: RedoLog): Promise<string> {
  const { worktree, git } = saved.observation;
  const parts = [await splitManifest(path, worktree), await splitManifest(path, git)] as const;
  const body = renderBody(saved, parts);
  const sha256 = computeDigest(body);
  const text = Buffer.concat([body, Buffer.from(`${sha256}\n`)]);
  if (redo === undefined) await writeAtomic(path, text, { mode: 0o600 });
  else redo.write(path, text);
  // If the power is cut before this observation is safe, the one before it has no listing, and everything is read again.
  removeListings(
    path,
    parts.map(({ listing }) => listing),
  );
  return sha256;
}

interface SavedManifest {
  /** The name of its listing. */
  readonly listing: string;
  readonly lines: ListedChanges;
}

async function splitManifest(path: string, manifest: Manifest): Promise<SavedManifest> {
  const parts = findListedParts(manifest);
  if (parts === null) return { listing: NO_LISTING, lines: manifest };
  return { listing: await saveListing(path, parts.listing), lines: parts.changes };
}

/** Whether the file and its listings are there. */
export function isObservationSaved(path: string, { worktree, git }: Observation): boolean {
  return existsSync(path) && [worktree, git].every((manifest) => isListingSaved(path, findListedParts(manifest)));
}

/** Few enough lines for their texts to be freed early. */
const LINES_AT_ONCE = 4096;

function renderBody(
  { observation: { takenAt }, signature }: SavedObservation,
  [worktree, git]: readonly [SavedManifest, SavedManifest],
): Buffer {
  const parts: Buffer[] = [];
  const listings = `${worktree.listing}\t${git.listing}`;
  const format = listings === `${NO_LISTING}\t${NO_LISTING}` ? FORMAT : `${LISTED_FORMAT}\t${listings}`;
  let lines = `${format}\t${takenAt}\t${worktree.lines.size}\t${git.lines.size}\t${signature}\n`;
  let count = 0;
  for (const saved of [worktree, git]) {
    for (const [key, entry] of saved.lines) {
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
  const read = readBody(path, body.toString("latin1"));
  return read === null ? null : { ...read, sha256 };
}

const HEADER =
  /^relais-observation-(?:1|2\t(?<worktreeListing>-|[0-9a-f]{64})\t(?<gitListing>-|[0-9a-f]{64}))\t(?<takenAt>\d+(?:\.\d+)?)\t(?<worktree>\d+)\t(?<git>\d+)\t(?<signature>.*)$/s;

function readBody(path: string, body: string): SavedObservation | null {
  const headerEnd = body.indexOf("\n");
  const header = HEADER.exec(body.slice(0, Math.max(0, headerEnd)))?.groups;
  if (header === undefined) return null;
  const { worktreeListing, gitListing, takenAt, signature = "" } = header;
  const read = (start: number, count: string | undefined, listing: string | undefined) =>
    joinManifest(path, parseLines(body, start, Number(count)), listing);
  const worktree = read(headerEnd + 1, header["worktree"], worktreeListing);
  const git = worktree && read(worktree.end, header["git"], gitListing);
  if (worktree === null || git === null || git.end !== body.length) return null;
  return { observation: { takenAt: Number(takenAt), worktree: worktree.manifest, git: git.manifest }, signature };
}

interface ParsedLines {
  readonly lines: ListedChanges;
  readonly end: number;
}

/** Without a listing, every line is an entry. */
function joinManifest(
  path: string,
  parsed: ParsedLines | null,
  name = NO_LISTING,
): { readonly manifest: Manifest; readonly end: number } | null {
  if (parsed === null) return null;
  const { lines, end } = parsed;
  if (name === NO_LISTING) return hasEntriesOnly(lines) ? { manifest: lines, end } : null;
  const listing = loadListing(path, name);
  return listing && { manifest: makeListedManifest({ listing, changes: lines }), end };
}

function hasEntriesOnly(lines: ListedChanges): lines is ReadonlyMap<string, Entry> {
  for (const entry of lines.values()) if (entry === null) return false;
  return true;
}

function renderLine(path: string, entry: Entry | null): string {
  if (entry === null) return `${GONE}\t${escapeText(path)}\t`;
  const { type, mode, size, owner, hardLinks, stamp, id, target } = entry;
  const fields = `${TYPES.indexOf(type)}\t${mode}\t${size}\t${owner}\t${hardLinks}\t${stamp}\t${id ?? "-"}`;
  return `${fields}\t${escapeText(path)}\t${target === null ? "" : escapeText(target)}`;
}

/** Type, mode, size, owner, hard links, stamp, id, path, target. Groups without names, for speed. */
const LINE = /([0-6])\t(\d+)\t(\d+)\t([^\t\n]*)\t(\d+)\t([^\t\n]*)\t([^\t\n]+)\t([^\t\n]*)\t([^\t\n]*)\n/y;

/** Null for a line that is never written like this, and for a path that occurs twice. */
function parseLines(body: string, start: number, count: number): ParsedLines | null {
  const lines = new Map<string, Entry | null>();
  let end = start;
  for (let line = 0; line < count; line += 1) {
    LINE.lastIndex = end;
    const fields = LINE.exec(body);
    if (fields === null) return null;
    lines.set(unescapeText(fields[8] ?? ""), parseEntry(fields));
    end = LINE.lastIndex;
  }
  return lines.size === count ? { lines, end } : null;
}

function parseEntry(fields: readonly string[]): Entry | null {
  const [, kind, mode, size, owner = "", hardLinks, stamp = "", id = "-", , target = ""] = fields;
  const type = TYPES[Number(kind)];
  if (type === undefined) return null;
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
