/**
 * Which of git's data stays as it is when a change is merged.
 *
 * A merge restores git's data from before the build, so nothing that a gate let pass by its name outlives it:
 * neither staged content nor objects. Two things are not the builder's. Remote-tracking refs move when an
 * editor fetches in the background, and other people use other worktrees. Those stay, and with them the
 * objects that were added meanwhile, since they may refer to them. An object stays only if it is what its name says.
 */
import type { Entry, Manifest } from "../base/manifest.ts";
import { compareManifests, type Difference } from "./pure/compare-manifests.ts";
import { classifyGitPath } from "../records/git-area.ts";
import { isOrdinary } from "./pure/ordinary-entry.ts";
import { joinBytes, toBytePath } from "../system/byte-path.ts";
import type { ContentStore } from "../store/content-store.ts";
import { isGenuineLoose, isGenuinePack } from "../git/genuine-object.ts";
import type { Repository } from "../git/repository-layout.ts";
import { readContentTexts } from "./content-texts.ts";
import { readIndexEntries, isIndexPart, isIndexPath } from "./index-changes.ts";
import { findOwnGitPrefix } from "./pure/own-git-prefix.ts";

export interface KeptQuestion {
  readonly repository: Repository;
  readonly store: ContentStore;
  readonly before: Manifest;
  readonly now: Manifest;
}

export interface KeptGitData {
  readonly paths: ReadonlySet<string>;
  /** Objects whose content does not match their name. */
  readonly forged: ReadonlySet<string>;
  /** Genuine new packs that go with the change: git stages a large file in a pack of its own. */
  readonly staged: ReadonlySet<string>;
}

const LOOSE = /(?:^|\/)objects\/([0-9a-f]{2})\/([0-9a-f]{38}|[0-9a-f]{62})$/;
const PACK = /^(?<stem>(?:.*\/)?objects\/pack\/pack-(?:[0-9a-f]{40}|[0-9a-f]{64}))\.(?<part>pack|idx|promisor)$/s;

/** Not a promisor pack, which belongs to a fetch. */
const OWN_PACK = /^objects\/pack\/pack-(?:[0-9a-f]{40}|[0-9a-f]{64})\.(?:pack|idx)$/;

export async function chooseKeptGitData(question: KeptQuestion): Promise<KeptGitData> {
  const { before, now } = question;
  const added = compareManifests(before, now).filter(
    (difference) => difference.after?.type === "file" && isOrdinary({ ...difference, gitFolder: before.get("") }),
  );
  const fetched = added.filter(isFetched).filter(({ path }) => fitsInto(before, path));
  const others = await listOtherWorktreeChanges(question, added);
  const paths = new Set([...fetched, ...others].map(({ path }) => path));
  const forged = new Set<string>();
  const staged = new Set<string>();
  const isStaying = paths.size > 0;
  const objects = added.filter(({ before: was }) => was === null).map(({ path }) => path);
  const isGenuine = makeGenuineTest(question);
  for (const path of objects) {
    if (isStaying && (LOOSE.test(path) || (fetched.length > 0 && PACK.test(path))))
      ((await isGenuine(path)) ? paths : forged).add(path);
    else if (OWN_PACK.test(path) && (await isGenuine(path))) staged.add(path);
  }
  return { paths, forged, staged };
}

/** The target of a merge: git's data as before, plus the kept paths and their folders. */
export function withKept({ before, now }: KeptQuestion, { paths }: KeptGitData): Manifest {
  const target = new Map<string, Entry>(before);
  for (const path of paths) {
    for (let at = path.length; at > 0; at = path.lastIndexOf("/", at - 1)) {
      const place = path.slice(0, at);
      const entry = now.get(place);
      if (entry !== undefined && (at === path.length || !target.has(place))) target.set(place, entry);
    }
  }
  return target;
}

function isFetched({ path, before }: Difference): boolean {
  return classifyGitPath(path, before === null ? "added" : "modified") === "remote_refs";
}

/** A ref cannot stay below a name that was a ref itself. */
function fitsInto(before: Manifest, path: string): boolean {
  for (let at = path.lastIndexOf("/"); at > 0; at = path.lastIndexOf("/", at - 1)) {
    if ((before.get(path.slice(0, at))?.type ?? "directory") !== "directory") return false;
  }
  return (before.get(path)?.type ?? "file") === "file";
}

/** The traces of honest commands in other worktrees. No honest command leaves an unreadable index. */
async function listOtherWorktreeChanges(
  question: KeptQuestion,
  added: readonly Difference[],
): Promise<readonly Difference[]> {
  const own = findOwnGitPrefix(question.repository);
  const isOther = (path: string): boolean => {
    if (path.startsWith("worktrees/")) return own === "" || !path.startsWith(own);
    return own !== "" && /^(index|ORIG_HEAD|COMMIT_EDITMSG)$/.test(path);
  };
  const left = added.filter(
    ({ path }) => isOther(path) && (isIndexPath(path) || classifyGitPath(path, "modified") === "noise"),
  );
  const indexes = new Set(left.map(({ path }) => path).filter((path) => isIndexPath(path)));
  if (indexes.size === 0) return left;
  const { store, repository, now } = question;
  const folder = toBytePath(repository.commonDir);
  const texts = await readContentTexts(store, folder, [now], isIndexPart);
  return left.filter(({ path }) => {
    if (!indexes.has(path)) return true;
    try {
      return readIndexEntries(path, now, texts) !== null;
    } catch {
      return false;
    }
  });
}

/** Tests whether a new object matches its name. Each pack is verified once for all of its files. */
function makeGenuineTest({ repository, store, before, now }: KeptQuestion): (path: string) => Promise<boolean> {
  const packs = new Map<string, Promise<boolean>>();
  const access = { gitDir: store.gitDir, cwd: store.gitDir, environment: store.environment };
  const absolute = (path: string): Buffer => joinBytes(toBytePath(repository.commonDir), path);
  const isPack = async (stem: string): Promise<boolean> => {
    if (!now.has(`${stem}.idx`) || !now.has(`${stem}.pack`)) return false;
    const known = packs.get(stem) ?? isGenuinePack(absolute(`${stem}.idx`).toString("utf8"), access);
    packs.set(stem, known);
    return known;
  };
  return async (path) => {
    const id = parseLooseId(path);
    if (id !== null) return isGenuineLoose(absolute(path), id);
    const { stem = "", part } = PACK.exec(path)?.groups ?? {};
    // Only a repository that was promised objects before may be promised more.
    const isAllowed = part !== "promisor" || [...before.keys()].some((name) => name.endsWith(".promisor"));
    return isAllowed && isPack(stem);
  };
}

function parseLooseId(path: string): string | null {
  const match = LOOSE.exec(path);
  return match === null ? null : `${match[1] ?? ""}${match[2] ?? ""}`;
}
