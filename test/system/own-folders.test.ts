import { spawnSync } from "node:child_process";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { beginOwnName, listLeftFolders, removeLeftFolders } from "../../src/system/own-folders.ts";

/** The name that a process made which has ended. */
function nameOfEnded(): string {
  const { pid } = spawnSync("true");
  return `${beginOwnName().replace(`-${process.pid}-`, `-${pid}-`)}abcdef`;
}

test("folders of ended processes are removed, and nothing else", () => {
  const around = realpathSync(mkdtempSync(join(tmpdir(), "own-folders-")));
  onTestFinished(() => rmSync(around, { recursive: true }));
  const own = mkdtempSync(join(around, beginOwnName()));
  const left = join(around, nameOfEnded());
  mkdirSync(join(left, "closed/inner"), { recursive: true });
  writeFileSync(join(left, "closed/secret"), "");
  chmodSync(join(left, "closed"), 0);
  const elsewhere = join(around, nameOfEnded().replace(/relais-\d+/u, "relais-1"));
  const longer = join(around, `${nameOfEnded()}-mine`);
  for (const folder of [elsewhere, longer]) mkdirSync(folder);
  const link = join(around, nameOfEnded());
  symlinkSync(own, link);

  expect(listLeftFolders(around)).toEqual([left]);
  removeLeftFolders(around);
  expect(existsSync(left)).toBe(false);
  expect([own, elsewhere, longer, link].filter((path) => !existsSync(path))).toEqual([]);
  expect(listLeftFolders(join(around, "nowhere"))).toEqual([]);
});
