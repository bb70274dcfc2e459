import { hideCredentials } from "./find-credentials.ts";
import type { Entry, Manifest, Observation } from "../base/manifest.ts";
import type { Rules } from "../records/evidence.ts";
import type { Difference } from "./pure/compare-manifests.ts";
import { maskSecrets } from "./pure/secret-tokens.ts";
import { makeLikelyTest } from "../base/globs.ts";
import { decodePath } from "../base/path-names.ts";
import { toBytePath } from "../system/byte-path.ts";
import type { ContentStore } from "../store/content-store.ts";
import { readIfUnchanged, readStable } from "../system/read-stable.ts";
import type { Repository } from "../git/repository-layout.ts";
import type { TrackedFile, TrackedFiles } from "../store/tracked-files.ts";
import { findEntryAt } from "../system/walk.ts";
import { readContentTexts } from "./content-texts.ts";
import { readDiskSecrets, type ReadSecrets } from "./disk-secrets.ts";
import {
  type ContentFile,
  type FilesBefore,
  findForbiddenContent,
  type FoundContent,
  isAmongDependencies,
  isNamedAsSecret,
  listSealedGlobs,
  makeSealTest,
  readSecrets,
} from "./find-forbidden-content.ts";
import { readTracked, type TrackingStatus } from "./tracking.ts";

export interface CopyRequest {
  readonly repository: Repository;
  readonly store: ContentStore;
  readonly before: Observation;
  readonly after: Observation;
  readonly rules: Rules;
  /** Where the observation is partial: how the secrets of the worktree are read. */
  readonly readSecrets?: ReadSecrets;
  /** Takes the paths of files beside the change that are too large. */
  readonly leftOut?: Set<string>;
}

/** The content of forbidden files of T0 at changed paths, and new credentials, by path as text. */
export async function findCopiedContent(
  request: CopyRequest,
  compared: readonly Difference[],
  standing: (path: string) => TrackingStatus,
): Promise<ReadonlyMap<string, FoundContent>> {
  const changes = compared.flatMap(({ path, before, after }) => {
    const [was, is] = [nameContent(path, before), nameContent(path, after)];
    return is === null ? [] : [{ path: is.path, before: was, after: is, isIgnored: standing(path) === "ignored" }];
  });
  if (changes.length === 0) return new Map();
  const visible = compared.filter(({ path }) => standing(path) !== "ignored");
  return findForbiddenContent({
    ...(await askAboutFiles(request)),
    changes,
    earlier: visible.flatMap(({ path, before }) => nameContent(path, before) ?? []),
    listKnownTexts: (texts, files) => listKnownTexts(request, texts, files),
  });
}

/** Replaces the values of secrets in the builder's own words, which are published. */
export async function hideSecrets<Words>(request: Omit<CopyRequest, "after">, words: Words): Promise<Words> {
  const secrets = await readSecrets(await askAboutFiles({ ...request, after: request.before }));
  return hideCredentials(secrets.length === 0 ? words : maskSecrets(secrets, words));
}

async function askAboutFiles(request: CopyRequest) {
  if (request.before.base !== undefined) return askAboutDisk(request);
  const tracked = await readTracked(request);
  const isTracked = (path: string): boolean => tracked.has(toBytePath(path));
  return {
    rules: request.rules,
    files: listManifestFiles(request, tracked),
    isTracked,
    readContents: (wanted: readonly Pick<ContentFile, "id">[]) =>
      readContentsById(request, new Set(wanted.map(({ id }) => id))),
  };
}

/** A large tree has many files, and few of them matter. */
function listManifestFiles({ before, rules }: CopyRequest, tracked: TrackedFiles): FilesBefore {
  const { worktree } = before;
  const pick = (isWanted: (path: string) => boolean): readonly ContentFile[] => {
    const files: ContentFile[] = [];
    for (const path of worktree.keys()) {
      const file = isWanted(path) ? nameContent(path, worktree.get(path) ?? null) : null;
      if (file !== null) files.push(file);
    }
    return files;
  };
  return {
    listWithIds: (ids) =>
      [...listEntriesWithIds(worktree, ids)].flatMap(([path, entry]) => nameContent(path, entry) ?? []),
    listLikelySecrets: () => rememberSealed({ before, rules }, () => pickSealed(rules, tracked, pick)),
    listTracked: () => pick((path) => tracked.has(path)),
  };
}

type PickFiles = (isWanted: (path: string) => boolean) => readonly ContentFile[];

function pickSealed(rules: Rules, tracked: TrackedFiles, pick: PickFiles): readonly ContentFile[] {
  const likely = makeLikelyTest(listSealedGlobs(rules));
  const isSealed = makeSealTest(rules);
  return pick((path) => {
    if (!likely.test(path) || isAmongDependencies(path)) return false;
    const { text } = decodePath(path);
    return (!tracked.has(path) || isNamedAsSecret(text)) && isSealed(text);
  });
}

interface SealedFiles {
  readonly rules: string;
  readonly files: readonly ContentFile[];
}

/** By the files of T0: the words of each session and the change itself are compared with the same secrets. */
const sealedOf = new WeakMap<Manifest, SealedFiles>();

function rememberSealed(
  { before, rules }: Pick<CopyRequest, "before" | "rules">,
  list: () => readonly ContentFile[],
): readonly ContentFile[] {
  const key = JSON.stringify([listSealedGlobs(rules), rules.runner_owned_globs, rules.ignored_writable_globs]);
  const known = sealedOf.get(before.worktree);
  if (known?.rules === key) return known.files;
  const files = list();
  sealedOf.set(before.worktree, { rules: key, files });
  return files;
}

/** The observation knows only changed paths, and the worktree itself is as it was. */
async function askAboutDisk(request: CopyRequest) {
  const { rules, repository, readSecrets: read = readDiskSecrets } = request;
  const tracked = await readTracked(request);
  const secrets = await read({ root: repository.root, tracked, rules });
  return {
    rules,
    files: {
      listWithIds: (ids: ReadonlySet<string>) => [
        ...tracked.listWithIds(ids).map(nameCommitted),
        ...secrets.filter(({ id }) => ids.has(id)),
      ],
      listLikelySecrets: () => secrets,
      listTracked: () => Array.from(tracked.files(), nameCommitted),
    },
    isTracked: (path: string) => tracked.has(toBytePath(path)),
    readContents: async (wanted: readonly Pick<ContentFile, "id">[]) => {
      const changed = await readContentsById(request, new Set(wanted.map(({ id }) => id)));
      return new Map([...changed, ...secrets.map(({ id, content }) => [id, content] as const)]);
    },
  };
}

function nameCommitted({ path, id }: TrackedFile): ContentFile {
  return { path: decodePath(path).text, id, size: 0 };
}

function* listEntriesWithIds(manifest: Manifest, ids: ReadonlySet<string>): Generator<readonly [string, Entry]> {
  for (const pair of manifest) if (pair[1].id !== null && ids.has(pair[1].id)) yield pair;
}

function nameContent(path: string, entry: Entry | null): ContentFile | null {
  if (entry?.type !== "file" || entry.id === null) return null;
  return { path: decodePath(path).text, id: entry.id, size: entry.size };
}

export async function readContentsById(
  { repository, store, before, after }: CopyRequest,
  ids: ReadonlySet<string>,
): Promise<ReadonlyMap<string, Buffer>> {
  const pick = (manifest: Manifest): Manifest => new Map(listEntriesWithIds(manifest, ids));
  const manifests = [pick(before.worktree), pick(after.worktree)];
  const text = await readContentTexts(store, toBytePath(repository.root), manifests, () => true);
  const contents = new Map<string, Buffer>();
  for (const manifest of manifests)
    for (const entry of manifest.values()) {
      const content = text(entry);
      if (entry.id !== null && content !== null) contents.set(entry.id, content);
    }
  return contents;
}

async function listKnownTexts(
  request: CopyRequest,
  texts: readonly string[],
  files: readonly ContentFile[],
): Promise<ReadonlySet<string>> {
  const known = new Set<string>();
  for (const { path } of files) {
    const content = readOpenFile(request, toBytePath(path));
    for (const text of content === null ? [] : texts) if (content?.includes(text, 0, "latin1")) known.add(text);
    if (known.size === texts.length) break;
  }
  return known;
}

/** A larger file is not searched. */
const OPEN_BYTES_MAX = 4 * 1024 * 1024;

/** A file that changed since is left out: its earlier content was compared already. */
export function readOpenFile({ repository, before, leftOut }: CopyRequest, path: string): Buffer | null {
  const folder = toBytePath(repository.root);
  const entry = before.base === undefined ? before.worktree.get(path) : findEntryAt(folder, path);
  if (entry?.type !== "file") return null;
  if (entry.size > OPEN_BYTES_MAX) {
    leftOut?.add(decodePath(path).text);
    return null;
  }
  if (before.base === undefined) return readIfUnchanged({ folder, path, entry });
  try {
    return readStable({ folder, path, entry }, false).content;
  } catch {
    return null;
  }
}
