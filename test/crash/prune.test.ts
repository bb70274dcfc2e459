/** `history prune` is killed at its steps: nothing that somebody may still want is lost, and the next prune ends it. */
import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { listIsolations } from "../support/isolations.ts";
import { partOf } from "../support/part-of.ts";
import { useSite } from "./running.ts";
import { changedBetween, type Site, taskOf } from "./site.ts";
import { everyPosition } from "./strike.ts";

const PRUNE = ["history", "prune", "--keep", "0"];

/** Runs a tick whose builder writes this text; only "ok" passes the check. */
async function runTick(site: Site, text: string): Promise<string> {
  writeFileSync(join(site.box, "task.json"), JSON.stringify(taskOf(text)));
  const { stdout } = await site.relais(["run", "--json", "--task", join(site.box, "task.json")]);
  return /"run_id":"(?<id>[^"]+)"/.exec(stdout)?.groups?.["id"] ?? "";
}

/** A change in salvage, one that nobody wants any more, and one that waits to be committed. */
async function prepareSite(site: Site) {
  const wanted = await runTick(site, "wanted");
  const dropped = await runTick(site, "dropped");
  rmSync(join(site.state() ?? "", "salvage", dropped), { recursive: true });
  const before = site.look();
  const waiting = await runTick(site, "ok");
  expect(site.git("status", "--porcelain")).toContain("src/x.ts");
  return { wanted, waiting, before };
}

/** Puts everything at its place again, as it was: the state directory is named for the path. */
function saveSite({ box }: Site): () => void {
  const saved = `${box}-saved`;
  execFileSync("cp", ["-a", box, saved]);
  return () => {
    for (const name of readdirSync(box)) rmSync(join(box, name), { recursive: true });
    execFileSync("cp", ["-a", `${saved}/.`, box]);
  };
}

function listStored(site: Site): readonly string[] {
  const objects = join(site.state() ?? "", "judge.git/objects");
  const list = execFileSync("git", ["cat-file", "--batch-all-objects", "--batch-check=%(objectname)"], {
    cwd: join(objects, ".."),
    env: { ...site.environment, GIT_DIR: join(objects, "..") },
    encoding: "utf8",
  });
  return list.trim().split("\n");
}

test.each(await listIsolations())(
  "a prune that is killed, %s, loses nothing that salvage, undo and replay need",
  async (isolation) => {
    const site = await useSite("accepted", { isolation });
    const { wanted, waiting, before } = await prepareSite(site);
    const patch = (await site.relais(["salvage", "show", wanted])).stdout;
    expect(patch).toContain("+wanted");
    const many = listStored(site);
    const putBack = saveSite(site);
    const log = join(site.box, "calls");
    expect(await site.relais(PRUNE, { log })).toMatchObject({ status: 0 });
    const few = listStored(site);
    expect(few.length).toBeLessThan(many.length);
    const calls = readFileSync(log, "utf8").trimEnd().split("\n");
    const ofStore = everyPosition(calls).filter(({ call }) => /judge\.git|\/large\/|spawn/.test(call));
    const kindOf = ({ call, when }: (typeof ofStore)[number]): string =>
      `${when} ${/^\d+ (?<name>\S+)/.exec(call)?.groups?.["name"] ?? ""} ${call.includes("pack") ? "pack" : ""}`;
    const positions = partOf(ofStore, { kindOf, oneIn: 60 });
    expect(positions.length).toBeGreaterThan(4);
    for (const { at, when } of positions) {
      putBack();
      expect(await site.relais(PRUNE, { at, when })).toMatchObject({ signal: "SIGKILL" });
      expect(await site.relais(["history", "replay", waiting])).toMatchObject({ status: 0 });
      expect(await site.relais(PRUNE)).toMatchObject({ status: 0 });
      expect(listStored(site)).toEqual(few);
      expect((await site.relais(["salvage", "show", wanted])).stdout).toBe(patch);
      expect(await site.relais(["undo"])).toMatchObject({ status: 0 });
      expect(changedBetween(before, site.look())).toEqual([]);
      expect(await site.relais(["salvage", "apply", wanted])).toMatchObject({ status: 0 });
      expect(readFileSync(join(site.root, "src/x.ts"), "utf8")).toBe("wanted\n");
      expect(readFileSync(join(site.root, "src/new/deep.ts"), "utf8")).toBe("export const deep = true;\n");
    }
    rmSync(`${site.box}-saved`, { recursive: true });
  },
  600_000,
);
