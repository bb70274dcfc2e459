import type { Entry, Manifest, Observation } from "../../contract/evidence/manifest.ts";
import type { Rules } from "../../contract/evidence/evidence.ts";
import type { Difference } from "../../core/observation/compare-manifests.ts";
import { decodePath } from "../../core/paths/path-text.ts";
import { toBytePath } from "../../io/files/byte-path.ts";
import type { ContentStore } from "../../io/content/content-store.ts";
import { readIfUnchanged } from "../../io/files/read-stable.ts";
import type { Repository } from "../../io/git/repository-layout.ts";
import { readContentTexts } from "./content-texts.ts";
import { type ContentFile, findForbiddenContent, type ForbiddenContent } from "./forbidden-content.ts";
import { readTracking, type TrackingStatus } from "./tracking.ts";

interface CopyRequest {
  readonly repository: Repository;
  readonly store: ContentStore;
  readonly before: Observation;
  readonly after: Observation;
  readonly rules: Rules;
}

interface ComparedFiles {
  readonly compared: readonly Difference[];
  readonly standing: (path: string) => TrackingStatus;
}

/** The content of forbidden files of T0 at changed paths, by path as text. */
export async function findCopiedContent(
  request: CopyRequest,
  { compared, standing }: ComparedFiles,
): Promise<ReadonlyMap<string, ForbiddenContent>> {
  const changes = compared.flatMap(({ path, before, after }) => {
    const [was, is] = [nameContent(path, before), nameContent(path, after)];
    return is === null ? [] : [{ path: is.path, before: was, after: is, isIgnored: standing(path) === "ignored" }];
  });
  if (changes.length === 0) return new Map();
  const isTracked = await readTracking(request);
  return findForbiddenContent({
    rules: request.rules,
    files: [...request.before.worktree].flatMap(([path, entry]) => nameContent(path, entry) ?? []),
    changes,
    isTracked: (path) => isTracked(toBytePath(path)),
    readContents: (wanted) => readAll(request, new Set(wanted.map(({ id }) => id))),
    listKnownTexts: (texts, files) => listKnownTexts(request, texts, files),
  });
}

function nameContent(path: string, entry: Entry | null): ContentFile | null {
  if (entry?.type !== "file" || entry.id === null) return null;
  return { path: decodePath(path).text, id: entry.id, size: entry.size };
}

async function readAll(
  { repository, store, before, after }: CopyRequest,
  ids: ReadonlySet<string>,
): Promise<ReadonlyMap<string, Buffer>> {
  const pick = (manifest: Manifest): Manifest =>
    new Map([...manifest].filter(([, { id }]) => id !== null && ids.has(id)));
  const manifests = [pick(before.worktree), pick(after.worktree)];
  const text = await readContentTexts({
    store,
    folder: toBytePath(repository.root),
    manifests,
    isWanted: () => true,
  });
  const contents = new Map<string, Buffer>();
  for (const manifest of manifests)
    for (const entry of manifest.values()) {
      const content = text(entry);
      if (entry.id !== null && content !== null) contents.set(entry.id, content);
    }
  return contents;
}

/** A file that changed since is left out: its earlier content was compared already. */
async function listKnownTexts(
  { repository, before }: CopyRequest,
  texts: readonly string[],
  files: readonly ContentFile[],
): Promise<ReadonlySet<string>> {
  const folder = toBytePath(repository.root);
  const known = new Set<string>();
  for (const { path } of files) {
    const key = toBytePath(path);
    const entry = before.worktree.get(key);
    const content = entry === undefined ? null : readIfUnchanged({ folder, path: key, entry });
    for (const text of content === null ? [] : texts) if (content?.includes(text, 0, "latin1")) known.add(text);
    if (known.size === texts.length) break;
  }
  return known;
}
