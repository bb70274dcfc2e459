/** Commands obey documents in the state directory long after their tick; a later builder can write them. */
import { readFileSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { inWorld } from "../support/scenario.ts";
import type { World } from "../support/scenario-world.ts";

/** Lets undo write `.env`, as a file that was changed beside the commit. */
function forge(world: World, kind: "accepted" | "salvage"): void {
  const folder = join(world.state(), kind);
  const path = join(folder, readdirSync(folder)[0] ?? "", "meta.json");
  const meta = JSON.parse(readFileSync(path, "utf8"));
  const [file] = meta.files;
  meta.files = [...meta.files, { ...file, path: ".env", before: file.before, after: file.before }];
  writeFileSync(path, `${JSON.stringify(meta, null, 2)}\n`);
}

test("a forged document is refused by undo, and nothing is written", () =>
  inWorld({}, async (world) => {
    expect((await world.run()).status).toBe(0);
    const change = world.read("src/main.ts");
    forge(world, "accepted");
    const undone = await world.relais(["undo", "--json"]);
    expect(undone.status).not.toBe(0);
    expect(undone.stdout).toContain("not what the journal recorded");
    expect(world.read("src/main.ts")).toBe(change);
  }));

test("a forged document is refused by salvage, and nothing is written", () =>
  inWorld({ steps: [{ do: "write", path: "docs/stray.md", text: "x\n" }] }, async (world) => {
    expect((await world.run()).status).toBe(10);
    forge(world, "salvage");
    const applied = await world.relais(["salvage", "apply", "--json"]);
    expect(applied.status).not.toBe(0);
    expect(applied.stdout).toContain("not what the journal recorded");
    expect(world.has("docs/stray.md")).toBe(false);
  }));
