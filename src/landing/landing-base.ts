import { shorten } from "../base/words.ts";
import { join } from "node:path";
import type { Refusal } from "../records/command-failure.ts";
import type { Task } from "../records/task.ts";
import type { Landing } from "../workflows/pure/workflow.ts";
import { decodePath } from "../base/path-names.ts";
import { type CommitIdentity, commitIdentity } from "../store/commit-identity.ts";
import type { TreeConflict } from "../store/merge-trees.ts";
import { type ContentStore, openContentStore } from "../store/content-store.ts";
import { withPrivateFolder } from "../system/private-folder.ts";
import { removeTree } from "../system/remove-files.ts";
import { type FilterSettings, readFilterSettings } from "../git/filter-settings.ts";
import type { GitAccess } from "../git/git.ts";
import { withObjects } from "../git/git-objects.ts";
import { readFileAt } from "../git/read-commit.ts";
import type { Repository } from "../git/repository-layout.ts";
import type { LockedWorkspace } from "../workspace/workspace.ts";

/** A conflict in words, short enough for a prompt. */

export interface ConflictFile {
  readonly path: string;
  /** The whole file with markers; null where there is no text to show. */
  readonly marked: string | null;
}

const FILES_MAX = 8;
const FILE_CHARS_MAX = 1500;
const MESSAGE_CHARS_MAX = 200;
const AROUND_LINES = 2;

/** The sides are called "here" and "the change". */
export function describeConflict(
  files: readonly ConflictFile[] /** Git's own sentences. */,
  messages: readonly string[],
): string {
  const shown = files.slice(0, FILES_MAX).map(describeFile);
  const rest = files.length > FILES_MAX ? [`And ${files.length - FILES_MAX} more files.`] : [];
  const said = messages.slice(0, FILES_MAX).map((message) => shorten(nameSides(message), MESSAGE_CHARS_MAX));
  return [...said, ...shown, ...rest].join("\n");
}

const SIDE_ID = /\b[0-9a-f]{40,64}\b/g;

/** Git calls the sides by the ids of commits that nobody knows. */
function nameSides(message: string): string {
  const [first] = message.match(SIDE_ID) ?? [];
  return message.replaceAll(SIDE_ID, (id) => (id === first ? "one side" : "the other side"));
}

function describeFile({ path, marked }: ConflictFile): string {
  const hunks = marked === null ? "" : pickHunks(marked);
  return hunks === "" ? `--- ${path}` : `--- ${path}\n${shortenText(hunks)}`;
}

function shortenText(text: string): string {
  return text.length <= FILE_CHARS_MAX ? text : `${text.slice(0, FILE_CHARS_MAX)}\n[cut]`;
}

/** The lines between the markers, with a few around them. */
function pickHunks(marked: string): string {
  const lines = marked.split("\n");
  const isWanted = lines.map(() => false);
  let isInside = false;
  for (const [at, line] of lines.entries()) {
    const isEnd = line.startsWith(">>>>>>> ");
    if (line.startsWith("<<<<<<< ")) isInside = true;
    const [from, to] = isInside ? [at - AROUND_LINES, at + (isEnd ? AROUND_LINES : 0)] : [0, -1];
    for (let near = Math.max(0, from); near <= to; near++) isWanted[near] = true;
    if (isEnd) isInside = false;
  }
  return lines
    .filter((_, at) => isWanted[at])
    .map((line) => line.replace(/^<<<<<<< .*$/, "<<<<<<< here").replace(/^>>>>>>> .*$/, ">>>>>>> the change"))
    .join("\n");
}

/** What both ways to prepare a landing need, and how they answer. */

export interface LandingBase {
  readonly repository: Repository;
  readonly store: ContentStore;
  readonly settings: FilterSettings;
  readonly identity: CommitIdentity;
  /** Of the tick that lands it. */
  readonly runId: string;
  /** An empty folder of our own, outside the repository. */
  readonly folder: string;
  readonly head: string;
  readonly signal: AbortSignal;
}

/** A process that was killed may have left its folder. */
export async function withLandingFolder<T>(stateDirectory: string, work: (folder: string) => Promise<T>): Promise<T> {
  const around = join(stateDirectory, "land");
  removeTree(Buffer.from(around));
  try {
    return await withPrivateFolder(around, work);
  } finally {
    removeTree(Buffer.from(around));
  }
}

export async function openLandingBase(
  { repository, stateDirectory, runId, head }: LockedWorkspace,
  folder: string,
  signal: AbortSignal,
): Promise<LandingBase> {
  const settings = await readFilterSettings(repository, signal);
  const store = await openContentStore(stateDirectory, repository.environment);
  const identity = await commitIdentity(repository, { settings, signal });
  return { repository, store, settings, identity, runId, folder, head: head.commit, signal };
}

/** The change does not fit on what is there now. Nothing was written. */
export interface LandingConflict {
  readonly kind: "conflict";
  readonly name: string;
  readonly paths: readonly string[];
  /** Both sides, short enough for a prompt. */
  readonly text: string;
  /** The task that the change was made for; null for a branch. */
  readonly task: Task | null;
  /** The job that does it again; null or absent waits for a person. */
  readonly again?: string | null;
}

export type PreparedLanding =
  | {
      readonly kind: "prepared";
      readonly landing: Landing;
      readonly subjects: readonly string[];
      /** What the saved work was made for, if it says so. */
      readonly task?: Task | undefined;
    }
  | Omit<LandingConflict, "task">
  | Refusal;

const TEXT_BYTES_MAX = 256 * 1024;

export async function explainConflict(
  access: GitAccess,
  name: string,
  { tree, paths, messages }: TreeConflict,
): Promise<Omit<LandingConflict, "task">> {
  const names = paths.map((path) => decodePath(path).text);
  const files = await withObjects(access, async (read) => {
    const found: ConflictFile[] = [];
    for (const [at, path] of paths.entries()) {
      const shown = names[at] ?? path;
      const content = await readFileAt(read, tree, path);
      const isText = content !== null && content.length <= TEXT_BYTES_MAX && !content.includes(0);
      found.push({ path: shown, marked: isText ? content.toString("utf8") : null });
    }
    return found;
  });
  return { kind: "conflict", name, paths: names, text: describeConflict(files, messages) };
}
