import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  readlinkSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { writeAtomic } from "../../src/system/atomic-file.ts";

let folder = "";
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "relais-test-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

test("replaces a file and leaves nothing else behind", async () => {
  const path = join(folder, "ä b$(x).json");
  await writeAtomic(path, "old");
  await writeAtomic(path, Buffer.from([0, 255, 10]));
  expect(readFileSync(path)).toEqual(Buffer.from([0, 255, 10]));
  expect(readdirSync(folder)).toEqual(["ä b$(x).json"]);
});

test("a name of the greatest length can be written", async () => {
  const name = "n".repeat(255);
  await writeAtomic(join(folder, name), "content");
  expect(readdirSync(folder)).toEqual([name]);
});

test("the mode is exactly the one asked for, whatever the umask says", async () => {
  const umask = process.umask(0o077);
  try {
    await writeAtomic(join(folder, "open"), "", { mode: 0o664 });
    await writeAtomic(join(folder, "closed"), "", { mode: 0o600 });
    await writeAtomic(join(folder, "usual"), "");
  } finally {
    process.umask(umask);
  }
  const modes = ["open", "closed", "usual"].map((name) => statSync(join(folder, name)).mode & 0o7777);
  expect(modes).toEqual([0o664, 0o600, 0o644]);
});

test("a link at the path is replaced, and what it points to is left alone", async () => {
  writeFileSync(join(folder, "precious"), "precious");
  symlinkSync("precious", join(folder, "state.json"));
  await writeAtomic(join(folder, "state.json"), "new");
  expect(readFileSync(join(folder, "precious"), "utf8")).toBe("precious");
  expect(() => readlinkSync(join(folder, "state.json"))).toThrow("EINVAL");
});

test("a write that fails leaves the old state and no temporary file", async () => {
  mkdirSync(join(folder, "taken"));
  await expect(writeAtomic(join(folder, "taken"), "new")).rejects.toThrow(/EISDIR|ENOTEMPTY|EEXIST/);
  expect(readdirSync(folder)).toEqual(["taken"]);
  await expect(writeAtomic(join(folder, "missing", "file"), "new")).rejects.toThrow("ENOENT");
  expect(existsSync(join(folder, "missing"))).toBe(false);
});
