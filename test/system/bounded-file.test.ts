import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { readBounded } from "../../src/system/bounded-file.ts";

let folder = "";
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "relais-test-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

test("reads a file up to and including its bound", async () => {
  const path = join(folder, "file");
  for (const content of ["", "x", "x".repeat(100)]) {
    writeFileSync(path, content);
    expect(await readBounded(path, 100)).toEqual({ kind: "read", data: Buffer.from(content) });
  }
  writeFileSync(path, "x".repeat(101));
  expect(await readBounded(path, 100)).toMatchObject({
    kind: "refused",
    why: "too_large",
    reason: "it is larger than 100 bytes",
  });
});

test("what is not an ordinary file is refused without waiting for it or following it", async () => {
  writeFileSync(join(folder, "file"), "secret");
  symlinkSync("file", join(folder, "link"));
  symlinkSync("nowhere", join(folder, "dangling"));
  mkdirSync(join(folder, "folder"));
  execFileSync("mkfifo", [join(folder, "pipe")]);
  const kindOf = async (name: string) => (await readBounded(join(folder, name), 100)).kind;
  expect(await Promise.all(["link", "dangling", "folder", "pipe"].map(kindOf))).toEqual(
    Array.from({ length: 4 }, () => "refused"),
  );
  expect(await Promise.all(["absent", "file/below", "folder/absent"].map(kindOf))).toEqual(
    Array.from({ length: 3 }, () => "missing"),
  );
});
