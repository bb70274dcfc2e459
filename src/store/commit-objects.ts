/**
 * The objects of a commit: the base tree plus exactly the recorded paths.
 *
 * Git converts content by the attributes beside it, and a change may edit those. So the content is laid out in a folder
 * of our own, with the attributes as they were before the work began, and git adds it from there. The new objects are
 * unreachable, so nothing is visible in the repository afterwards.
 */
import { existsSync, lstatSync, mkdirSync, readFileSync, readlinkSync, writeFileSync } from "node:fs";
import { isAbsolute, join, relative } from "node:path";
import { MeasurementError } from "../base/errors.ts";
import { joinBytes, toBytePath } from "../system/byte-path.ts";
import type { FilterSettings } from "../git/filter-settings.ts";
import { DURABLE, type FilterView, findSetting, listFilterCommands, withSetting } from "../git/filter-view.ts";
import { askGit, type GitAccess, runGit } from "../git/git.ts";
import { type GitSide, listGitDifference } from "../git/git-difference.ts";
import type { Repository } from "../git/repository-layout.ts";
import { listTreePaths } from "../git/tree-listing.ts";
import { putEntries } from "./private-index.ts";
import { refuseUnfiltered } from "./workspace-commit.ts";
import { copyRecorded, isExecutable, type RecordedEntry } from "./recorded-entry.ts";
import { isFile } from "../system/read-files.ts";

export interface StageRequest {
  readonly repository: Repository;
  readonly settings: FilterSettings;
  readonly view: FilterView;
  readonly base: string;
  /** Null removes the path. */
  readonly entries: readonly RecordedEntry[];
  /** Changed attribute files as they were before; null where there was none. */
  readonly attributesBefore: ReadonlyMap<string, Buffer | null>;
}

export interface StagedTree {
  readonly tree: string;
  /** What differs from the base, by byte path; null is nothing. */
  readonly differences: ReadonlyMap<string, GitSide | null>;
}

const LIST_BYTES_MAX = 64 * 1024 * 1024;
const ATTRIBUTES = /(?:^|\/)\.gitattributes$/;

/** Stores the content and the tree, and proves that the tree differs from the base in no other path. */
export async function stageTree(request: StageRequest): Promise<StagedTree> {
  const { view, base, repository } = request;
  await run(view.access, ["read-tree", base]);
  const words = listFilterWords(view.access.env ?? {});
  const committed = await layFilterPrograms(request, words);
  try {
    return await stage(request, committed);
  } catch (error) {
    throw withUncommittedFilters(error, { root: repository.root, words, committed });
  }
}

async function stage(request: StageRequest, programs: ReadonlySet<string>): Promise<StagedTree> {
  const { view, base, entries } = request;
  const present = entries.filter(({ side }) => side !== null);
  layAttributes(request, present);
  const access = withAttributesFile(request);
  const decides = ({ path }: RecordedEntry): boolean => ATTRIBUTES.test(path) || programs.has(path);
  const plain = present.filter((entry) => !decides(entry));
  const from = toBytePath(request.repository.root);
  for (const entry of plain) copyRecorded(from, toBytePath(view.tree), entry);
  const removed = entries.filter(({ side }) => side === null);
  await updateIndex(
    view.access,
    ["--force-remove", "--stdin"],
    removed.map(({ path }) => `${path}\0`),
  );
  await updateIndex(
    access,
    ["--add", "--replace", "--stdin"],
    plain.map(({ path }) => `${path}\0`),
  );
  for (const entry of present.filter(decides)) await addAside(request, access, entry);
  const differences = await listGitDifference(view.access, { from: base, to: null });
  const expected = new Set(entries.map(({ path }) => path));
  const stray = differences.find(({ path }) => !expected.has(path));
  if (stray !== undefined) throw new MeasurementError("the commit", `would also hold ${stray.path}`);
  const tree = await run(view.access, ["write-tree"]);
  return { tree, differences: new Map(differences.map(({ path, after }) => [path, after])) };
}

/**
 * Adds a remedy to a failed commit if a filter is an uncommitted file of the working tree: filters run as the base
 * commit has them, and git would only say that the file was not found.
 */
function withUncommittedFilters(
  error: unknown,
  { root, words, committed }: { root: string; words: readonly string[]; committed: ReadonlySet<string> },
): unknown {
  if (!(error instanceof MeasurementError) || !/filter/.test(error.message)) return error;
  const missing = words.filter((word) => !committed.has(word) && isFile(join(root, word)));
  if (missing.length === 0) return error;
  const [what, it] =
    missing.length === 1 ? ["a file that is not committed", "it"] : ["files that are not committed", "them"];
  return new MeasurementError(
    "the repository's filters",
    `${missing.join(", ")}: ${what}, and filters run as the last commit has them; commit ${it} first, or name ${it} by a path outside the repository (${error.detail})`,
  );
}

function run(access: GitAccess, args: readonly string[], input?: Buffer): Promise<string> {
  return askGit({ ...access, args: [...DURABLE, ...args], input });
}

async function updateIndex(access: GitAccess, args: readonly string[], lines: readonly string[]): Promise<void> {
  if (lines.length === 0) return;
  const { stderr } = await runGit({
    ...access,
    args: [...DURABLE, "update-index", "-z", ...args],
    input: Buffer.from(lines.join(""), "latin1"),
    outputBytesMax: LIST_BYTES_MAX,
  });
  refuseUnfiltered(stderr);
}

/** A filter may be a program of the repository itself; it runs as the base has it. */
async function layFilterPrograms({ view, base }: StageRequest, words: readonly string[]): Promise<ReadonlySet<string>> {
  if (words.length === 0) return new Set();
  const files = await listTreePaths(view.access, base, words);
  if (files.length === 0) return new Set();
  const input = Buffer.from(files.map((path) => `${path}\0`).join(""), "latin1");
  await run(view.access, ["checkout-index", "-f", "-z", "--stdin"], input);
  return new Set(files);
}

/** The words of all filter commands that could be paths below the root. */
function listFilterWords(env: FilterSettings["env"]): readonly string[] {
  const words = new Set<string>();
  for (const { command } of listFilterCommands(env)) {
    for (const word of command.split(/[\s"';|&<>()]+/)) {
      const path = word.replace(/^(?:\.\/)+/, "");
      if (/^[^-/~%$.:][^%$:]*$|^\.[^./][^%$:]*$/.test(path)) words.add(path);
    }
  }
  return [...words];
}

/** The attributes that hold for the recorded paths: as they are, but for those that the change itself edited. */
function layAttributes({ repository, view, attributesBefore }: StageRequest, entries: readonly RecordedEntry[]): void {
  const root = toBytePath(repository.root);
  const tree = toBytePath(view.tree);
  const names = new Set([".gitattributes"]);
  for (const { path } of entries) {
    for (let at = path.indexOf("/"); at !== -1; at = path.indexOf("/", at + 1))
      names.add(`${path.slice(0, at)}/.gitattributes`);
  }
  for (const name of names) {
    const before = attributesBefore.get(name);
    // Where there was none an empty one is laid, because without it git would take the new one from the index.
    const content = before === undefined ? readOrdinary(joinBytes(root, name)) : (before ?? Buffer.alloc(0));
    if (content !== null) write(joinBytes(tree, name), content);
  }
}

/** The user may keep attributes for all files in a file of the repository, which the change may have edited as well. */
function withAttributesFile({ repository, settings, view, attributesBefore }: StageRequest): GitAccess {
  const configured = findSetting(settings, "core.attributesfile");
  const env = view.access.env ?? {};
  if (configured === null) return view.access;
  const path = relative(repository.root, isAbsolute(configured) ? configured : join(repository.root, configured));
  const before = attributesBefore.get(toBytePath(path));
  if (before === undefined) return view.access;
  const copy = join(view.access.gitDir, "attributes-before");
  writeFileSync(copy, before ?? "");
  return { ...view.access, env: withSetting(env, "core.attributesfile", copy) };
}

/** A file that decides about conversion also decides about itself: its new content must not replace the old one. */
async function addAside(request: StageRequest, access: GitAccess, { path, side }: RecordedEntry): Promise<void> {
  const aside = join(request.view.access.gitDir, "aside");
  mkdirSync(aside, { recursive: true });
  copyRecorded(toBytePath(request.repository.root), toBytePath(aside), { path, side });
  const absolute = joinBytes(toBytePath(aside), path);
  const isLink = side?.type === "symlink";
  const content = isLink ? readlinkSync(absolute, { encoding: "buffer" }) : readFileSync(absolute);
  const name = Buffer.from(path, "latin1").toString("utf8");
  if (toBytePath(name) !== path) throw new MeasurementError(name, "lies in a folder whose name is not UTF-8");
  const id = await run(
    access,
    ["hash-object", "-w", "--stdin", ...(isLink ? ["--no-filters"] : ["--path", name])],
    content,
  );
  const mode = isLink ? "120000" : side !== null && isExecutable(side) ? "100755" : "100644";
  await putEntries(access, [{ path, mode, id }], DURABLE);
}

function readOrdinary(path: Buffer): Buffer | null {
  return existsSync(path) && lstatSync(path).isFile() ? readFileSync(path) : null;
}

function write(path: Buffer, content: Buffer): void {
  mkdirSync(path.subarray(0, path.lastIndexOf("/")), { recursive: true });
  writeFileSync(path, content);
}
