/** Decisions about a change are the same wherever its tick worked. */
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { describe, expect, test } from "vitest";
import { beginOwnName } from "../../src/system/own-folders.ts";
import { useSite } from "../crash/running.ts";
import { changedBetween, type Site } from "../crash/site.ts";
import { listIsolations } from "../support/isolations.ts";

const run = (site: Site) => site.relais(["run", "--json", "--task", join(site.box, "task.json")]);
const runIdOf = (answer: string): string => String(JSON.parse(answer).run_id);

describe.each(await listIsolations())("a tick that worked %s", (isolation) => {
  test("is undone, accepted and replayed", async () => {
    const site = await useSite("accepted", { isolation });
    const before = site.look();
    const first = await run(site);
    expect(JSON.parse(first.stdout)).toMatchObject({ code: "SUCCESS", isolation });
    expect(readFileSync(join(site.root, "src/new/deep.ts"), "utf8")).toContain("deep");
    expect(await site.relais(["undo", "--json"])).toMatchObject({ status: 0 });
    expect(changedBetween(before, site.look())).toEqual([]);
    const second = await run(site);
    expect(await site.relais(["accept", "--json"])).toMatchObject({ status: 0 });
    expect(site.git("status", "--porcelain")).toBe("");
    expect(await site.relais(["history", "replay", runIdOf(second.stdout)])).toMatchObject({ status: 0 });
    expect(existsSync(join(site.state() ?? "", "places"))).toBe(false);
  }, 120_000);

  test("waits in salvage where it was reverted", async () => {
    const site = await useSite("rolled-back", { isolation });
    const before = site.look();
    const { stdout } = await run(site);
    expect(JSON.parse(stdout)).toMatchObject({ code: "STOP_VERIFY_FAILED_FAST", isolation });
    expect(changedBetween(before, site.look())).toEqual([]);
    expect(await site.relais(["salvage", "apply", runIdOf(stdout)])).toMatchObject({ status: 0 });
    expect(readFileSync(join(site.root, "src/x.ts"), "utf8")).toBe("ok\n");
  }, 120_000);
});

test("recovery removes the temporary folders of a killed relais", async () => {
  const site = await useSite("accepted", { isolation: "clone" });
  const task = ["run", "--task", join(site.box, "task.json")];
  const tmp = join(site.box, "tmp");
  expect(await site.relais(task, { at: `${tmp}/relais-`, when: "after" })).toMatchObject({ signal: "SIGKILL" });
  expect(readdirSync(tmp)).toHaveLength(1);
  expect(await site.relais(["recover"])).toMatchObject({ status: 0 });
  expect(readdirSync(tmp)).toEqual([]);
}, 120_000);

test("doctor names the place of an ended tick, and recovery removes it", async () => {
  const site = await useSite("accepted", { isolation: "clone" });
  await run(site);
  const left = join(site.state() ?? "", "places/20250101T000000Z-0123abcd");
  const ofEnded = beginOwnName().replace(`-${process.pid}-`, `-${spawnSync("true").pid}-`);
  const tried = join(site.state() ?? "", `${ofEnded}abcdef`);
  for (const folder of [left, tried]) mkdirSync(folder, { recursive: true });
  const { stdout } = await site.relais(["doctor", "--json"]);
  expect(stdout).toContain(`an ended tick is left: ${basename(left)}, ${basename(tried)}`);
  expect(await site.relais(["recover"])).toMatchObject({ status: 0 });
  expect([left, tried].filter((folder) => existsSync(folder))).toEqual([]);
}, 120_000);
