/** A file that belongs to one of a user's further groups goes back to it, without root's help. */
import { execFileSync, spawnSync } from "node:child_process";
import { chmodSync, chownSync, statSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { bundle } from "../support/bundle.ts";
import { place } from "../support/workplace.ts";

const NOBODY = 65_534;
const FURTHER = 54_321;

test.runIf(process.getuid?.() === 0).each([
  ["of the user", [NOBODY, FURTHER], /^put back$/m],
  ["of others, which cannot be given back", [NOBODY], /RollbackError: .*still differs/],
] as const)("a group %s", async (_, groups, answer) => {
  const repo = place();
  const program = await bundle("put-back.ts", join(repo.state, ".."));
  execFileSync("chown", ["-R", `${NOBODY}:${NOBODY}`, join(repo.root, "..")]);
  const file = join(repo.root, "src/a.ts");
  chownSync(file, NOBODY, FURTHER);
  chmodSync(file, 0o2750);
  const args = [program, repo.root, repo.state, "src/a.ts", ...groups.map(String)];
  const run = spawnSync(process.execPath, args, { encoding: "utf8", timeout: 60_000 });
  expect(run.stdout).toMatch(answer);
  const { gid, mode } = statSync(file);
  const isBack = gid === FURTHER && mode === 0o102750;
  expect(isBack).toBe(groups.length === 2);
});
