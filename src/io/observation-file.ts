/**
 * An observation on disk: it saves reading everything again in the next process, and it is what a crash is undone from.
 *
 * One line per entry, tabs between fields, and a last line with the hash of all before it: a file that is cut or
 * changed is not taken for an observation.
 */
import { createHash } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import type { Entry, EntryType, Manifest, Observation } from "../contract/manifest.ts";
import { writeAtomic } from "./atomic-file.ts";

const FORMAT = "relais-observation-1";
const TYPES: readonly EntryType[] = ["file", "directory", "symlink", "fifo", "socket", "device"];

export interface SavedObservation {
  readonly observation: Observation;
  /** Says for which repository and which content store it holds. */
  readonly signature: string;
}

/** Writes the observation and answers with the hash that names it. */
export async function saveObservation(path: string, saved: SavedObservation): Promise<string> {
  const { takenAt, worktree, git } = saved.observation;
  const lines = [`${FORMAT}\t${takenAt}\t${worktree.size}\t${git.size}\t${saved.signature}`];
  for (const manifest of [worktree, git]) for (const [key, entry] of manifest) lines.push(lineOf(key, entry));
  const body = `${lines.join("\n")}\n`;
  const sha256 = digest(body);
  await writeAtomic(path, Buffer.from(`${body}${sha256}\n`, "latin1"), { mode: 0o600 });
  return sha256;
}

/** The observation, or null where there is none or it is damaged: then everything is read again. */
export function loadObservation(path: string): (SavedObservation & { readonly sha256: string }) | null {
  if (!existsSync(path)) return null;
  const text = readFileSync(path, "latin1");
  const bodyEnd = text.lastIndexOf("\n", text.length - 2) + 1;
  const body = text.slice(0, bodyEnd);
  const sha256 = digest(body);
  if (text.slice(bodyEnd) !== `${sha256}\n`) return null;
  const read = readBody(body);
  return read === null ? null : { ...read, sha256 };
}

const HEADER =
  /^(?<format>[^\t]*)\t(?<takenAt>\d+(?:\.\d+)?)\t(?<worktree>\d+)\t(?<git>\d+)\t(?<signature>.*)$/s;

function readBody(body: string): SavedObservation | null {
  const lines = body.split("\n");
  const header = HEADER.exec(lines[0] ?? "")?.groups;
  if (header === undefined || header["format"] !== FORMAT) return null;
  const split = 1 + Number(header["worktree"]);
  const end = split + Number(header["git"]);
  // The last line is empty, because the body ends with a newline.
  if (end !== lines.length - 1) return null;
  const worktree = manifestOf(lines.slice(1, split));
  const git = manifestOf(lines.slice(split, end));
  if (worktree === null || git === null) return null;
  const takenAt = Number(header["takenAt"]);
  return { observation: { takenAt, worktree, git }, signature: header["signature"] ?? "" };
}

function lineOf(path: string, entry: Entry): string {
  const { type, mode, size, owner, hardLinks, stamp, id, target } = entry;
  const fields = [TYPES.indexOf(type), mode, size, owner, hardLinks, stamp, id ?? "-"];
  return `${fields.join("\t")}\t${escaped(path)}\t${target === null ? "" : escaped(target)}`;
}

const LINE =
  /^(?<type>[0-5])\t(?<mode>\d+)\t(?<size>\d+)\t(?<owner>[^\t]*)\t(?<hardLinks>\d+)\t(?<stamp>[^\t]*)\t(?<id>[^\t]+)\t(?<path>[^\t]*)\t(?<target>[^\t]*)$/;

/** Null where a line is none that is ever written, or a path occurs twice. */
function manifestOf(lines: readonly string[]): Manifest | null {
  const manifest = new Map<string, Entry>();
  for (const line of lines) {
    const groups = LINE.exec(line)?.groups;
    if (groups === undefined) return null;
    manifest.set(
      unescaped(groups["path"] ?? ""),
      entryOf((name) => groups[name] ?? ""),
    );
  }
  return manifest.size === lines.length ? manifest : null;
}

function entryOf(field: (name: string) => string): Entry {
  const type = TYPES[Number(field("type"))] ?? "file";
  return {
    type,
    mode: Number(field("mode")),
    size: Number(field("size")),
    owner: field("owner"),
    hardLinks: Number(field("hardLinks")),
    stamp: field("stamp"),
    id: field("id") === "-" ? null : field("id"),
    target: type === "symlink" ? unescaped(field("target")) : null,
    forced: false,
  };
}

const ESCAPES: Readonly<Record<string, string>> = { "\\": "\\\\", "\t": "\\t", "\n": "\\n" };
const PLAIN: Readonly<Record<string, string>> = { "\\\\": "\\", "\\t": "\t", "\\n": "\n" };

function escaped(text: string): string {
  return text.replaceAll(/[\\\t\n]/g, (character) => ESCAPES[character] ?? character);
}

function unescaped(text: string): string {
  return text.replaceAll(/\\[\\tn]/g, (pair) => PLAIN[pair] ?? pair);
}

function digest(body: string): string {
  return createHash("sha256").update(body, "latin1").digest("hex");
}
