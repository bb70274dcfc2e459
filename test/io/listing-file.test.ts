import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { Entry, Manifest } from "../../src/contract/evidence/manifest.ts";
import { compareWith } from "../../src/io/observe/compare-listings.ts";
import { findListedParts, makeListedManifest } from "../../src/io/observe/listed-manifest.ts";
import { findPlace, makeListing, putIdAt, readPathAt } from "../../src/io/observe/listing.ts";
import { loadObservation, saveObservation } from "../../src/io/observe/observation-file.ts";
import { scratchFolder } from "../support/scratch-repository.ts";

const ID = "0123456789abcdef0123456789abcdef01234567";
const OTHER_ID = "f".repeat(40);

function record(path: string, { type = "f", target = "", mode = "644" } = {}): string {
  return `${path}\0${type} ${mode} 3 0:0 1 7 1700000000.1000000000 1700000000.2000000000\0${target}\0`;
}

const RECORDS = [
  record("", { type: "d" }),
  record("src", { type: "d" }),
  record("src/\xc3\xa9\n\t"),
  record("src/a"),
  record("deep/.git/HEAD"),
  record("link", { type: "l", target: "a\tb\n" }),
];

function makeListed(changes: ReadonlyMap<string, Entry | null> = new Map()) {
  const listing = makeListing(Buffer.from(RECORDS.join(""), "latin1"));
  for (const path of ["src/\xc3\xa9\n\t", "src/a", "deep/.git/HEAD"]) putIdAt(listing, findPlace(listing, path), ID);
  return makeListedManifest({ listing, changes });
}

const fresh: Entry = {
  type: "file",
  mode: 0o600,
  size: 1,
  owner: "1:1",
  hardLinks: 1,
  stamp: "1:2:3",
  id: OTHER_ID,
  target: null,
  forced: false,
};

/** The same as objects. */
const plain = (manifest: Manifest): Manifest => new Map(manifest);

test("a listed manifest answers like a map of its entries", () => {
  const manifest = makeListed();
  const map = new Map(manifest);
  for (const one of [manifest, map]) {
    one.set("src/new", fresh);
    one.set("src/a", fresh);
    one.delete("link");
    one.delete("src/never");
    one.set("again", fresh);
    one.delete("again");
  }
  expect(plain(manifest)).toEqual(map);
  expect(manifest.size).toBe(map.size);
  expect([...manifest.keys()].toSorted()).toEqual([...map.keys()].toSorted());
  expect([...manifest.values()]).toHaveLength(map.size);
  for (const path of ["", "src", "src/a", "link", "src/new", "no", "src/"]) {
    expect(manifest.get(path)).toEqual(map.get(path));
    expect(manifest.has(path)).toBe(map.has(path));
  }
  expect([...(manifest.search?.pathsWith("/.git") ?? [])]).toEqual(["deep/.git/HEAD"]);
  expect([...(manifest.search?.pathsWith("src/a") ?? [])]).toEqual(["src/a"]);
  const withIds = (id: string) => [...(manifest.search?.entriesWithIds(new Set([id])) ?? [])].map(([path]) => path);
  expect(withIds(ID)).toEqual(["src/\xc3\xa9\n\t", "deep/.git/HEAD"]);
  expect(withIds(OTHER_ID).toSorted()).toEqual(["src/a", "src/new"]);
});

test("a path is found or not, however long it is", () => {
  const manifest = makeListed();
  for (let length = 1; length < 5_000; length += 1) expect(manifest.has("x".repeat(length))).toBe(false);
  for (const path of manifest.keys()) expect(manifest.get(`${path}\0f`)).toBeUndefined();
});

test("a copy is changed alone", () => {
  const manifest = makeListed();
  const copy = manifest.copy?.();
  copy?.set("src/a", fresh);
  copy?.delete("link");
  expect(manifest.get("src/a")?.id).toBe(ID);
  expect(manifest.has("link")).toBe(true);
  expect(copy?.size).toBe(manifest.size - 1);
});

const OUTPUTS: Readonly<Record<string, readonly string[]>> = {
  "the same": RECORDS,
  nothing: [],
  "another order": RECORDS.toReversed(),
  "one that moved, one that went, one that is new, and another mode": [
    RECORDS[0] ?? "",
    record("link", { type: "l", target: "other" }),
    record("src/a", { mode: "600" }),
    record("src/b"),
    RECORDS[1] ?? "",
    RECORDS[4] ?? "",
  ],
};

test.each(Object.keys(OUTPUTS))("the differences do not depend on how the output is cut: %s", (name) => {
  const output = OUTPUTS[name] ?? [];
  const { listing } = findListedParts(makeListed()) ?? {};
  if (listing === undefined) throw new Error("no listing");
  const known = new Map(RECORDS.map((text, at) => [readPathAt(listing, at), text]));
  const now = new Map(output.map((text) => [text.slice(0, text.indexOf("\0")), text]));
  const expected = [...new Set([...known.keys(), ...now.keys()])]
    .filter((path) => known.get(path) !== now.get(path))
    .map((path) => [path, now.get(path) ?? null] as const);
  const bytes = Buffer.from(output.join(""), "latin1");
  for (let size = 1; size <= bytes.length + 1; size += 1) {
    const comparison = compareWith(listing);
    for (let at = 0; at < bytes.length; at += size) comparison.add(bytes.subarray(at, at + size));
    const found = [...comparison.end()].map(([path, is]) => [path, is?.text ?? null] as const);
    expect(new Map(found)).toEqual(new Map(expected));
  }
  const cut = compareWith(listing);
  cut.add(Buffer.from("half a record"));
  expect(() => cut.end()).toThrow("cut off");
});

test("an observation of a large folder names its listing, which is written once and removed when it is not needed", async () => {
  const folder = scratchFolder();
  const file = join(folder, "observation");
  const worktree = makeListed(
    new Map([
      ["src/a", null],
      ["src/new", fresh],
    ]),
  );
  const observation = { takenAt: 1_700_000_000_000, worktree, git: new Map([["HEAD", fresh]]) };
  const sha256 = await saveObservation(file, { observation, signature: "s" });
  const listings = () => readdirSync(folder).filter((name) => name !== "observation");
  const [name = ""] = listings();
  expect(listings()).toEqual([name]);
  const read = loadObservation(file);
  expect(read?.sha256).toBe(sha256);
  expect(plain(read?.observation.worktree ?? new Map())).toEqual(plain(worktree));
  // The next observation shares the listing, and is of the same family as this one.
  const next = read?.observation.worktree.copy?.() ?? new Map<string, Entry>();
  next.delete("src/new");
  await saveObservation(file, { observation: { ...observation, worktree: next }, signature: "s" });
  expect(listings()).toEqual([name]);
  expect(plain(loadObservation(file)?.observation.worktree ?? new Map())).toEqual(plain(next));
  const honest = readFileSync(join(folder, name));
  writeFileSync(join(folder, name), honest.subarray(0, -1));
  expect(loadObservation(file)).toBeNull();
  rmSync(join(folder, name));
  expect(loadObservation(file)).toBeNull();
  await saveObservation(file, { observation, signature: "s" });
  expect(readFileSync(join(folder, name))).toEqual(honest);
  await saveObservation(file, { observation: { ...observation, worktree: new Map() }, signature: "s" });
  expect(listings()).toEqual([]);
});
