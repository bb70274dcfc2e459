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
import { dirname, join } from "node:path";
import { afterAll, expect, test } from "vitest";
import type { Manifest } from "../../src/base/manifest.ts";
import { hasReliableTimes, walk, type WalkRequest } from "../../src/system/walk.ts";

/** The other folders of tests may lie in memory, where times prove nothing. */
const DISK = "/var/tmp";
const timesProveMuch = process.platform === "linux" && hasReliableTimes(DISK);
const folders: string[] = [];

afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true });
});

const isGitFolder: WalkRequest["skipTopLevel"] = (name, type) => name === ".git" && type === "directory";

function look(folder: string, earlier: WalkRequest["earlier"]) {
  return walk({ folder, earlier, skipTopLevel: isGitFolder, force: true });
}

function write(folder: string, path: string, text = path): void {
  mkdirSync(dirname(join(folder, path)), { recursive: true });
  writeFileSync(join(folder, path), text);
}

function makeFolder(): string {
  const folder = mkdtempSync(join(DISK, "relais-walk-"));
  folders.push(folder);
  write(folder, ".git/config");
  for (let at = 0; at < 8; at += 1) write(folder, `src/d${at % 3}/f${at}.ts`);
  write(folder, "with space/new\nline/é \u0001");
  write(folder, "deep/.git/config");
  mkdirSync(join(folder, "empty"));
  symlinkSync("\nsrc/d0 -> x", join(folder, "link"));
  utimesSync(join(folder, "src/d0/f0.ts"), -1.5, -1.5);
  utimesSync(join(folder, "src/d1/f1.ts"), 0.25, 0.25);
  return folder;
}

/** As after an observation: every content is known. */
function learnAll(folder: string): Manifest {
  const { manifest, unread } = look(folder, null);
  for (const path of unread) {
    const entry = manifest.get(path);
    if (entry !== undefined) manifest.set(path, { ...entry, id: `id of ${path}` });
  }
  return manifest;
}

interface Case {
  readonly change: (folder: string) => void;
  /** The files whose content is read again. */
  readonly unread: readonly string[];
}

const CASES: Readonly<Record<string, Case>> = {
  nothing: { change: () => undefined, unread: [] },
  "another content of the same size, with the time restored": {
    change: (folder) => {
      write(folder, "src/d1/f1.ts", "SRC/d1/f1.ts");
      utimesSync(join(folder, "src/d1/f1.ts"), 0.25, 0.25);
    },
    unread: ["src/d1/f1.ts"],
  },
  "a mode": { change: (folder) => chmodSync(join(folder, "src/d0/f3.ts"), 0o600), unread: ["src/d0/f3.ts"] },
  "another name of a file": {
    change: (folder) => linkSync(join(folder, "src/d0/f3.ts"), join(folder, "src/d1/again")),
    unread: ["src/d0/f3.ts", "src/d1/again"],
  },
  "a new file among others": { change: (folder) => write(folder, "src/d2/aaa"), unread: ["src/d2/aaa"] },
  "removed files": {
    change: (folder) => {
      for (const name of ["src/d0/f0.ts", "src/d2", "with space"]) rmSync(join(folder, name), { recursive: true });
    },
    unread: [],
  },
  "a folder that was renamed": {
    change: (folder) => renameSync(join(folder, "src/d2"), join(folder, "src/z2")),
    unread: ["src/z2/f2.ts", "src/z2/f5.ts"],
  },
  "a link in the place of a folder": {
    change: (folder) => {
      rmSync(join(folder, "src/d2"), { recursive: true });
      symlinkSync("d1", join(folder, "src/d2"));
    },
    unread: [],
  },
  "another target of a link": {
    change: (folder) => {
      rmSync(join(folder, "link"));
      symlinkSync("elsewhere", join(folder, "link"));
    },
    unread: [],
  },
  "a folder in the place of a file": {
    change: (folder) => {
      rmSync(join(folder, "src/d0/f3.ts"));
      write(folder, "src/d0/f3.ts/inside");
    },
    unread: ["src/d0/f3.ts/inside"],
  },
};

const withoutIds = (manifest: Manifest) =>
  new Map([...manifest].map(([path, entry]) => [path, { ...entry, id: null }]));

const listIds = (manifest: Manifest) =>
  [...manifest].flatMap(([path, { type, id }]) => (type === "file" ? [[path, id]] : []));

test.runIf(timesProveMuch).each(Object.keys(CASES))("an earlier look saves reading, and hides nothing: %s", (name) => {
  const { change, unread } = CASES[name] ?? { change: () => undefined, unread: ["no such case"] };
  const folder = makeFolder();
  const before = learnAll(folder);
  change(folder);
  // Long after the last change, so that times prove what they can prove.
  const again = look(folder, { manifest: before, takenAt: Date.now() + 60_000 });
  const now = look(folder, null);
  expect(again.unread.toSorted()).toEqual(unread);
  expect(withoutIds(again.manifest)).toEqual(now.manifest);
  const expected = now.unread.map((path) => [path, unread.includes(path) ? null : `id of ${path}`]);
  expect(listIds(again.manifest)).toEqual(expected);
});

test("an entry that changed shortly before the earlier look is read again, also if nothing shows a change", () => {
  const folder = makeFolder();
  const manifest = learnAll(folder);
  const again = look(folder, { manifest, takenAt: Date.now() });
  expect(again.unread).toHaveLength(10);
});
