import { createHash } from "node:crypto";
import {
  lstatSync,
  readFileSync,
  readdirSync,
  readlinkSync,
  type Stats,
  chmodSync,
  writeFileSync,
  existsSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { makeFolders } from "../system/folders.ts";
import { setTimeout as delay } from "node:timers/promises";
import { sendSignal } from "../process/supervise-family.ts";

/**
 * Looks at everything below a folder, as plainly as can be: every entry by its bytes, every file hashed, nothing left
 * out. It shares no code with the observation of a tick on purpose, so that it can prove what a tick claims.
 */

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
export type PlainListing = ReadonlyMap<string, PlainEntry>;

/** Throws where anything cannot be read. */
export function listPlainly(folder: string): PlainListing {
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
export function compareListings(
  before: PlainListing,
  after: PlainListing,
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

/** Writes files below a folder by their relative paths; one that begins with `#!` is a program. */
export function putFiles(folder: string, files: Readonly<Record<string, string>>): void {
  for (const [name, text] of Object.entries(files)) {
    const path = join(folder, name);
    makeFolders(dirname(path));
    writeFileSync(path, text);
    if (text.startsWith("#!")) chmodSync(path, 0o755);
  }
}

/** The processes that a builder of the drill or its checks have left running. */

const LOOK_AGAIN_MS = 20;
const LOOKS_MAX = 250;

export interface Stray {
  readonly pid: number;
  readonly command: string;
}

/**
 * Processes that work in the box, carry its name in their environment, or have left their id there. One that did none of
 * these is not found, so a builder that hides leaves its id on purpose.
 */
export function findStrays(box: string): Stray[] {
  if (!existsSync("/proc/self/environ")) return [];
  const announced = new Set(readdirSync(join(box, "pids")));
  return readdirSync("/proc")
    .filter(
      (name) =>
        /^\d+$/u.test(name) && ((announced.has(name) && isYounger(name)) || belongsTo(box, name)) && isAlive(name),
    )
    .map((name) => ({ pid: Number(name), command: told(name, "cmdline").replaceAll("\0", " ") }));
}

function belongsTo(box: string, pid: string): boolean {
  return told(pid, "environ").includes(`HOSTILE=${box}\0`) || folderOf(pid).startsWith(`${box}/`);
}

/** The number of an older process was left by one that has ended. */
function isYounger(pid: string): boolean {
  return readStart(pid) >= readStart("self");
}

/** When it started, in ticks of the clock since the boot: the twentieth field behind the name. */
function readStart(pid: string): number {
  const stat = told(pid, "stat");
  return Number(stat.slice(stat.lastIndexOf(")") + 2).split(" ")[19] ?? 0);
}

/** One that has ended and was not yet waited for does nothing any more. */
function isAlive(pid: string): boolean {
  return !/^\d+ \(.*\) [ZX]/su.test(told(pid, "stat")) && told(pid, "stat") !== "";
}

function told(pid: string, about: string): string {
  try {
    return readFileSync(`/proc/${pid}/${about}`, "latin1");
  } catch {
    return ""; // It ended meanwhile, or it is somebody else's.
  }
}

function folderOf(pid: string): string {
  try {
    return readlinkSync(`/proc/${pid}/cwd`);
  } catch {
    return "";
  }
}

/** Ends what is left, so that no builder disturbs another one. Answers with what there was. */
export async function endStrays(box: string): Promise<readonly Stray[]> {
  const found = findStrays(box);
  for (let looks = 0, left = found; left.length > 0 && looks < LOOKS_MAX; left = findStrays(box), looks += 1) {
    for (const { pid } of left) sendSignal(pid, "SIGKILL");
    await delay(LOOK_AGAIN_MS);
  }
  return found;
}
