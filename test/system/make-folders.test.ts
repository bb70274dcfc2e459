import { mkdirSync, mkdtempSync, realpathSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { makeFolders } from "../../src/system/folders.ts";

function box(): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "relais-folders-")));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

test("every missing folder is made with the mode, and what is there stays as it is", () => {
  const folder = box();
  mkdirSync(join(folder, "there"), { mode: 0o755 });
  makeFolders(join(folder, "there/a/b"), 0o700);
  makeFolders(join(folder, "there/a/b"), 0o755);
  makeFolders(Buffer.concat([Buffer.from(`${folder}/`), Buffer.from([0xff, 0x2f, 0xfe])]));
  const modes = ["there", "there/a", "there/a/b"].map((name) => statSync(join(folder, name)).mode & 0o777);
  expect(modes).toEqual([0o755, 0o700, 0o700]);
  expect(statSync(Buffer.concat([Buffer.from(`${folder}/`), Buffer.from([0xff, 0x2f, 0xfe])])).isDirectory()).toBe(
    true,
  );
});

test("a file and a link to nothing are in the way, a link to a folder is not", () => {
  const folder = box();
  writeFileSync(join(folder, "file"), "");
  symlinkSync("nowhere", join(folder, "dangling"));
  symlinkSync(".", join(folder, "self"));
  expect(() => makeFolders(join(folder, "file/a"))).toThrow("EEXIST");
  expect(() => makeFolders(join(folder, "dangling/a"))).toThrow("EEXIST");
  makeFolders(join(folder, "self/a"));
  expect(statSync(join(folder, "a")).isDirectory()).toBe(true);
});
