/** The one reader of the index lists what git lists, whatever form the index has. */
import { createHash } from "node:crypto";
import { readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { isTracked, readIndex } from "../../src/store/read-index.ts";
import { type ScratchRepository, scratchRepository } from "../support/scratch-repository.ts";

const FILES = { "a.ts": "1\n", "日本/ü.txt": "2\n", "deep/er/b": "3\n", "deep/er/c": "4\n", "deep.txt": "5\n" };

const accessOf = ({ root }: ScratchRepository) => ({
  cwd: root,
  environment: process.env,
  gitDir: join(root, ".git"),
});

/** As git prints it: whether it is left out of the worktree, mode, content, stage and path. */
async function read(scratch: ScratchRepository): Promise<string> {
  const entries = await readIndex(accessOf(scratch));
  const lines = entries.map(({ path, mode, id, stage, skipWorktree }) => {
    const name = Buffer.from(path, "latin1").toString();
    return `${skipWorktree ? "S" : "H"} ${mode.toString(8)} ${id} ${stage}\t${name}\0`;
  });
  return lines.join("");
}

const list = ({ git }: ScratchRepository): string => git("ls-files", "-s", "-t", "-z");

const FORMS: Readonly<Record<string, readonly (readonly string[])[]>> = {
  ordinary: [],
  "of version 4": [["update-index", "--index-version=4"]],
  split: [
    ["update-index", "--split-index"],
    ["update-index", "--skip-worktree", "a.ts"],
  ],
  sparse: [["sparse-checkout", "set", "--cone", "--sparse-index", "日本"]],
};

test.each(Object.keys(FORMS))("an index that is %s", async (form) => {
  const scratch = scratchRepository(FILES);
  for (const command of FORMS[form] ?? []) scratch.git(...command);
  expect(await read(scratch)).toBe(list(scratch));
  expect(await isTracked(accessOf(scratch), "deep/er")).toBe(true);
  expect(await isTracked(accessOf(scratch), "deep/er/c")).toBe(true);
  expect(await isTracked(accessOf(scratch), "deep/e")).toBe(false);
});

test("an index with longer ids, one behind a link, and none", async () => {
  const longer = scratchRepository(FILES, "sha256");
  expect(await read(longer)).toBe(list(longer));
  const scratch = scratchRepository(FILES);
  const index = join(scratch.root, ".git/index");
  renameSync(index, `${index}-elsewhere`);
  symlinkSync("index-elsewhere", index);
  expect(await read(scratch)).toBe(list(scratch));
  rmSync(index);
  expect(await readIndex(accessOf(scratch))).toEqual([]);
});

test("an index that git would refuse is no shorter list", async () => {
  const scratch = scratchRepository(FILES);
  const index = join(scratch.root, ".git/index");
  const body = readFileSync(index).subarray(0, -20);
  const unknown = Buffer.concat([body, Buffer.from("odds\0\0\0\0", "latin1")]);
  writeFileSync(index, Buffer.concat([unknown, createHash("sha1").update(unknown).digest()]));
  expect(() => list(scratch)).toThrow(/odds/);
  await expect(readIndex(accessOf(scratch))).rejects.toThrow(/index has an extension .* not known/);
  writeFileSync(index, body);
  await expect(readIndex(accessOf(scratch))).rejects.toThrow(/checksum of the index is wrong/);
});
