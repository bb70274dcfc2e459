/** Whether two copies of a box are the same, byte by byte or but for what no two runs have in common. */
import { createHash } from "node:crypto";
import { lstatSync, readdirSync, readFileSync, readlinkSync } from "node:fs";
import { join } from "node:path";

/**
 * One text for the same names, types, modes, owners and content. Times do not count: a copy has its own. The digests of files are kept
 * by their inodes, because copies share what did not change.
 */
export function digestExactly(box: string, known: Map<number, string>): string {
  return digest(box, { nameOf: (name) => name, contentOf: (_, content) => content, known });
}

/**
 * The same, but in what relais keeps for itself no moment, duration, id, process number or hash counts, nor its object store, and
 * the content of no file that is only read by people, is not finished, or is remembered to be quick. The repository counts as it is.
 */
export function digestLoosely(box: string): string {
  return digest(box, {
    nameOf: (name) => (isOwn(name) ? (IGNORED.test(name) ? null : loosen(name)) : name),
    contentOf: (name, content) =>
      isOwn(name) ? (UNREAD.test(name) ? "" : loosen(content.replaceAll(box, ""))) : content,
  });
}

const IGNORED = /\/judge\.git\/objects\//;
/** What no later recovery or tick decides by: what is remembered, reports and logs, unfinished files, and the rest of a cut line. */
const UNREAD = new RegExp(
  [
    String.raw`/(?:redo\.log|redo\.whole|history\.json|status\.json|summary\.json)$`,
    String.raw`/relais/(?:REPORT\.\w+$|history/)`,
    String.raw`/(?:report\.(?:json|md)|(?:verify|builder)\.log|(?:diff|changes)\.patch)$`,
    String.raw`/(?:salvage|accepted|runs)/[^/]+/meta\.json$`,
    String.raw`/\.relais-[^/]+$|\.tmp$|/journal\.torn-\d+$|/rescued/`,
  ].join("|"),
);
const isOwn = (name: string): boolean => name.startsWith("state/") || name.startsWith("place/repo/relais/");

function loosen(text: string): string {
  return text
    .replaceAll(/\d{8}T\d{6}Z-[0-9a-f]{8}|\d{4}-\d\d-\d\dT[\d:.]+Z|\b[0-9a-f]{8,}\b/g, "*")
    .replaceAll(/(journal\.torn)-\d+/g, "$1-*")
    .replaceAll(/("(?:\w*pid|\w*_ms|\w*seconds|process_start|bytes|size)"):\s?"?[\d.]+"?/g, "$1:*")
    .replaceAll(/\b\d+(?:\.\d+)? (?:s|ms)\b/g, "*");
}

interface Reading {
  /** Null for what does not count. */
  readonly nameOf: (name: string) => string | null;
  readonly contentOf: (name: string, content: string) => string;
  readonly known?: Map<number, string>;
}

function digest(box: string, { nameOf, contentOf, known }: Reading): string {
  const parts: string[] = [];
  const visit = (name: string): void => {
    const path = join(box, name);
    const stat = lstatSync(path);
    const shown = nameOf(name);
    if (shown === null) return;
    const link = stat.isSymbolicLink() ? readlinkSync(path) : "";
    const read = (): string => sha256(stat.isFile() ? contentOf(name, readFileSync(path, "latin1")) : link);
    const hash = known?.get(stat.ino) ?? read();
    if (stat.isFile()) known?.set(stat.ino, hash);
    parts.push(`${shown}\0${stat.mode} ${stat.uid} ${stat.rdev}\0${hash}`);
    if (stat.isDirectory()) for (const child of readdirSync(path)) visit(name === "" ? child : `${name}/${child}`);
  };
  visit("");
  return sha256([...new Set(parts)].toSorted().join("\n"));
}

const sha256 = (text: string): string => createHash("sha256").update(text, "latin1").digest("hex");
