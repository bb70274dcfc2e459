import { chmodSync, mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { takeFingerprint } from "../../src/system/read-stable.ts";
import { scratchFolder } from "../support/scratch-repository.ts";

const changes: Readonly<Record<string, (folder: string) => void>> = {
  content: (folder) => writeFileSync(join(folder, "a/file"), "one byte more"),
  mode: (folder) => chmodSync(join(folder, "a/file"), 0o600),
  name: (folder) => renameSync(join(folder, "a/file"), join(folder, "a/other")),
  place: (folder) => renameSync(join(folder, "a/file"), join(folder, "b/file")),
  "a missing file": (folder) => rmSync(join(folder, "a/file")),
  "an empty folder": (folder) => mkdirSync(join(folder, "c")),
  "the target of a link": (folder) => {
    rmSync(join(folder, "link"));
    symlinkSync("b", join(folder, "link"));
  },
  "a file in the place of a link": (folder) => {
    rmSync(join(folder, "link"));
    writeFileSync(join(folder, "link"), "a");
  },
};

function sample(): string {
  const folder = scratchFolder();
  mkdirSync(join(folder, "a"));
  mkdirSync(join(folder, "b"));
  writeFileSync(join(folder, "a/file"), "one byte mor");
  writeFileSync(join(folder, "b/left-out"), "1");
  symlinkSync("a", join(folder, "link"));
  return folder;
}

const take = (folder: string) => takeFingerprint(folder, (path) => path === "b/left-out");

test.each(Object.entries(changes))("%s makes another fingerprint", async (_, change) => {
  const folder = sample();
  const before = await take(folder);
  expect(before.files).toBe(2);
  change(folder);
  expect((await take(folder)).sha256).not.toBe(before.sha256);
});

test("what is left out, and a second look, make the same one", async () => {
  const folder = sample();
  const before = await take(folder);
  writeFileSync(join(folder, "b/left-out"), "2");
  expect(await take(folder)).toEqual(before);
});
