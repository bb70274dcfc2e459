/** More new files than a tick may add: what is listed, read and kept of them is bounded, and they are removed again. */
import { existsSync, readdirSync, renameSync, rmSync, symlinkSync, truncateSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { expect, test } from "vitest";
import { makeDefaultConfig } from "../../src/config/config.ts";
import { judge } from "../../src/judge/pure/judge.ts";
import { fill } from "../support/fill.ts";
import { type Place, place } from "../support/workplace.ts";

const LISTED_MAX = 1_000;

/** A workplace before a build, in which a tick may add this much. */
async function prepare({ open }: Place, caps: { readonly max_new_files?: number; readonly max_new_mb?: number }) {
  const { runner, ...config } = makeDefaultConfig();
  const workplace = await open("in_place", { ...config, runner: { ...runner, ...caps } });
  await workplace.change.prepare();
  return workplace;
}

function countStored(state: string): number {
  return readdirSync(join(state, "judge.git/objects/pack")).length + readdirSync(join(state, "large")).length;
}

test("of too many new files only the first are listed and read, and the judge refuses them", async () => {
  const here = place();
  const workplace = await prepare(here, { max_new_files: 1_500 });
  fill(join(here.root, "src/many"), 3_000);
  const { evidence, observation } = await workplace.change.collect();
  expect(evidence.excess).toEqual({ kind: "files", max: 1_500 });
  expect(evidence.changes.length).toBeLessThanOrEqual(LISTED_MAX);
  expect(observation.worktree.size).toBeLessThanOrEqual(LISTED_MAX + 20);
  expect(judge(evidence)).toMatchObject({ code: "STOP_DIFF_TOO_LARGE", cause: "too_many_files" });
  expect(await workplace.settlement.discard()).toEqual([]);
  expect(existsSync(join(here.root, "src/many"))).toBe(false);
  expect(here.git("status", "--porcelain")).toBe("?? notes.txt\n");
});

test("a known file is restored, and one of its own kept, in the middle of a flood", async () => {
  const here = place();
  const workplace = await prepare(here, { max_new_files: 100 });
  here.write("src/a.ts", "changed\n");
  fill(join(here.root, "dist"), 300);
  fill(join(here.root, ".git/objects/aa"), 300);
  const { evidence } = await workplace.change.collect();
  expect(evidence.changes.map(({ path }) => path)).toContain("src/a.ts");
  await workplace.settlement.discard();
  expect(here.read("src/a.ts")).toBe("one\ntwo\n");
  expect(readdirSync(join(here.root, "dist"))).toEqual(["out.js"]);
  expect(existsSync(join(here.root, ".git/objects/aa/1"))).toBe(false);
});

test("a renamed folder with more entries than a tick may add counts as new", async () => {
  const here = place();
  fill(join(here.root, "dist/old"), 150);
  const workplace = await prepare(here, { max_new_files: 100 });
  renameSync(join(here.root, "dist/old"), join(here.root, "dist/new"));
  expect((await workplace.change.collect()).evidence.excess).toEqual({ kind: "files", max: 100 });
});

test("nothing behind a link is removed, in the place of a folder or beside the flood", async () => {
  const here = place({ "docs/guide.md": "guide\n" });
  const workplace = await prepare(here, { max_new_files: 100 });
  const outside = join(here.state, "../outside");
  fill(outside, 300);
  here.git("rm", "-rq", "docs");
  symlinkSync(outside, join(here.root, "docs"));
  symlinkSync(outside, join(here.root, "src/link"));
  fill(join(here.root, "src/many"), 300);
  await workplace.settlement.discard();
  expect(readdirSync(outside)).toHaveLength(300);
  expect(here.read("docs/guide.md")).toBe("guide\n");
});

test("files of 20 GB without data are neither read nor stored", async () => {
  const here = place();
  const workplace = await prepare(here, {});
  const before = countStored(here.state);
  here.write("dist/large.bin", "");
  for (const path of ["dist/large.bin", "src/a.ts"]) truncateSync(join(here.root, path), 20 * 1024 ** 3);
  const { evidence } = await workplace.change.collect();
  expect(evidence.excess).toEqual({ kind: "bytes", max: 4096 * 1024 ** 2 });
  expect(evidence.changes.map(({ after }) => after?.id)).toEqual([null, null]);
  await workplace.settlement.discard();
  expect(countStored(here.state)).toBe(before);
  expect(here.read("src/a.ts")).toBe("one\ntwo\n");
});

test("thousands of ignored files are within the default limits", async () => {
  const here = place();
  const workplace = await prepare(here, {});
  fill(join(here.root, "dist"), 2_000);
  const { evidence } = await workplace.change.collect();
  expect(evidence.excess).toBeUndefined();
  expect(evidence.changes).toHaveLength(2_000);
});

test("the watch notices too many files while they are made, and only then", async () => {
  const here = place();
  const workplace = await prepare(here, { max_new_files: 200 });
  const watch = workplace.place.watchGrowth();
  try {
    fill(join(here.root, "src/many"), 150);
    fill(join(here.state, "../outside"), 300);
    await delay(1_000);
    expect(watch.findExcess()).toBeNull();
    fill(join(here.root, "src/more"), 150);
    // Others may use the same file system, and free its space: it is filled until the watch has seen it.
    for (let folder = 0; !watch.signal.aborted; folder += 1) {
      fill(join(here.root, `src/more-${folder}`), 50);
      await delay(100);
    }
    expect(watch.findExcess()).toEqual({ kind: "files", max: 200 });
  } finally {
    watch.end();
  }
});

test("a deletion of more than is compared line by line is counted", async () => {
  const line = `${"x".repeat(1_023)}\n`;
  const here = place();
  for (let n = 0; n < 22; n += 1) here.write(`src/large-${n}.txt`, line.repeat(3 * 1024) + String(n));
  const workplace = await prepare(here, {});
  for (let n = 0; n < 22; n += 1) rmSync(join(here.root, `src/large-${n}.txt`));
  const { evidence } = await workplace.change.collect();
  expect(evidence.changes).toHaveLength(22);
  expect(new Set(evidence.changes.map(({ lines_deleted }) => lines_deleted))).toEqual(new Set([3 * 1024 + 1]));
});
