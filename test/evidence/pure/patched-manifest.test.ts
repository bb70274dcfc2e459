import { expect, test } from "vitest";
import type { Entry } from "../../../src/base/manifest.ts";
import { patchManifest } from "../../../src/evidence/pure/patched-manifest.ts";

const entry = (type: Entry["type"], mode: number): Entry => ({
  type,
  mode,
  size: 1,
  owner: "7:7",
  hardLinks: 2,
  stamp: "1:1:1",
  id: type === "file" ? "a".repeat(40) : null,
  target: null,
  forced: false,
});
const BEFORE = new Map([
  ["", entry("directory", 0o755)],
  ["src", entry("directory", 0o770)],
  ["src/a", entry("file", 0o640)],
  ["src/deep", entry("directory", 0o700)],
  ["src/deep/only", entry("file", 0o755)],
  ["src/pipe", entry("fifo", 0o644)],
  ["empty", entry("directory", 0o755)],
]);
const content = (isExecutable = false) => ({ isExecutable, id: "b".repeat(40), size: 9 });
const patch = (changes: Parameters<typeof patchManifest>[0]["changes"]) =>
  patchManifest({ before: BEFORE, changes, owner: "1:1", stamp: "0:5:0" });

function modesAfter(changes: Parameters<typeof patch>[0]): Record<string, string> {
  const patched = patch(changes);
  if (patched.kind !== "patched") throw new Error(`occupied: ${patched.path}`);
  const changed = [...patched.manifest].filter(([path, is]) => BEFORE.get(path) !== is);
  const gone = [...BEFORE.keys()].filter((path) => !patched.manifest.has(path));
  return Object.fromEntries([
    ...changed.map(([path, is]) => [path, `${is.type} ${is.mode.toString(8)} ${is.owner}`]),
    ...gone.map((path) => [path, "gone"]),
  ]);
}

test.each<[string, Parameters<typeof patch>[0], Record<string, string>]>([
  ["an edit keeps mode and owner", [{ path: "src/a", after: content() }], { "src/a": "file 640 7:7" }],
  ["who may read may run", [{ path: "src/a", after: content(true) }], { "src/a": "file 750 7:7" }],
  ["nobody may run any more", [{ path: "src/deep/only", after: content() }], { "src/deep/only": "file 644 7:7" }],
  [
    "new folders come with their files",
    [{ path: "x/y/z", after: content(true) }],
    { x: "directory 755 1:1", "x/y": "directory 755 1:1", "x/y/z": "file 755 1:1" },
  ],
  [
    "a folder goes with its last file",
    [{ path: "src/deep/only", after: null }],
    { "src/deep": "gone", "src/deep/only": "gone" },
  ],
  ["a folder that holds more stays", [{ path: "src/a", after: null }], { "src/a": "gone" }],
  [
    "a folder that is filled again is what it was",
    [
      { path: "src/deep/only", after: null },
      { path: "src/deep/other", after: content() },
    ],
    { "src/deep/only": "gone", "src/deep/other": "file 644 1:1" },
  ],
  [
    "a file may take the place of a folder that went",
    [
      { path: "src/deep/only", after: null },
      { path: "src/deep", after: content() },
    ],
    { "src/deep": "file 644 1:1", "src/deep/only": "gone" },
  ],
])("%s", (_name, changes, expected) => {
  expect(modesAfter(changes)).toEqual(expected);
});

test.each([["empty"], ["src/pipe"], ["src/pipe/x"], ["src/a/x"]])("%s is in the way", (path) => {
  expect(patch([{ path, after: content() }])).toMatchObject({ kind: "occupied" });
});
