import { expect, test } from "vitest";
import type { Entry, EntryType } from "../../../src/base/manifest.ts";
import { isOrdinary } from "../../../src/evidence/pure/ordinary-entry.ts";

function entry(type: EntryType, overrides: Partial<Entry> = {}): Entry {
  return {
    type,
    mode: type === "directory" ? 0o755 : 0o644,
    size: 0,
    owner: "7:7",
    hardLinks: 1,
    stamp: "1:2:3",
    id: type === "file" ? "a" : null,
    target: null,
    forced: false,
    ...overrides,
  };
}

const FOLDER = entry("directory");

function ask(path: string, after: Entry | null, before: Entry | null = null): boolean {
  return isOrdinary({ path, before, after, gitFolder: FOLDER });
}

test.each(["COMMIT_EDITMSG", "FETCH_HEAD", "refs/remotes/origin/x", "worktrees/w/index", "packed-refs"])(
  "%s is ordinary as a plain file only",
  (path) => {
    expect(ask(path, entry("file"))).toBe(true);
    expect(ask(path, null, entry("file"))).toBe(true);
    for (const type of ["symlink", "fifo", "socket", "device"] as const)
      expect([type, ask(path, entry(type))]).toEqual([type, false]);
    expect(ask(path, entry("file", { forced: true }))).toBe(false);
    expect(ask(path, entry("file", { hardLinks: 2 }))).toBe(false);
  },
);

test("folders are ordinary where git makes them, and files are not in their place", () => {
  for (const path of ["objects/ab", "refs/heads/feature", "logs/refs/remotes/x", "modules/m/objects/0f"])
    expect([path, ask(path, FOLDER)]).toEqual([path, true]);
  for (const path of ["COMMIT_EDITMSG", "gc.pid", "refs/heads/main.lock", "objects/abc", "packed-refs", "x"])
    expect([path, ask(path, FOLDER)]).toEqual([path, false]);
  for (const path of ["objects/ab", "objects/pack", "refs/remotes", "logs/refs", "modules/m/objects/0f"])
    expect([path, ask(path, entry("file"))]).toEqual([path, false]);
});

test("a mode or owner that somebody set is not ordinary; one that follows a umask is", () => {
  const old = entry("file");
  expect(ask("index", entry("file", { mode: 0o664 }), old)).toBe(false);
  expect(ask("index", entry("file", { owner: "8:7" }), old)).toBe(false);
  expect(ask("refs/heads", entry("directory", { mode: 0o777 }), FOLDER)).toBe(false);
  const rewritten = { id: "b", owner: "0:0" };
  expect(ask("index", entry("file", { ...rewritten, mode: 0o664 }), old)).toBe(true);
  expect(ask("index", entry("file", { ...rewritten, mode: 0o600 }), old)).toBe(true);
  for (const mode of [0o666, 0o755, 0o4644])
    expect([mode, ask("index", entry("file", { ...rewritten, mode }), old)]).toEqual([mode, false]);
});

test("what everybody may do in the git directory they may do below it", () => {
  const difference = { path: "ORIG_HEAD", before: null, after: entry("file", { mode: 0o666 }) };
  expect(isOrdinary({ ...difference, gitFolder: FOLDER })).toBe(false);
  expect(isOrdinary({ ...difference, gitFolder: entry("directory", { mode: 0o777 }) })).toBe(true);
});

test("a clone on the same disk gives objects further names, and nothing else", () => {
  const object = `objects/ab/${"c".repeat(38)}`;
  expect(ask(object, entry("file", { mode: 0o444, hardLinks: 3 }))).toBe(true);
  expect(ask("config", entry("file", { id: "b", hardLinks: 3 }), entry("file"))).toBe(false);
  expect(ask("config", entry("file", { id: "b", hardLinks: 3 }), entry("file", { hardLinks: 3 }))).toBe(true);
});
