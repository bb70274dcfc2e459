/** Compiled code of an earlier process: when it is not used, and that nothing depends on it. */
import { spawn } from "node:child_process";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { text } from "node:stream/consumers";
import { expect, test } from "vitest";
import { ANY_COMMAND, copyExecutable, locateCache, runCopiedTick, startWatched } from "../support/executable-copy.ts";
import { gitEnvironment } from "../support/repositories.ts";
import { scratchFolder, scratchRepository } from "../support/scratch-repository.ts";

function findOnlyFile(copy: string): string {
  const [name = "", ...others] = readdirSync(locateCache(copy));
  expect(others).toEqual([]);
  return join(locateCache(copy), name);
}

test("another command adds a file of its own, and new parts of the same command are added to its file", () => {
  const copy = copyExecutable();
  const { root } = scratchRepository({ "a.txt": "1\n", "relais.config.json": "{}" });
  startWatched(copy, { args: ["history", "list"], cwd: root });
  expect(startWatched(copy, { args: ["history", "show", "20200101T000000Z-00000000"], cwd: root }).ways).toContain(
    "compiled",
  );
  expect(startWatched(copy, { args: ["history", "show", "20200101T000000Z-00000000"], cwd: root }).ways).toEqual([
    "read",
  ]);
  expect(startWatched(copy, { args: ["history", "list"], cwd: root }).ways).toEqual(["read"]);
  findOnlyFile(copy);
  startWatched(copy);
  expect(readdirSync(locateCache(copy))).toHaveLength(2);
});

const DAMAGES: Record<string, (file: string) => void> = {
  "is empty": (file) => writeFileSync(file, ""),
  "ends early": (file) => writeFileSync(file, readFileSync(file).subarray(0, 5000)),
  "is full of zeros": (file) => writeFileSync(file, Buffer.alloc(statSync(file).size)),
  "can be written by others": (file) => chmodSync(file, 0o666),
  "is a link": (file) => {
    renameSync(file, `${dirname(file)}.moved`);
    symlinkSync(`${dirname(file)}.moved`, file);
  },
};

test.each(Object.entries(DAMAGES))("a file that %s is not used, and is replaced", (_name, damage) => {
  const copy = copyExecutable();
  const first = startWatched(copy);
  damage(findOnlyFile(copy));
  expect(startWatched(copy)).toEqual(first);
  expect(startWatched(copy)).toEqual({ ...first, ways: ["read"] });
});

const OBSTACLES: Record<string, (folder: string) => void> = {
  "a folder that others can write to": (folder) => {
    mkdirSync(folder);
    chmodSync(folder, 0o777);
  },
  "a file in its place": (folder) => writeFileSync(folder, ""),
  "a link in its place": (folder) => symlinkSync(scratchFolder(), folder),
};

test.each(Object.entries(OBSTACLES))("with %s, relais works without", (_name, prepare) => {
  const copy = copyExecutable();
  prepare(locateCache(copy));
  for (let at = 0; at < 2; at += 1) {
    expect(startWatched(copy)).toMatchObject({ status: 0, ways: ["compiled"], stderr: "" });
  }
});

test("an installation inside the repository stays as it is", () => {
  const { root } = scratchRepository({ "a.txt": "1\n" });
  const copy = copyExecutable(join(root, "node_modules/relais/dist"));
  startWatched(copy, { cwd: root });
  expect(existsSync(locateCache(copy))).toBe(false);
});

test("files of another build and of a killed process are removed, and never many are kept", () => {
  const copy = copyExecutable();
  startWatched(copy);
  const file = findOnlyFile(copy);
  for (const name of ["0000000000000000-v20", "new-1-1"]) writeFileSync(join(locateCache(copy), name), "");
  rmSync(file);
  startWatched(copy);
  expect(findOnlyFile(copy)).toBe(file);
  for (let at = 0; at < 50; at += 1) writeFileSync(`${file}${at}`, "");
  rmSync(file);
  startWatched(copy);
  expect(findOnlyFile(copy)).toBe(file);
});

test("code of other options of Node is not used, and replaced only by a process without options", () => {
  const copy = copyExecutable();
  const node = ["--no-opt"];
  expect(startWatched(copy, { node }).ways).toEqual(["compiled"]);
  expect(startWatched(copy, { node }).ways).toEqual(["read"]);
  expect(startWatched(copy).ways).toEqual(["rejected"]);
  for (let at = 0; at < 2; at += 1) {
    expect(startWatched(copy).ways).toEqual(["read"]);
    expect(startWatched(copy, { node }).ways).toEqual(["rejected"]);
  }
});

test("many processes at once say the same, and leave one whole file", async () => {
  const copy = copyExecutable();
  const env = gitEnvironment(scratchFolder());
  const outputs = await Promise.all(
    Array.from({ length: 6 }, async () => {
      const child = spawn(process.execPath, [copy, ...ANY_COMMAND], { cwd: scratchFolder(), env });
      const [out, err] = await Promise.all([text(child.stdout), text(child.stderr)]);
      return out + err;
    }),
  );
  const { stdout, ways } = startWatched(copy);
  expect([ways, new Set(outputs)]).toEqual([["read"], new Set([stdout])]);
  findOnlyFile(copy);
});

const FORGERIES: Record<string, (folder: string) => string> = {
  "writes over a file": (folder) => `for file in "${folder}"/*; do echo forged > "$file"; done`,
  "sets the times again": (folder) =>
    `for file in "${folder}"/*; do printf x | dd of="$file" bs=1 conv=notrunc; touch -d 2020-01-01 "$file"; done`,
  "adds a file": (folder) => `mkdir -p "${folder}"; echo forged > "${folder}/forged"`,
  "puts a link in its place": (folder) => `mv "${folder}" "${folder}.own"; ln -s "${folder}.own" "${folder}"`,
};

test.each(Object.entries(FORGERIES))("code is removed after a builder that %s", (_name, forge) => {
  const copy = copyExecutable();
  startWatched(copy);
  const file = findOnlyFile(copy);
  expect(existsSync(file)).toBe(true);
  const report = runCopiedTick({ copy, changed: "a.txt", lines: forge(locateCache(copy)) });
  expect(report).toMatchObject({ code: "SUCCESS" });
  expect(existsSync(file)).toBe(false);
  expect(startWatched(copy)).toMatchObject({ status: 0, ways: ["compiled"], stderr: "" });
});
