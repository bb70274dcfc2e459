/** The redo log: what a power cut may take back is written again, and nothing else is touched. */
import { appendFileSync, existsSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { expect, test } from "vitest";
import { makeFolders } from "../../src/system/folders.ts";
import { afterBoot, openRedoLog, replayRedoLog } from "../../src/system/redo-log.ts";
import { listSynced } from "../support/count-syncs.ts";
import { scratchFolder } from "../support/scratch-repository.ts";

const BOOT = "boot-one";
const NEXT = "boot-two";

function open() {
  const state = scratchFolder();
  replayRedoLog(state, BOOT);
  return { state, log: openRedoLog(state), at: (name: string) => join(state, name) };
}

test("one sync makes many files safe, and nothing is synced twice", async () => {
  const { state, log, at } = open();
  const synced = await listSynced(() => {
    for (let index = 0; index < 20; index += 1) log.write(at(`runs/one/${index}.txt`), `text ${index}`);
    log.sync();
    log.sync();
  });
  // The first is the folder, once, for the name of the log.
  expect(synced).toEqual([basename(state), "redo.log"]);
});

test("after another boot, lost and torn files are written again, and others make up for it once", async () => {
  const { state, log, at } = open();
  log.write(at("runs/one/lost.txt"), "lost");
  log.write(at("accepted/one/torn.txt"), "torn", 0o400);
  log.write(at("runs/one/whole.txt"), "first");
  log.write(at("runs/one/whole.txt"), "last");
  log.sync();
  rmSync(at("runs"), { recursive: true });
  makeFolders(at("runs/one"), 0o700);
  writeFileSync(at("runs/one/whole.txt"), "last");
  rmSync(at("accepted/one/torn.txt"));
  writeFileSync(at("accepted/one/torn.txt"), "\0\0\0\0");
  replayRedoLog(state, BOOT);
  expect(existsSync(at("runs/one/lost.txt"))).toBe(false);
  replayRedoLog(state, NEXT);
  expect(readFileSync(at("runs/one/lost.txt"), "utf8")).toBe("lost");
  expect(readFileSync(at("accepted/one/torn.txt"), "utf8")).toBe("torn");
  expect(statSync(at("accepted/one/torn.txt")).mode & 0o777).toBe(0o400);
  expect(readFileSync(at("runs/one/whole.txt"), "utf8")).toBe("last");
  let times = 0;
  const count = async () => void (times += 1);
  await afterBoot(state, count);
  await afterBoot(state, count);
  expect(times).toBe(1);
});

test("what was removed stays away, and a record that was cut off does not count", () => {
  const { state, log, at } = open();
  log.write(at("salvage/one/meta.json"), "{}");
  log.write(at("salvage/two/meta.json"), "{}");
  log.remove(at("salvage/one"));
  appendFileSync(at("redo.log"), '{"path":"runs/x","mode":384,"size":99,"sha256":"00"}\nshort');
  replayRedoLog(state, BOOT);
  log.write(at("runs/after.txt"), "after");
  for (const folder of ["salvage", "runs"]) rmSync(at(folder), { recursive: true });
  replayRedoLog(state, NEXT);
  expect(existsSync(at("salvage/one"))).toBe(false);
  expect(existsSync(at("salvage/two/meta.json"))).toBe(true);
  expect(readFileSync(at("runs/after.txt"), "utf8")).toBe("after");
  expect(existsSync(at("runs/x"))).toBe(false);
});

test("a forged log writes nothing outside of its folders, and through no link", () => {
  const { state, log, at } = open();
  const elsewhere = scratchFolder();
  log.write(at("runs/one/a.txt"), "a");
  const text = readFileSync(at("redo.log"), "utf8");
  for (const path of ["../evil.txt", "journal.jsonl", "judge.git/config", "runs/../../evil.txt"])
    appendFileSync(at("redo.log"), text.slice(text.indexOf("\n") + 1).replace("runs/one/a.txt", path));
  rmSync(at("runs"), { recursive: true });
  symlinkSync(elsewhere, at("runs"));
  replayRedoLog(state, NEXT);
  for (const name of ["../evil.txt", "journal.jsonl", "judge.git"]) expect(existsSync(at(name))).toBe(false);
  expect(existsSync(join(elsewhere, "one"))).toBe(false);
});

test("a large file is synced itself, and a long log is emptied", async () => {
  const { state, log, at } = open();
  const synced = await listSynced(() => log.write(at("runs/one/large.txt"), Buffer.alloc(2 * 1024 * 1024)));
  expect(synced.slice(0, 2)).toEqual(["temporary", "one"]);
  for (let index = 0; index < 9; index += 1) log.write(at(`runs/one/${index}.txt`), Buffer.alloc(1024 * 1024));
  expect(statSync(at("redo.log")).size).toBeGreaterThan(9 * 1024 * 1024);
  log.sync();
  expect(statSync(at("redo.log")).size).toBeLessThan(100);
  rmSync(at("runs"), { recursive: true });
  replayRedoLog(state, NEXT);
  expect(existsSync(at("runs"))).toBe(false);
});

test("a log that was whole at its last sync is not read again", () => {
  const { state, log, at } = open();
  log.write(at("runs/one/a.txt"), "a");
  log.sync();
  const whole = statSync(at("redo.log"));
  // Of the same length, so that only a reader could notice.
  writeFileSync(at("redo.log"), "x".repeat(whole.size));
  replayRedoLog(state, BOOT);
  expect(statSync(at("redo.log")).size).toBe(whole.size);
  // Only what was added since is read.
  appendFileSync(at("redo.log"), "cut off");
  replayRedoLog(state, BOOT);
  expect(statSync(at("redo.log")).size).toBe(whole.size);
  log.write(at("runs/one/b.txt"), "b");
  const grown = statSync(at("redo.log")).size;
  replayRedoLog(state, BOOT);
  expect(statSync(at("redo.log")).size).toBe(grown);
  replayRedoLog(state, NEXT);
  expect(existsSync(at("redo.log"))).toBe(false);
});
