import { execFileSync } from "node:child_process";
import {
  chmodSync,
  chownSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  unlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { MeasurementError } from "../../src/base/errors.ts";
import { createDispatch, openDropFolder } from "../../src/system/drop-folder.ts";
import { readLeftFile, removeEmptyFolders, removeLeftFile } from "../../src/system/left-file.ts";
import { scratchFolder } from "../support/scratch-repository.ts";

const NOBODY = 65534;
const isRoot = process.getuid?.() === 0;

const open = (root: string, workspaceDir = "relais") =>
  openDropFolder({ root, cwd: root, workspaceDir, dispatch: createDispatch() });

/** Everything below a folder, by name, type and mode. */
function tree(root: string): readonly string[] {
  return readdirSync(root, { recursive: true, encoding: "utf8" })
    .map((name) => `${name} ${lstatSync(join(root, name)).mode.toString(8)}`)
    .toSorted();
}

test("two sessions never share a name", () => {
  const names = new Set(Array.from({ length: 100 }, createDispatch));
  expect(names.size).toBe(100);
  for (const name of names) expect(name).toMatch(/^[0-9a-f]{32}$/);
});

test.each([
  ["there is no workspace", []],
  ["there is a workspace", ["relais"]],
  ["there is a folder for it", ["relais", "relais/.tmp"]],
  ["there is another session's folder", ["relais", "relais/.tmp", "relais/.tmp/other"]],
])("where %s, nothing is left of it", async (_, folders) => {
  const root = scratchFolder();
  for (const folder of folders) mkdirSync(join(root, folder), { mode: 0o750 });
  const before = tree(root);
  const drop = await open(root);
  expect(drop.path.startsWith(join(root, "relais/.tmp/"))).toBe(true);
  expect(lstatSync(drop.path).mode & 0o777).toBe(0o700);
  await drop.put("TASK.json", "{}");
  await drop.remove();
  expect(tree(root)).toEqual(before);
  await drop.remove();
  expect(tree(root)).toEqual(before);
});

test("a workspace in a folder of its own kind is found", async () => {
  const root = scratchFolder();
  const drop = await open(root, "tools/relais");
  expect(drop.path.startsWith(join(root, "tools/relais/.tmp/"))).toBe(true);
  await drop.remove();
  expect(tree(root)).toEqual([]);
});

test("a file is put once, for its owner alone", async () => {
  const drop = await open(scratchFolder());
  const path = await drop.put("TASK.json", "text");
  expect(readFileSync(path, "utf8")).toBe("text");
  expect(lstatSync(path).mode & 0o777).toBe(0o600);
  await expect(drop.put("TASK.json", "other")).rejects.toThrow("EEXIST");
});

test("what others leave beside it stays, to be judged", async () => {
  const root = scratchFolder();
  const drop = await open(root);
  writeFileSync(join(root, "relais/.tmp/planted"), "");
  await drop.remove();
  expect(readdirSync(join(root, "relais/.tmp"))).toEqual(["planted"]);
});

test.each(["relais", "relais/.tmp"])("it is not made behind a link at %s", async (place) => {
  const box = scratchFolder();
  const [root, elsewhere] = [join(box, "root"), join(box, "elsewhere")];
  for (const folder of [root, elsewhere]) mkdirSync(folder);
  mkdirSync(join(root, place, ".."), { recursive: true });
  symlinkSync(elsewhere, join(root, place));
  await expect(open(root)).rejects.toThrow(MeasurementError);
  expect(readdirSync(elsewhere)).toEqual([]);
});

test("it is not made where something already is", async () => {
  const root = scratchFolder();
  const dispatch = createDispatch();
  mkdirSync(join(root, "relais/.tmp", dispatch), { recursive: true });
  await expect(openDropFolder({ root, cwd: root, workspaceDir: "relais", dispatch })).rejects.toThrow("exists already");
  await expect(openDropFolder({ root, cwd: root, workspaceDir: "relais", dispatch: "../../etc" })).rejects.toThrow(
    "cannot name",
  );
});

test.each(["relais", "relais/.tmp"])("a link put in the place of %s leads nowhere", async (place) => {
  const box = scratchFolder();
  const root = join(box, "root");
  mkdirSync(root);
  const drop = await open(root);
  await drop.put("RESULT.json", "mine");
  // The very same folder, but reached through a link.
  renameSync(join(root, place), join(box, "moved"));
  symlinkSync(join(box, "moved"), join(root, place));
  expect(await drop.read("RESULT.json", 100)).toEqual({ kind: "refused", reason: "link" });
  const before = tree(join(box, "moved"));
  await drop.remove();
  expect(tree(join(box, "moved"))).toEqual(before);
  expect(lstatSync(join(root, place)).isSymbolicLink()).toBe(true);
});

test("a link or a file in the place of the folder itself is removed, and not what it points to", async () => {
  const root = scratchFolder();
  mkdirSync(join(root, "mine"));
  writeFileSync(join(root, "mine/file"), "");
  for (const replace of [
    (path: string) => symlinkSync(join(root, "mine"), path),
    (path: string) => writeFileSync(path, ""),
  ]) {
    const drop = await open(root);
    rmSync(drop.path, { recursive: true });
    replace(drop.path);
    await drop.remove();
    expect(tree(root).map((line) => line.split(" ")[0])).toEqual(["mine", "mine/file"]);
  }
});

test("whatever was made inside goes with it", async () => {
  const root = scratchFolder();
  writeFileSync(join(root, "outside"), "mine");
  const drop = await open(root);
  const inside = (name: string): string => join(drop.path, name);
  execFileSync("mkfifo", [inside("pipe")]);
  symlinkSync(root, inside("up"));
  symlinkSync("/no/such/place", inside("dangling"));
  writeFileSync(Buffer.concat([Buffer.from(`${drop.path}/`), Buffer.from([0xff, 0x0a, 0x2d])]), "");
  mkdirSync(inside("closed/inner"), { recursive: true });
  chmodSync(inside("closed/inner"), 0o000);
  chmodSync(inside("closed"), 0o000);
  // Step by step, because the whole path is longer than the system takes.
  const deep = "for (const name of Array(40).fill('x'.repeat(200))) { fs.mkdirSync(name); process.chdir(name); }";
  execFileSync(process.execPath, ["-e", deep], { cwd: drop.path });
  await drop.remove();
  expect(tree(root).map((line) => line.split(" ")[0])).toEqual(["outside"]);
});

test.runIf(isRoot)("permissions and flags that stand in the way are lifted", async () => {
  const root = scratchFolder();
  chownSync(root, NOBODY, NOBODY);
  onTestFinished(() => process.seteuid?.(0));
  process.seteuid?.(NOBODY);
  const drop = await open(root);
  mkdirSync(join(drop.path, "inner"));
  writeFileSync(join(drop.path, "inner/file"), "");
  chmodSync(join(drop.path, "inner"), 0o000);
  for (const folder of [drop.path, join(root, "relais/.tmp"), join(root, "relais")]) chmodSync(folder, 0o000);
  expect(await drop.read("RESULT.json", 10)).toEqual({ kind: "refused", reason: "unreadable" });
  await drop.remove();
  expect(readdirSync(root)).toEqual([]);
});

test("a file is told from everything else that may lie in its place", async () => {
  const root = scratchFolder();
  const read = (path: string) => readLeftFile({ root, path }, 10);
  writeFileSync(join(root, "file"), "0123456789");
  writeFileSync(join(root, "large"), "0123456789a");
  writeFileSync(join(root, "sparse"), "");
  truncateSync(join(root, "sparse"), 2 ** 40);
  mkdirSync(join(root, "folder"));
  writeFileSync(join(root, "folder/file"), "in");
  symlinkSync("file", join(root, "link"));
  symlinkSync("folder", join(root, "linked-folder"));
  execFileSync("mkfifo", [join(root, "pipe")]);
  expect(await read("file")).toEqual({ kind: "read", data: Buffer.from("0123456789") });
  expect(await read("folder/file")).toEqual({ kind: "read", data: Buffer.from("in") });
  expect(await read("large")).toEqual({ kind: "refused", reason: "too_large" });
  expect(await read("sparse")).toEqual({ kind: "refused", reason: "too_large" });
  expect(await read("folder")).toEqual({ kind: "refused", reason: "folder" });
  expect(await read("link")).toEqual({ kind: "refused", reason: "link" });
  expect(await read("linked-folder/file")).toEqual({ kind: "refused", reason: "link" });
  expect(await read("pipe")).toEqual({ kind: "refused", reason: "special" });
  for (const path of ["none", "none/file", "file/below"]) expect(await read(path)).toEqual({ kind: "missing" });
});

test("a file is removed as what it is, and never through a link", async () => {
  const root = scratchFolder();
  mkdirSync(join(root, "folder"));
  writeFileSync(join(root, "folder/file"), "mine");
  symlinkSync("folder/file", join(root, "link"));
  symlinkSync("folder", join(root, "linked-folder"));
  execFileSync("mkfifo", [join(root, "pipe")]);
  for (const path of ["link", "pipe", "linked-folder/file", "folder", "none/file"])
    await removeLeftFile({ root, path });
  expect(readdirSync(root).toSorted()).toEqual(["folder", "linked-folder"]);
  expect(readFileSync(join(root, "folder/file"), "utf8")).toBe("mine");
  await removeLeftFile({ root, path: "folder/file" });
  expect(existsSync(join(root, "folder/file"))).toBe(false);
});

test("only empty folders are removed, and none behind a link", async () => {
  const root = scratchFolder();
  mkdirSync(join(root, "a/b/c"), { recursive: true });
  mkdirSync(join(root, "kept/empty"), { recursive: true });
  writeFileSync(join(root, "a/file"), "");
  symlinkSync("kept", join(root, "link"));
  await removeEmptyFolders(root, ["a", "a/b", "a/b/c"]);
  await removeEmptyFolders(root, ["link", "link/empty"]);
  expect(readdirSync(join(root, "a"))).toEqual(["file"]);
  expect(existsSync(join(root, "kept/empty"))).toBe(true);
});

function flag(change: "+i" | "-i", path: string): void {
  execFileSync("chattr", [change, path], { stdio: "ignore" });
}

test("what not even root may remove is unlocked, below the drop folder only", async ({ skip }) => {
  const root = scratchFolder();
  const drop = await open(root);
  mkdirSync(join(drop.path, "deep"));
  writeFileSync(join(drop.path, "deep/locked"), "x");
  writeFileSync(join(root, "mine"), "x");
  try {
    flag("+i", join(root, "mine"));
  } catch {
    return skip("immutable files need root and a file system that knows them");
  }
  onTestFinished(() => flag("-i", join(root, "mine")));
  flag("+i", join(drop.path, "deep/locked"));
  await drop.remove();
  expect(existsSync(drop.path)).toBe(false);
  expect(() => unlinkSync(join(root, "mine"))).toThrow(/EPERM/);
  return undefined;
});
