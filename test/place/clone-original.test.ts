/** A clone and what lies around it: the repository that it was made of, and the mounts that a program leaves in it. */
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { listPlaces } from "../../src/sandbox/place-folder.ts";
import { build, place } from "../support/workplace.ts";

const canMount = process.getuid?.() === 0 && process.platform === "linux";

test("edits of the original are listed, and git's settings and hooks too", async () => {
  const repo = place();
  const own = await repo.open("clone");
  await own.change.prepare();
  expect(await own.change.originalEdits()).toEqual([]);
  await build(own, "echo 2 > src/a.ts");
  expect(await own.change.originalEdits()).toEqual([]);
  const original = `"$(dirname "$(cat .git/objects/info/alternates)")"`;
  await build(
    own,
    `cd ${original}; echo evil > hooks/post-merge; git config a.b c; cd ..; rm README.md; echo x > dist/out.js`,
  );
  expect(await own.change.originalEdits()).toEqual([
    "README.md",
    "dist/out.js",
    ".git/config",
    ".git/hooks/post-merge",
  ]);
});

test("a commit of a person in the original is no edit", async () => {
  const repo = place();
  const own = await repo.open("clone");
  await own.change.prepare();
  repo.git("commit", "--quiet", "--allow-empty", "--message=mine");
  expect(await own.change.originalEdits()).toEqual([]);
});

test.runIf(canMount)("a folder that a program mounted into its clone is not removed with it", async () => {
  const repo = place({ "src/deep/x.ts": "x\n" });
  const treasure = join(repo.state, "../treasure");
  mkdirSync(treasure);
  writeFileSync(join(treasure, "kept"), "kept\n");
  const own = await repo.open("clone");
  await own.change.prepare();
  await build(own, `mount --bind ${treasure} src/deep; mount -t tmpfs none src`);
  onTestFinished(() => {
    // Where the test fails, nothing of it stays mounted.
    const left = readFileSync("/proc/self/mounts", "utf8")
      .split("\n")
      .filter((line) => line.includes(repo.state));
    for (const line of left.toReversed()) execFileSync("umount", ["--lazy", line.split(" ")[1] ?? ""]);
  });
  await own.place.close();
  expect(listPlaces(repo.state)).toEqual([]);
  expect(existsSync(join(treasure, "kept"))).toBe(true);
});
