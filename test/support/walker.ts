/**
 * A second pair of eyes for the tests.
 *
 * The product must put a repository back exactly, so it cannot be asked whether it did. This walker shares no code with
 * a tick and is as plain as can be: it reads every directory entry by its bytes, hashes every file, leaves nothing out (the
 * git directory, ignored files and empty folders are entries like any other) and then asks git for its own opinion.
 */
import { execFileSync } from "node:child_process";
import { join } from "node:path";
import {
  compareListings,
  listUnion,
  listPlainly,
  makeVisible,
  type PlainListing,
} from "../../src/drill/plain-listing.ts";
import { gitEnvironment } from "./repositories.ts";

/** What was seen: one entry for each name, where a name is its bytes read as latin1, so that none is lost. */
export interface Walk {
  readonly entries: PlainListing;
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
  const entries = listPlainly(options.folder);
  const git = new Map<string, string>();
  for (const worktree of options.worktrees) {
    for (const [question, args] of Object.entries(GIT_QUESTIONS)) {
      git.set(`${worktree}: ${question}`, askGit(join(options.folder, worktree), args));
    }
  }
  return { entries, git };
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

/** Says in words what differs between two walks; an empty list means that they are equal. */
export function differences(before: Walk, after: Walk, options: { readonly withTimes?: boolean } = {}): string[] {
  const found = compareListings(before.entries, after.entries, options);
  for (const question of listUnion(before.git, after.git)) {
    const [old, now] = [before.git.get(question), after.git.get(question)];
    if (old !== now) found.push(`git ${question}: was ${shown(old)}, now ${shown(now)}`);
  }
  return found;
}

function shown(text: string | undefined): string {
  const flat = makeVisible((text ?? "nothing").replaceAll("\0", " | "));
  return flat.length > 600 ? `${flat.slice(0, 600)}...` : flat;
}
