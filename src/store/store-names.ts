import { lstatSync, readdirSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { readClockMs } from "../system/clock.ts";
import type { ContentStore } from "./content-store.ts";

type StorePlace = Pick<ContentStore, "gitDir" | "largeDir">;

interface ListedFolder {
  /** Of the folder: nothing came or went while it is the same. Empty where that is not sure. */
  readonly stamp: string;
  readonly names: string;
}

/** A folder that changed so recently may change again without another time: some file systems count whole seconds. */
const SETTLED_MS = 2100;
const FINELY_SETTLED_MS = 50;
/** By path. The folders are listed several times in a tick, and few of them change. */
const listed = new Map<string, ListedFolder>();

/**
 * The names of everything that the store holds, a text for each folder: its own name, its stamp and its names. One that
 * is missing later is content that was lost.
 */
export function storeNames(store: StorePlace): readonly string[] {
  return listPlaces(store).map(({ name, path }) => {
    const { stamp, names } = listFolder(path);
    return `${name}:${stamp}:${names}`;
  });
}

/** What an earlier process listed: a folder that is still the same need not be listed again. */
export function recallNames(store: StorePlace, saved: readonly string[]): void {
  const paths = new Map(listPlaces(store).map(({ name, path }) => [name, path]));
  for (const text of saved) {
    const { name, stamp, names } = parseFolder(text);
    const path = paths.get(name);
    if (path !== undefined && stamp !== "") listed.set(path, { stamp, names });
  }
}

/** Whether everything is still there; there may be more. */
export function holdsNames(saved: readonly string[], now: readonly string[]): boolean {
  const present = new Map(now.map((text) => [parseFolder(text).name, text]));
  return saved.every((text) => {
    const { name, names } = parseFolder(text);
    const is = present.get(name);
    return is === text || (is !== undefined && hasAll(names, parseFolder(is).names));
  });
}

function hasAll(needed: string, names: string): boolean {
  const present = new Set(names.split(" "));
  return needed === "" || needed.split(" ").every((name) => present.has(name));
}

function parseFolder(text: string): ListedFolder & { readonly name: string } {
  // A builder may have put other names there, with whatever is in them.
  const [name = "", stamp = "", ...names] = text.split(":");
  return { name, stamp, names: names.join(":") };
}

function listPlaces({ gitDir, largeDir }: StorePlace): readonly { readonly name: string; readonly path: string }[] {
  const objects = join(gitDir, "objects");
  const folders = readdirSync(objects).map((name) => ({ name, path: `${objects}/${name}` }));
  return [...folders, { name: "large", path: largeDir }];
}

function listFolder(folder: string): ListedFolder {
  const now = readClockMs();
  const { ino, ctimeMs } = lstatSync(folder);
  const isSettled = now - ctimeMs > (ctimeMs % 1000 === 0 ? SETTLED_MS : FINELY_SETTLED_MS);
  const stamp = isSettled ? `${ino} ${ctimeMs}` : "";
  const known = listed.get(folder);
  if (known?.stamp === stamp && stamp !== "") return known;
  // A pipe in the place of a content is a lost content.
  const files = readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isFile());
  const names = files.map(({ name }) => name).toSorted();
  const found = { stamp, names: names.join(" ") };
  if (stamp !== "") listed.set(folder, found);
  return found;
}

/**
 * The observation that the store was last reduced to, by its hash, and the names that the store had then: a reduced store
 * has other names, and still everything that this observation needs.
 */

/** After everything was removed from the store that this observation does not refer to. */
export function noteHeldContent(store: ContentStore, observationSha256: string): void {
  writeFileSync(locateNote(store), [observationSha256, ...storeNames(store)].join("\n"), { mode: 0o600 });
}

/** What the store must still have for this observation; null where it was last reduced to another one. */
export function readHeldNames(store: ContentStore, observationSha256: string): readonly string[] | null {
  const note = locateNote(store);
  const [observation, ...names] = existsSync(note) ? readFileSync(note, "utf8").split("\n") : [];
  return observation === observationSha256 ? names : null;
}

function locateNote({ gitDir }: ContentStore): string {
  return join(gitDir, "held-content");
}
