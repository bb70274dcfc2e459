/** What an overlay does not hold back where there is no sandbox, and what a merge does not carry over. */
import { execFileSync, spawnSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { makeDefaultConfig } from "../../src/config/config.ts";
import { MainTreeChanged } from "../../src/base/main-tree-changed.ts";
import { tryOverlay } from "../../src/sandbox/mount-holder.ts";
import { chooseIsolation } from "../../src/place/choose-place.ts";
import { findRepository } from "../../src/git/repository-layout.ts";
import { startObeyingServer } from "../support/obeying-server.ts";
import { inWorld } from "../support/scenario.ts";
import { build, place, type Place } from "../support/workplace.ts";

async function prepare(repo: Place, config?: Parameters<Place["open"]>[1]) {
  const overlay = await repo.open("overlay", config);
  await overlay.change.prepare();
  return overlay;
}

const attribute = (act: string) => `python3 -c 'import os; print(${act})'`;
const refusal = await tryOverlay(tmpdir());
const isRoot = process.getuid?.() === 0;
const hasPython = spawnSync("python3", ["--version"]).status === 0;

describe.skipIf(refusal !== null)(`in an overlay ${refusal ?? ""}`, () => {
  test("a program that ran before writes into the worktree for the builder, and no evidence says so", async () => {
    const repo = place();
    const pipe = startObeyingServer();
    const overlay = await prepare(repo);
    const command = `cd ${repo.root} && echo evil > README.md && echo evil > dist/out.js && echo evil > dist/done`;
    await build(overlay, `echo 2 > src/a.ts; echo '${command}' > ${pipe}`);
    await expect.poll(() => existsSync(join(repo.root, "dist/done")), { timeout: 20_000 }).toBe(true);
    const candidate = await overlay.change.collect();
    expect(candidate.evidence.changes.map(({ path }) => path)).toEqual(["src/a.ts"]);
    expect(await overlay.settlement.merge(candidate)).toEqual([]);
    expect([repo.read("README.md"), repo.read("dist/out.js")]).toEqual(["evil\n", "evil\n"]);
    expect(repo.git("status", "--porcelain")).toBe(" M README.md\n M src/a.ts\n?? notes.txt\n");
  });

  test.runIf(hasPython)(
    "extended attributes are neither judged nor merged, and those of an edited file are lost",
    async () => {
      const repo = place();
      const list = `[os.listxattr("src/" + name) for name in ("a.ts", "b.ts")]`;
      execFileSync("sh", ["-c", attribute(`os.setxattr("src/b.ts", "user.mine", b"1")`)], { cwd: repo.root });
      const overlay = await prepare(repo);
      await build(
        overlay,
        `echo 2 > src/a.ts; echo 2 > src/b.ts; ${attribute(`os.setxattr("src/a.ts", "user.x", b"1")`)}`,
      );
      expect(await build(overlay, attribute(list))).toContain("user.x");
      const candidate = await overlay.change.collect();
      expect(candidate.evidence.attributes_touched).toEqual({ count: 0, paths: [] });
      await overlay.settlement.merge(candidate);
      expect(execFileSync("sh", ["-c", attribute(list)], { cwd: repo.root, encoding: "utf8" })).toBe("[[], []]\n");
    },
  );

  test("an ignored file that a person deletes and the builder edits comes back", async () => {
    const repo = place();
    const overlay = await prepare(repo);
    await build(overlay, "echo 2 > dist/out.js");
    rmSync(join(repo.root, "dist/out.js"));
    expect(await overlay.settlement.merge(await overlay.change.collect())).toEqual([]);
    expect(repo.read("dist/out.js")).toBe("2\n");
    await overlay.change.prepare();
    await build(overlay, "echo 2 > src/b.ts");
    const late = await overlay.change.collect();
    rmSync(join(repo.root, "src/b.ts"));
    await expect(overlay.settlement.merge(late)).rejects.toThrow(MainTreeChanged);
  });

  test.runIf(isRoot)("something mounted in the worktree makes another place necessary", async () => {
    const { root, state } = place();
    const point = join(root, "volume");
    mkdirSync(point);
    execFileSync("mount", ["-t", "tmpfs", "none", point]);
    onTestFinished(() => void execFileSync("umount", [point]));
    const repository = await findRepository(root, process.env);
    if (repository.kind !== "repository") throw new Error("the fixture is no repository");
    const question = { repository, stateDirectory: state };
    const { isolation, refusals } = await chooseIsolation({ ...question, isolation: "auto" });
    expect(isolation).not.toBe("overlay");
    expect(refusals.overlay).toContain("something is mounted");
    expect(await chooseIsolation({ ...question, isolation: "overlay" })).toMatchObject({ isolation: null });
  });

  test("more than a tick may add is refused as in place, and little of it is read", async () => {
    const { runner, ...config } = makeDefaultConfig();
    const overlay = await prepare(place(), { ...config, runner: { ...runner, max_new_files: 1_500 } });
    await build(overlay, "mkdir src/many && cd src/many && seq 3000 | xargs touch");
    const { evidence } = await overlay.change.collect();
    expect(evidence.excess).toEqual({ kind: "files", max: 1_500 });
    expect(evidence.changes.length).toBeLessThanOrEqual(1_000);
  });

  test("hooks run outside of it", () =>
    inWorld({ config: { isolation: "overlay", git: { commit: "always", hooks: "run" } } }, async (world) => {
      world.put({ ".git/hooks/pre-commit": "#!/bin/sh\necho hooked > dist/app.js\n" });
      chmodSync(join(world.root, ".git/hooks/pre-commit"), 0o755);
      expect(await world.run()).toMatchObject({ status: 0 });
      expect(world.read("dist/app.js")).toBe("hooked\n");
    }));
});

test("in a clone, the worktree can be reached by its path", async () => {
  const repo = place();
  const clone = await repo.open("clone");
  await clone.change.prepare();
  await build(clone, `echo 2 > src/a.ts; echo evil > "${repo.root}/README.md"`);
  expect((await clone.change.collect()).evidence.changes.map(({ path }) => path)).toEqual(["src/a.ts"]);
  expect(repo.read("README.md")).toBe("evil\n");
});
