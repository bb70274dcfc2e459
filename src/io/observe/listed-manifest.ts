/**
 * A manifest as a listing that several manifests share, and its own changes beside it. An entry becomes an object only
 * when somebody asks for it.
 */
import type { Entry, Manifest, OpenManifest } from "../../contract/evidence/manifest.ts";
import { findPlace, findPlacesOfId, findPlacesOfText, type Listing, readEntryAt, readPathAt } from "./listing.ts";

/** What a manifest has instead of the listing, by path; null is nothing there. */
export type ListedChanges = ReadonlyMap<string, Entry | null>;

export interface ListedParts {
  readonly listing: Listing;
  readonly changes: ListedChanges;
}

const partsOf = new WeakMap<Manifest, ListedParts>();

/** Null for a manifest of another kind. */
export function findListedParts(manifest: Manifest): ListedParts | null {
  return partsOf.get(manifest) ?? null;
}

export function makeListedManifest({ listing, changes: given }: ListedParts): OpenManifest {
  const parts = { listing, changes: new Map(given) };
  const { changes } = parts;
  let size = listing.starts.length;
  for (const [path, entry] of changes) size += Number(entry !== null) - Number(isListed(parts, path));
  const change = (path: string, entry: Entry | null): void => {
    size += Number(entry !== null) - Number(hasEntry(parts, path));
    if (entry === null && !isListed(parts, path)) changes.delete(path);
    else changes.set(path, entry);
  };
  const manifest: OpenManifest = {
    get size() {
      return size;
    },
    ...readManifest(parts),
    [Symbol.iterator]: () => listAll(parts),
    set: (path, entry) => change(path, entry),
    delete: (path) => change(path, null),
    forEach: (visit) => {
      for (const [path, entry] of manifest) visit(entry, path, manifest);
    },
    kinship: { family: listing, others: changes },
    search: {
      pathsWith: (text) => listPathsWith(parts, text),
      entriesWithIds: (ids) => listEntriesWithIds(parts, ids),
    },
    copy: () => makeListedManifest(parts),
  };
  partsOf.set(manifest, parts);
  return manifest;
}

function readManifest(parts: ListedParts) {
  function* keys(): Generator<string, undefined> {
    for (const [path] of listPlaces(parts)) yield path;
  }
  function* values(): Generator<Entry, undefined> {
    for (const [, place] of listPlaces(parts)) yield openPlace(parts, place);
  }
  const get = (path: string): Entry | undefined => {
    const changed = parts.changes.get(path);
    if (changed !== undefined) return changed ?? undefined;
    const place = findPlace(parts.listing, path);
    return place === -1 ? undefined : readEntryAt(parts.listing, place);
  };
  return { get, has: (path: string) => hasEntry(parts, path), keys, values, entries: () => listAll(parts) };
}

function* listAll(parts: ListedParts): Generator<[string, Entry], undefined> {
  for (const [path, place] of listPlaces(parts)) yield [path, openPlace(parts, place)];
}

function openPlace({ listing }: ListedParts, place: number | Entry): Entry {
  return typeof place === "number" ? readEntryAt(listing, place) : place;
}

function isListed({ listing }: ListedParts, path: string): boolean {
  return findPlace(listing, path) !== -1;
}

function hasEntry(parts: ListedParts, path: string): boolean {
  const changed = parts.changes.get(path);
  return changed === undefined ? isListed(parts, path) : changed !== null;
}

/** Those of the listing, in its order and by their numbers, and then the others. */
function* listPlaces(parts: ListedParts): Generator<readonly [string, number | Entry]> {
  const { listing, changes } = parts;
  for (let number = 0; number < listing.starts.length; number += 1) {
    const path = readPathAt(listing, number);
    const changed = changes.get(path);
    if (changed !== null) yield [path, changed ?? number];
  }
  for (const [path, entry] of changes) if (entry !== null && !isListed(parts, path)) yield [path, entry];
}

function* listPathsWith({ listing, changes }: ListedParts, text: string): Generator<string> {
  for (const place of findPlacesOfText(listing, text)) {
    const path = readPathAt(listing, place);
    if (path.includes(text) && !changes.has(path)) yield path;
  }
  for (const [path, entry] of changes) if (entry !== null && path.includes(text)) yield path;
}

function* listEntriesWithIds(
  { listing, changes }: ListedParts,
  ids: ReadonlySet<string>,
): Generator<readonly [string, Entry]> {
  for (const id of ids)
    for (const place of findPlacesOfId(listing, id)) {
      const path = readPathAt(listing, place);
      if (!changes.has(path)) yield [path, readEntryAt(listing, place)];
    }
  for (const [path, entry] of changes)
    if (entry !== null && entry.id !== null && ids.has(entry.id)) yield [path, entry];
}
