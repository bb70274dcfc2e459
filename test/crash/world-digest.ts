/** Whether two copies of a box are the same, byte by byte or but for what no two runs have in common. */
import { createHash } from "node:crypto";
import { lstatSync, readdirSync, readFileSync, readlinkSync } from "node:fs";
import { join } from "node:path";

/** One text for the same names, types, modes, owners and content. Times do not count: a copy has its own. */
export function digestExactly(box: string): string {
  return digest(box, { nameOf: (name) => name, contentOf: (_, content) => content });
}

/**
 * The same, but in what relais keeps for itself no moment, duration, id, process number or hash counts, nor its object store, its
 * redo log and what it remembers to be quick. The repository counts as it is.
 */
export function digestLoosely(box: string): string {
  return digest(box, {
    nameOf: (name) => (isOwn(name) ? (IGNORED.test(name) ? null : loosen(name)) : name),
    contentOf: (name, content) => (isOwn(name) ? (REMEMBERED.test(name) ? "" : loosen(content)) : content),
  });
}

const IGNORED = /\/judge\.git\/objects\//;
const REMEMBERED = /\/(?:redo\.log|redo\.whole|history\.json|status\.json|summary\.json)$/;
const isOwn = (name: string): boolean => name.startsWith("state/") || name.startsWith("place/repo/relais/");

function loosen(text: string): string {
  return text
    .replaceAll(/\d{8}T\d{6}Z-[0-9a-f]{8}|\d{4}-\d\d-\d\dT[\d:.]+Z|\b[0-9a-f]{8,}\b/g, "*")
    .replaceAll(/("(?:\w*pid|\w*_ms|\w*seconds|process_start|bytes|size)"):\s?"?[\d.]+"?/g, "$1:*")
    .replaceAll(/\b\d+(?:\.\d+)? (?:s|ms)\b/g, "*");
}

interface Reading {
  /** Null for what does not count. */
  readonly nameOf: (name: string) => string | null;
  readonly contentOf: (name: string, content: string) => string;
}

function digest(box: string, { nameOf, contentOf }: Reading): string {
  const parts: string[] = [];
  const visit = (name: string): void => {
    const path = join(box, name);
    const stat = lstatSync(path);
    const shown = nameOf(name);
    if (shown === null) return;
    const link = stat.isSymbolicLink() ? readlinkSync(path) : "";
    const content = stat.isFile() ? contentOf(name, readFileSync(path, "latin1")) : link;
    const hash = createHash("sha256").update(content, "latin1").digest("hex");
    parts.push(`${shown}\0${stat.mode} ${stat.uid} ${stat.rdev}\0${hash}`);
    if (stat.isDirectory()) for (const child of readdirSync(path)) visit(name === "" ? child : `${name}/${child}`);
  };
  visit("");
  return createHash("sha256").update(parts.toSorted().join("\n"), "latin1").digest("hex");
}
