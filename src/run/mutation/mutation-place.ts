/**
 * A place of its own for mutations: an overlay over the worktree where that works, else a copy, or the one that the
 * configuration names. The worktree itself is never changed.
 */
import { join } from "node:path";
import type { Config } from "../../contract/config/config.ts";
import type { Repository } from "../../io/git/repository-layout.ts";
import { makeCloneGitData } from "../../io/git/clone-git-data.ts";
import { toBytePath } from "../../io/files/byte-path.ts";
import { makeFolders } from "../../io/files/make-folders.ts";
import { removeTree } from "../../io/files/remove-tree.ts";
import { walk } from "../../io/observe/walk.ts";
import type { WatchedFolder } from "../../io/observe/watch-growth.ts";
import { copyTree } from "../../io/place/copy-tree.ts";
import { openMountHolder } from "../../io/place/mount-holder.ts";
import { encloseInOverlay } from "../../io/place/overlay-enclosure.ts";
import { makeLayers } from "../../io/place/place-folder.ts";
import type { Enclosure } from "../../io/process/enclosure.ts";
import { chooseIsolation } from "../evidence/choose-isolation.ts";

export interface MutationPlace {
  readonly cwd: string;
  readonly enclosure: Enclosure | null;
  /** Its root, as this process reaches it; a byte string. */
  readonly tree: string;
  /** What its programs write. */
  readonly written: WatchedFolder;
}

interface PlaceRequest {
  readonly repository: Repository;
  readonly config: Pick<Config, "isolation">;
  /** An empty folder outside of the repository. */
  readonly folder: string;
  /** Carried by the process that holds it. */
  readonly marker: string;
}

/** Answers with a sentence where there is no such place. */
export async function withMutationPlace<T>(
  request: PlaceRequest,
  use: (place: MutationPlace) => Promise<T>,
): Promise<T | string> {
  const { repository, config, folder } = request;
  // A person who lets builders work in place has not allowed mutations there.
  const isolation = config.isolation === "in_place" ? "auto" : config.isolation;
  const choice = await chooseIsolation({ isolation, repository, stateDirectory: folder });
  if (choice.isolation === "overlay") return useOverlay(request, use);
  if (choice.isolation === "clone") return use(await makeCopy(request));
  return `there is no place apart from the worktree: ${Object.values(choice.refusals).join("; ")}`;
}

async function useOverlay<T>(
  { repository: { root, commonDir }, folder, marker }: PlaceRequest,
  use: (place: MutationPlace) => Promise<T>,
): Promise<T | string> {
  makeLayers(folder, root);
  const holder = await openMountHolder({ worktree: root, layers: folder, readOnly: [commonDir], marker });
  if (holder.kind === "refused") return `the overlay was refused: ${holder.reason}`;
  try {
    const tree = toBytePath(holder.view(root));
    const written = { folder: toBytePath(join(folder, "upper")), earlier: new Map(), skipped: null };
    return await use({ cwd: root, enclosure: encloseInOverlay(holder), tree, written });
  } finally {
    await holder.close();
    // The kernel leaves a folder there that an ordinary user may not read.
    removeTree(Buffer.from(join(folder, "work")));
  }
}

async function makeCopy({ repository, folder }: PlaceRequest): Promise<MutationPlace> {
  const root = join(folder, "tree");
  makeFolders(root, 0o700);
  const [from, to] = [toBytePath(repository.root), toBytePath(root)];
  const { manifest } = walk({ folder: from, earlier: null, skipTopLevel: (name) => name === ".git", force: false });
  await copyTree({ from, to, manifest });
  await makeCloneGitData(repository, join(root, ".git"));
  return { cwd: root, enclosure: null, tree: to, written: { folder: to, earlier: manifest, skipped: ".git" } };
}
