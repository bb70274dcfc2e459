/**
 * Looks at everything below a folder, as plainly as can be: every entry by its bytes, every file hashed, nothing left
 * out. It shares no code with the observation of a tick on purpose, so that it can prove what a tick claims.
 */
import { createHash } from "node:crypto";
import { lstatSync, readFileSync, readdirSync, readlinkSync, type Stats } from "node:fs";

export interface PlainEntry {
  readonly type: string;
  /** All twelve permission bits, in octal. */
  readonly mode: string;
  readonly owner: string;
  /** Digest of a file's bytes, or of the text of a link; empty for everything else. */
  readonly digest: string;
  readonly mtimeNs: string;
}

/** One entry for each name, where a name is its bytes read as latin1, so that none is lost. */
export type PlainLook = ReadonlyMap<string, PlainEntry>;

/** Throws where anything cannot be read. */
export function lookPlainly(folder: string): PlainLook {
  const entries = new Map<string, PlainEntry>();
  visit(Buffer.from(folder), Buffer.from("."), entries);
  return entries;
}

const SLASH = Buffer.from("/");

function visit(path: Buffer, name: Buffer, entries: Map<string, PlainEntry>): void {
  const stat = lstatSync(path, { bigint: true });
  const plain = lstatSync(path);
  const type = typeOf(plain);
  entries.set(name.toString("latin1"), {
    type,
    mode: (plain.mode & 0o7777).toString(8).padStart(4, "0"),
    owner: `${plain.uid}:${plain.gid}`,
    digest: digestOf(type, path),
    mtimeNs: String(stat.mtimeNs),
  });
  // The kernel closes the work folder of an overlay; whatever closes another folder changes its mode.
  const isClosed = (plain.mode & 0o700) === 0 && process.getuid?.() !== 0;
  if (type !== "directory" || isClosed) return;
  for (const child of readdirSync(path, { encoding: "buffer" })) {
    visit(Buffer.concat([path, SLASH, child]), Buffer.concat([name, SLASH, child]), entries);
  }
}

function typeOf(stat: Stats): string {
  if (stat.isFile()) return "file";
  if (stat.isDirectory()) return "directory";
  if (stat.isSymbolicLink()) return "link";
  if (stat.isFIFO()) return "fifo";
  if (stat.isSocket()) return "socket";
  return "device";
}

function digestOf(type: string, path: Buffer): string {
  if (type === "file") return sha256(readFileSync(path));
  if (type === "link") return sha256(readlinkSync(path, { encoding: "buffer" }));
  return "";
}

function sha256(bytes: Buffer): string {
  return createHash("sha256").update(bytes).digest("hex");
}

const COMPARED = ["type", "mode", "owner", "digest"] as const;

/** Says in words what differs between two looks; an empty list means that they are equal. */
export function compareLooks(
  before: PlainLook,
  after: PlainLook,
  { withTimes = false }: { readonly withTimes?: boolean } = {},
): string[] {
  return listUnion(before, after).flatMap((name) => {
    const difference = entryDifference(before.get(name), after.get(name), withTimes);
    return difference === null ? [] : [`${makeVisible(name)}: ${difference}`];
  });
}

export function listUnion(a: ReadonlyMap<string, unknown>, b: ReadonlyMap<string, unknown>): string[] {
  return [...new Set([...a.keys(), ...b.keys()])].toSorted((x, y) => (x < y ? -1 : 1));
}

function entryDifference(
  before: PlainEntry | undefined,
  after: PlainEntry | undefined,
  withTimes: boolean,
): string | null {
  if (before === undefined) return `appeared (${after?.type ?? "nothing"} ${after?.mode ?? ""})`;
  if (after === undefined) return `vanished (${before.type} ${before.mode})`;
  const fields = withTimes ? ([...COMPARED, "mtimeNs"] as const) : COMPARED;
  const parts = fields
    .filter((field) => before[field] !== after[field])
    .map((field) => (field === "digest" ? "content" : `${field} ${before[field]} -> ${after[field]}`));
  return parts.length === 0 ? null : parts.join(", ");
}

export function makeVisible(name: string): string {
  return name.replaceAll(/[^ -~]/gu, (character) => `\\x${character.charCodeAt(0).toString(16).padStart(2, "0")}`);
}
