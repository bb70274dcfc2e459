import {
  chmodSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  renameSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, expect, test } from "vitest";
import type { Manifest } from "../../src/contract/evidence/manifest.ts";
import { hasReliableTimes } from "../../src/io/observe/reliable-times.ts";
import { walk, type Walked, type WalkRequest } from "../../src/io/observe/walk.ts";
import { walkByFind } from "../../src/io/observe/walk-by-find.ts";

/** The other folders of tests may lie in memory, where times prove nothing. */
const DISK = "/var/tmp";
const canFind = process.platform === "linux" && hasReliableTimes(DISK);
const folders: string[] = [];

afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true });
});

type Asked = Parameters<typeof walkByFind>[0];

function ask(folder: string, earlier: WalkRequest["earlier"], more: Partial<Asked> = {}): Asked {
  return {
    folder,
    earlier,
    skipTopLevel: (name, type) => name === ".git" && type === "directory",
    without: ".git",
    temporaryRoot: tmpdir(),
    force: true,
    ...more,
  };
}

function write(folder: string, path: string, text = path): void {
  mkdirSync(dirname(join(folder, path)), { recursive: true });
  writeFileSync(join(folder, path), text);
}

function makeFolder(): string {
  const folder = mkdtempSync(join(DISK, "relais-find-"));
  folders.push(folder);
  write(folder, ".git/config");
  for (let at = 0; at < 60; at += 1) write(folder, `src/d${at % 7}/f${at}.ts`);
  write(folder, "with space/new\nline/é \u0001");
  write(folder, "deep/.git/config");
  mkdirSync(join(folder, "empty"));
  symlinkSync("\nsrc/d0 -> x", join(folder, "link"));
  utimesSync(join(folder, "src/d0/f0.ts"), -1.5, -1.5);
  utimesSync(join(folder, "src/d1/f1.ts"), 0.25, 0.25);
  chmodSync(join(folder, "src/d2/f2.ts"), 0o4711);
  return folder;
}

/** As after an observation: every content is known. */
function learn({ manifest, unread }: Walked): Manifest {
  for (const path of unread) {
    const entry = manifest.get(path);
    if (entry !== undefined) manifest.set(path, { ...entry, id: `id of ${path} ${entry.stamp}` });
  }
  return manifest;
}

const sorted = (manifest: Manifest) => [...manifest].toSorted(([left], [right]) => (left < right ? -1 : 1));

function show(walked: Walked | null) {
  return walked === null ? null : { entries: sorted(walked.manifest), unread: walked.unread.toSorted() };
}

const CHANGES: Readonly<Record<string, (folder: string) => void>> = {
  nothing: () => undefined,
  "another content of the same size, with the time restored": (folder) => {
    const path = join(folder, "src/d1/f1.ts");
    write(folder, "src/d1/f1.ts", "SRC/d1/f1.ts");
    utimesSync(path, 0.25, 0.25);
  },
  "a mode": (folder) => chmodSync(join(folder, "src/d3/f3.ts"), 0o600),
  "another name of a file": (folder) => linkSync(join(folder, "src/d3/f3.ts"), join(folder, "src/d4/again")),
  "a new file among others": (folder) => write(folder, "src/d3/aaa"),
  "many new files": (folder) => {
    for (let at = 0; at < 300; at += 1) write(folder, `lib/e${at % 9}/g${at}`);
  },
  "removed files": (folder) => {
    for (const name of ["src/d0/f0.ts", "src/d5", "with space"]) rmSync(join(folder, name), { recursive: true });
  },
  "a folder that was renamed": (folder) => renameSync(join(folder, "src/d2"), join(folder, "src/z2")),
  "a link in the place of a folder": (folder) => {
    rmSync(join(folder, "src/d6"), { recursive: true });
    symlinkSync("d5", join(folder, "src/d6"));
  },
  "another target of a link": (folder) => {
    rmSync(join(folder, "link"));
    symlinkSync("elsewhere", join(folder, "link"));
  },
  "a folder in the place of a file": (folder) => {
    rmSync(join(folder, "src/d0/f7.ts"));
    write(folder, "src/d0/f7.ts/inside");
  },
};

test.runIf(canFind).each(Object.keys(CHANGES))("the manifest is that of the other walk after: %s", async (name) => {
  const folder = makeFolder();
  const nothing: Manifest = new Map();
  // Long after the last change, so that times prove what they can prove.
  const takenAt = Date.now() + 60_000;
  const first = await walkByFind(ask(folder, { manifest: nothing, takenAt }), 0);
  const own = walk(ask(folder, { manifest: nothing, takenAt }));
  expect(show(first)).toEqual(show(own));
  const before = learn(first ?? own);
  CHANGES[name]?.(folder);
  const second = await walkByFind(ask(folder, { manifest: before, takenAt }), 0);
  expect(show(second)).toEqual(show(walk(ask(folder, { manifest: before, takenAt }))));
  const after = learn(second ?? own);
  // Twice, because the third look compares with the listing of the first.
  const third = await walkByFind(ask(folder, { manifest: after, takenAt }), 0);
  expect(show(third)).toEqual(show(walk(ask(folder, { manifest: after, takenAt }))));
  rmSync(join(folder, "src/d3"), { recursive: true });
  rmSync(join(folder, "lib"), { recursive: true, force: true });
  const fourth = await walkByFind(ask(folder, { manifest: third?.manifest ?? after, takenAt }), 0);
  expect(show(fourth)).toEqual(show(walk(ask(folder, { manifest: after, takenAt }))));
});

test.runIf(canFind)("an entry that changed shortly before is read again, also if nothing shows a change", async () => {
  const folder = makeFolder();
  const takenAt = Date.now();
  const nothing: Manifest = new Map();
  const manifest = learn((await walkByFind(ask(folder, { manifest: nothing, takenAt }), 0)) ?? walk(ask(folder, null)));
  const again = await walkByFind(ask(folder, { manifest, takenAt }), 0);
  expect(again?.unread.length).toBeGreaterThan(60);
  expect(show(again)).toEqual(show(walk(ask(folder, { manifest, takenAt }))));
});

test.runIf(canFind)("what is out of the ordinary is left to the other walk", async () => {
  const folder = makeFolder();
  const takenAt = Date.now() + 60_000;
  const { manifest } = walk(ask(folder, null));
  learn({ manifest, unread: [...manifest.keys()], excess: null });
  const earlier = { manifest, takenAt };
  expect(await walkByFind(ask(folder, earlier), 0)).not.toBeNull();
  expect(await walkByFind(ask(folder, null), 0)).toBeNull();
  expect(await walkByFind(ask(folder, earlier))).toBeNull();
  expect(await walkByFind(ask(folder, earlier, { leftOut: new Set(["src"]) }), 0)).toBeNull();
  expect(await walkByFind(ask(join(folder, "no such folder"), earlier), 0)).toBeNull();
  expect(await walkByFind(ask(join(folder, "src/d0/f7.ts"), earlier), 0)).toBeNull();
  symlinkSync("src", join(folder, "link to a folder"));
  expect(await walkByFind(ask(join(folder, "link to a folder"), earlier), 0)).toBeNull();
  write(folder, "src/new");
  expect(await walkByFind(ask(folder, earlier, { caps: { files: 0, bytes: 1e9 } }), 0)).toBeNull();
  expect(await walkByFind(ask(folder, earlier, { caps: { files: 9, bytes: 1 } }), 0)).toBeNull();
});
