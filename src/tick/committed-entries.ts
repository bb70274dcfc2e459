/**
 * What a person had not committed, as the base commit has it: through the filters of the repository, in the content store,
 * so that checks can run on what a commit of the change would hold.
 */
import type { Entry } from "../base/manifest.ts";
import type { Evidence } from "../records/evidence.ts";
import { decodeChangePath } from "../evidence/change-bytes.ts";
import { listAbove } from "../evidence/pure/rewind.ts";
import { keepEntries } from "../store/content-store.ts";
import { layOutPaths } from "../store/workspace-commit.ts";
import { joinBytes, toBytePath } from "../system/byte-path.ts";
import { readNames } from "../system/read-names.ts";
import { withPrivateFolder } from "../system/private-folder.ts";
import { findEntryAt } from "../system/walk.ts";
import { openFilterView } from "../git/filter-view.ts";
import { withObjects } from "../git/git-objects.ts";
import { listTree } from "../git/tree-listing.ts";
import type { StateIn } from "./pure/tick-state.ts";
import type { RunningTick } from "./running-tick.ts";

const SUBMODULE = "160000";

/** Of the paths that the change leaves alone. Empty where everything was committed. */
export async function readCommittedEntries(
  {
    tick: { signal },
    where: { repository, store, runDirectory, place },
    pinned: { settings, uncommitted },
  }: RunningTick,
  { base: { base_commit: commit } }: StateIn<"verify">,
  { changes }: Evidence,
): Promise<ReadonlyMap<string, Entry | null>> {
  if (uncommitted.length === 0) return new Map();
  const changed = new Set(changes.map(decodeChangePath));
  const paths = uncommitted.filter((path) => !changed.has(path));
  return withPrivateFolder(runDirectory, async (folder) => {
    const objectFormat = commit.length === 64 ? "sha256" : "sha1";
    const view = await openFilterView({ repository, settings, folder, objectFormat, signal });
    const tree = await withObjects(view.access, (read) => listTree(read, commit));
    const modes = new Map(tree.map(({ path, mode }) => [path, mode]));
    const present = paths.filter((path) => modes.has(path) && modes.get(path) !== SUBMODULE);
    await layOutPaths(view, commit, present);
    const gone = [...paths.filter((path) => !modes.has(path)), ...listEmptied(place.tree, paths, modes)];
    const [root, here] = [toBytePath(view.tree), toBytePath(place.tree)];
    const isFolder = (path: string): boolean => findEntryAt(here, path)?.type === "directory";
    const folders = present.flatMap(listAbove).filter((path) => !isFolder(path));
    return keepEntries(store, root, [
      ...gone.map((path) => [path, null] as const),
      ...folders.map((path) => readLaidOut({ root, path, mode: FOLDER_MODE })),
      ...present.map((path) =>
        readLaidOut({ root, path, mode: modes.get(path) === "100755" ? PROGRAM_MODE : FILE_MODE }),
      ),
    ]);
  });
}

/** The folders that hold nothing but paths that no commit has: it has no such folder either. */
function listEmptied(
  tree: string,
  paths: readonly string[],
  committed: ReadonlyMap<string, unknown>,
): readonly string[] {
  const known = new Set([...committed.keys()].flatMap(listAbove));
  const gone = new Set(paths.filter((path) => !committed.has(path)));
  const folders = new Set([...gone].flatMap(listAbove).filter((path) => !known.has(path)));
  // The deepest first.
  for (const folder of [...folders].toSorted((one, other) => other.length - one.length)) {
    const names = readNames(joinBytes(toBytePath(tree), folder)) ?? new Set();
    if ([...names].every((name) => gone.has(`${folder}/${name}`))) gone.add(folder);
  }
  return [...folders].filter((folder) => gone.has(folder));
}

const FOLDER_MODE = 0o755;
const PROGRAM_MODE = 0o755;
const FILE_MODE = 0o644;

interface LaidOut {
  readonly root: string;
  readonly path: string;
  /** The folder of the view is private. */
  readonly mode: number;
}

function readLaidOut({ root, path, mode }: LaidOut): readonly [string, Entry | null] {
  const entry = findEntryAt(root, path);
  return [path, entry === null || entry.type === "symlink" ? entry : { ...entry, mode }];
}
