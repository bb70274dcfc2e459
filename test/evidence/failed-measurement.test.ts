/** No failure of a measurement may look like an answer: nothing changed, nothing wrong. */
import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, readdirSync, rmSync, statfsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { MeasurementError } from "../../src/base/errors.ts";
import { RollbackError } from "../../src/base/rollback-error.ts";
import { readStable } from "../../src/system/read-stable.ts";
import { walk } from "../../src/system/walk.ts";
import { bundle } from "../support/bundle.ts";
import { gitShim, place } from "../support/workplace.ts";

test("git is missing", async () => {
  const repo = place();
  const path = process.env["PATH"];
  onTestFinished(() => void (process.env["PATH"] = path));
  const workplace = await repo.open();
  await workplace.change.prepare();
  repo.write("src/a.ts", "changed\n");
  process.env["PATH"] = "/nowhere";
  await expect(workplace.change.collect()).rejects.toThrow(MeasurementError);
});

test.each(["fast-import", "diff-tree", "check-ignore"])("git is killed in %s", async (command) => {
  const repo = place();
  const workplace = await repo.open();
  await workplace.change.prepare();
  repo.write("src/a.ts", "changed\n");
  // So many that git stores them.
  for (let file = 0; file < 300; file += 1) repo.write(`src/new${file}.ts`, `new ${file}\n`);
  gitShim(`for word; do [ "$word" = ${command} ] && kill -9 $$; done; exec "$GIT" "$@"`);
  await expect(workplace.change.collect()).rejects.toThrow(MeasurementError);
});

test("git answers with half of its output", async () => {
  const repo = place();
  const workplace = await repo.open();
  await workplace.change.prepare();
  repo.write("src/a.ts", "changed\n");
  gitShim(`for word; do [ "$word" = diff-tree ] && { "$GIT" "$@" | head -c 150; exit 0; }; done; exec "$GIT" "$@"`);
  await expect(workplace.change.collect()).rejects.toThrow(MeasurementError);
});

test("the store lost the content that is to be put back", async () => {
  const repo = place();
  const workplace = await repo.open();
  await workplace.change.prepare();
  const objects = join(repo.state, "judge.git", "objects");
  for (const folder of readdirSync(objects)) rmSync(join(objects, folder), { recursive: true });
  rmSync(join(repo.root, "src/a.ts"));
  await expect(workplace.settlement.discard()).rejects.toThrow(RollbackError);
});

test("a file changes between being listed and being read", () => {
  const repo = place();
  const { manifest } = walk({ folder: repo.root, earlier: null, skipTopLevel: () => false, force: false });
  const entry = manifest.get("src/a.ts");
  if (entry === undefined) throw new Error("the file was not listed");
  repo.write("src/a.ts", "ONE\nTWO\n");
  expect(() => readStable({ folder: repo.root, path: "src/a.ts", entry }, false)).toThrow(/changed while it was read/);
});

test("a file that is too large for the disk of the store", async ({ skip }) => {
  const repo = place({ "src/noise.bin": noise(3 * 1024 * 1024) });
  const mounted = spawnSync("mount", ["-t", "tmpfs", "-o", "size=1m", "tmpfs", repo.state]);
  if (mounted.status !== 0) return skip("a small disk needs the right to mount");
  onTestFinished(() => void execFileSync("umount", ["-l", repo.state]));
  expect(statfsSync(repo.state).blocks).toBeLessThan(300);
  const workplace = await repo.open();
  await expect(workplace.change.prepare()).rejects.toThrow(MeasurementError);
  return undefined;
});

function noise(bytes: number): string {
  let text = "";
  for (let value = 1; text.length < bytes; value = (value * 48_271) % 2_147_483_647) text += value.toString(36);
  return text;
}

test("a folder that may not be read, as an ordinary user", async () => {
  const repo = place();
  mkdirSync(join(repo.root, "closed"));
  writeFileSync(join(repo.root, "closed", "x"), "x");
  const driver = await bundle("prepare-only.ts", join(repo.state, ".."));
  execFileSync("chmod", ["0", join(repo.root, "closed")]);
  const isRoot = process.getuid?.() === 0;
  if (isRoot) execFileSync("chown", ["-R", "65534:65534", join(repo.root, "..")]);
  const run = spawnSync(process.execPath, [driver, repo.root, repo.state], {
    encoding: "utf8",
    timeout: 60_000,
    ...(isRoot ? { uid: 65_534, gid: 65_534 } : {}),
  });
  execFileSync("chmod", ["700", join(repo.root, "closed")]);
  expect(run.stdout).toMatch(/^MeasurementError: .*closed.*EACCES/);
});
