/**
 * A second pair of eyes for the tests.
 *
 * The product must put a repository back exactly, so it cannot be asked whether it did. This walker shares no code with
 * it and is as plain as can be: it reads every directory entry by its bytes, hashes every file, leaves nothing out (the
 * git directory, ignored files and empty folders are entries like any other) and then asks git for its own opinion.
 */
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { lstatSync, readFileSync, readdirSync, readlinkSync, type Stats } from "node:fs";
import { join } from "node:path";
import { gitEnvironment } from "./repositories.ts";

interface Entry {
  readonly type: string;
  /** All twelve permission bits, in octal. */
  readonly mode: string;
  readonly owner: string;
  /** Digest of a file's bytes, or of the text of a link; empty for everything else. */
  readonly digest: string;
  readonly mtimeNs: string;
}

/** What was seen: one entry for each name, where a name is its bytes read as latin1, so that none is lost. */
export interface Walk {
  readonly entries: ReadonlyMap<string, Entry>;
  readonly git: ReadonlyMap<string, string>;
}

interface WalkOptions {
  /** The folder that holds everything of interest: worktree, git directories, neighbours. */
  readonly folder: string;
  /** Folders below it in which git is asked for its view; none for a look at files only. */
  readonly worktrees: readonly string[];
}

/** Looks at everything below a folder. Throws where anything cannot be read. */
export function walk(options: WalkOptions): Walk {
  const entries = new Map<string, Entry>();
  visit(Buffer.from(options.folder), Buffer.from("."), entries);
  const git = new Map<string, string>();
  for (const worktree of options.worktrees) {
    for (const [question, args] of Object.entries(GIT_QUESTIONS)) {
      git.set(`${worktree}: ${question}`, askGit(join(options.folder, worktree), args));
    }
  }
  return { entries, git };
}

const SLASH = Buffer.from("/");

function visit(path: Buffer, name: Buffer, entries: Map<string, Entry>): void {
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

const GIT_QUESTIONS = {
  status: ["status", "--porcelain=v2", "--branch", "-z", "--ignored", "-uall"],
  refs: ["for-each-ref"],
  stash: ["stash", "list"],
  fsck: ["fsck", "--connectivity-only", "--no-dangling", "--no-progress"],
} as const satisfies Record<string, readonly string[]>;

/** A git that cannot answer is an answer too: its status and complaint are compared like any other text. */
function askGit(worktree: string, args: readonly string[]): string {
  try {
    const safe = ["-c", "safe.directory=*", "-c", "core.fsmonitor=false"];
    return execFileSync("git", [...safe, ...args], {
      cwd: worktree,
      env: { ...gitEnvironment(worktree), GIT_OPTIONAL_LOCKS: "0" },
      encoding: "latin1",
      stdio: ["ignore", "pipe", "pipe"],
      timeout: 60_000,
    });
  } catch (error) {
    return `failed: ${String(error)}`;
  }
}

const COMPARED = ["type", "mode", "owner", "digest"] as const;

/** Says in words what differs between two walks; an empty list means that they are equal. */
export function differences(
  before: Walk,
  after: Walk,
  { withTimes = false }: { readonly withTimes?: boolean } = {},
): string[] {
  const found: string[] = [];
  for (const name of union(before.entries, after.entries)) {
    const difference = entryDifference(before.entries.get(name), after.entries.get(name), withTimes);
    if (difference !== null) found.push(`${visible(name)}: ${difference}`);
  }
  for (const question of union(before.git, after.git)) {
    const [old, now] = [before.git.get(question), after.git.get(question)];
    if (old !== now) found.push(`git ${question}: was ${shown(old)}, now ${shown(now)}`);
  }
  return found;
}

function union(a: ReadonlyMap<string, unknown>, b: ReadonlyMap<string, unknown>): string[] {
  return [...new Set([...a.keys(), ...b.keys()])].toSorted((x, y) => (x < y ? -1 : 1));
}

function entryDifference(before: Entry | undefined, after: Entry | undefined, withTimes: boolean): string | null {
  if (before === undefined) return `appeared (${after?.type ?? "nothing"} ${after?.mode ?? ""})`;
  if (after === undefined) return `vanished (${before.type} ${before.mode})`;
  const fields = withTimes ? ([...COMPARED, "mtimeNs"] as const) : COMPARED;
  const parts = fields
    .filter((field) => before[field] !== after[field])
    .map((field) => (field === "digest" ? "content" : `${field} ${before[field]} -> ${after[field]}`));
  return parts.length === 0 ? null : parts.join(", ");
}

function visible(name: string): string {
  return name.replaceAll(/[^ -~]/gu, (character) => `\\x${character.charCodeAt(0).toString(16).padStart(2, "0")}`);
}

function shown(text: string | undefined): string {
  const flat = visible((text ?? "nothing").replaceAll("\0", " | "));
  return flat.length > 600 ? `${flat.slice(0, 600)}...` : flat;
}
