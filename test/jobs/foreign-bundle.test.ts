/** A bundle of another member: whoever made it chose the names in it. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { importBundle } from "../../src/git/bundle.ts";
import { findRepository } from "../../src/git/repository-layout.ts";
import { scratchRepository } from "../support/scratch-repository.ts";

const BRANCH = "refs/heads/relais/job-1";

/** A repository with one commit, and a bundle with a second one under another name. */
async function receive(name: string, within = BRANCH) {
  const { box, root, git, commit } = scratchRepository({ a: "1" });
  const base = git("rev-parse", "HEAD");
  git("checkout", "--quiet", "-b", "work");
  git("branch", "other");
  const tip = commit({ a: "2" });
  git("update-ref", BRANCH, tip);
  const file = join(box, "branch.bundle");
  git("bundle", "create", "--quiet", file, BRANCH, `^${base}`);
  git("update-ref", "-d", BRANCH);
  git("reset", "--quiet", "--hard", base);
  writeFileSync(file, readFileSync(file, "latin1").replace(` ${BRANCH}\n`, ` ${name}\n`), "latin1");
  const repository = await findRepository(root, process.env);
  if (repository.kind !== "repository") throw new Error(repository.kind);
  const before = git("for-each-ref");
  const imported = await importBundle(repository, file, "refs/heads/work", within);
  return { imported, tip, isSame: git("for-each-ref") === before };
}

test("the branch of a job is made", async () => {
  const { imported, tip } = await receive(BRANCH);
  expect(imported).toEqual([{ ref: BRANCH, commit: tip, state: "new" }]);
});

test.each(["HEAD", "refs/heads/work", "refs/heads/other", "refs/tags/v1", "-d", `${BRANCH}-2`])(
  "a bundle that names %s moves nothing",
  async (name) => {
    expect(await receive(name)).toMatchObject({ imported: [], isSame: true });
  },
);

test("reverted work stays below the folder of its job", async () => {
  const folder = "refs/relais/salvage/job-1/";
  const within = await receive(`${folder}20260115T100000Z-0123abcd`, folder);
  expect(within.imported).toHaveLength(1);
  for (const name of [`${folder}../x`, `${folder}a/b`, folder, "refs/relais/salvage/job-2/a"])
    expect(await receive(name, folder)).toMatchObject({ imported: [], isSame: true });
});
