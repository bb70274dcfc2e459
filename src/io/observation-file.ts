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
  const end = text.lastIndexOf("\n", text.length - 2) + 1;
  const body = text.slice(0, end);
  const sha256 = digest(body);
  if (text.slice(end).trim() !== sha256) return null;
  const lines = body.split("\n");
  const [format, takenAt, worktreeSize, gitSize, signature] = (lines[0] ?? "").split("\t");
  if (format !== FORMAT || signature === undefined) return null;
  const split = 1 + Number(worktreeSize);
  const worktree = manifestOf(lines.slice(1, split));
  const git = manifestOf(lines.slice(split, split + Number(gitSize)));
  return { observation: { takenAt: Number(takenAt), worktree, git }, signature, sha256 };
}

function lineOf(path: string, entry: Entry): string {
  const { type, mode, size, owner, hardLinks, stamp, id, target } = entry;
  const fields = [TYPES.indexOf(type), mode, size, owner, hardLinks, stamp, id ?? "-"];
  return `${fields.join("\t")}\t${escaped(path)}\t${target === null ? "" : escaped(target)}`;
}

function manifestOf(lines: readonly string[]): Manifest {
  const manifest = new Map<string, Entry>();
  for (const line of lines) {
    const [type, mode, size, owner, hardLinks, stamp, id, path, target] = line.split("\t");
    const kind = TYPES[Number(type)] ?? "file";
    manifest.set(unescaped(path ?? ""), {
      type: kind,
      mode: Number(mode),
      size: Number(size),
      owner: owner ?? "",
      hardLinks: Number(hardLinks),
      stamp: stamp ?? "",
      id: id === "-" ? null : (id ?? null),
      target: kind === "symlink" ? unescaped(target ?? "") : null,
      forced: false,
    });
  }
  return manifest;
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
