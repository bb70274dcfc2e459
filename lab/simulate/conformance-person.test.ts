/** A simulated person leaves the repository as a real one with the real git does. */
import { execFileSync } from "node:child_process";
import * as fs from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { scratchFolder } from "../../test/support/scratch-repository.ts";
import { readIndex } from "./git/index-file.ts";
import { Machine } from "./machine.ts";
import { commitFile, saveFile } from "./person.ts";
import { makeRepository, makeSystem, REPOSITORY } from "./repository.ts";
import { COMMIT_SECONDS, GIT_ENVIRONMENT } from "./git-environment.ts";

const CONTENTS = { NOTES: "mine\n", README: "hello\n", "src/a.txt": "one\n" };
const LATER = "mine\nand more\n";
const READ = ["refs/heads/work", "logs/HEAD", "logs/refs/heads/work"];

function commitReal(root: string): readonly string[] {
  const run = (...args: string[]): string =>
    execFileSync("git", args, { cwd: root, env: { ...process.env, ...GIT_ENVIRONMENT }, encoding: "utf8" });
  run("init", "--quiet", "--initial-branch=work");
  fs.mkdirSync(join(root, "src"));
  for (const [path, text] of Object.entries(CONTENTS)) fs.writeFileSync(join(root, path), text);
  run("add", "--all");
  run("commit", "--quiet", "--message", "first");
  fs.writeFileSync(join(root, "src/a.txt"), "not committed\n");
  fs.writeFileSync(join(root, "NOTES"), LATER);
  run("commit", "--quiet", "--message", "mine", "NOTES");
  const index = run("ls-files", "--stage").replaceAll(/ 0\t/g, " ");
  return [...READ.map((path) => fs.readFileSync(join(root, ".git", path), "utf8")), index];
}

function commitSimulated(): readonly string[] {
  const machine = new Machine(1);
  const files = makeSystem(machine);
  files.mkdirSync(REPOSITORY);
  makeRepository(files, CONTENTS);
  files.writeFileSync(`${REPOSITORY}/src/a.txt`, "not committed\n");
  saveFile(files, `${REPOSITORY}/NOTES`, LATER);
  expect(commitFile(files, "NOTES", COMMIT_SECONDS * 1_000_000)).toBe(true);
  expect(commitFile(files, "NOTES", COMMIT_SECONDS * 1_000_000)).toBe(false);
  const index = [...readIndex(files, `${REPOSITORY}/.git/index`)];
  return [
    ...READ.map((path) => String(files.readFileSync(`${REPOSITORY}/.git/${path}`, "utf8"))),
    index.map(([path, { mode, id }]) => `${mode} ${id} ${path}\n`).join(""),
  ];
}

test("a commit of one file has the same id, index and reflog", () => {
  expect(commitSimulated()).toEqual(commitReal(fs.realpathSync(scratchFolder())));
});
