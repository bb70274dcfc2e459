import { chmodSync, lstatSync, readdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { inWorld } from "../support/scenario.ts";

/** Everything in a folder that others than its owner may read, write or enter. */
function openEntries(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((name) => {
    const { mode } = lstatSync(join(folder, name));
    return (mode & 0o077) !== 0;
  });
}

test("what is kept outside the repository is for its owner alone, whatever the umask is", () =>
  inWorld({}, async (world) => {
    const objects = join(world.root, ".git", "objects");
    const usual = process.umask(0);
    try {
      expect((await world.run()).status).toBe(0);
      expect((await world.relais(["accept"])).status).toBe(0);
      chmodSync(dirname(world.state()), 0o777);
      chmodSync(world.state(), 0o777);
      expect((await world.relais(["undo"])).status).toBe(0);
    } finally {
      process.umask(usual);
    }
    expect(openEntries(join(world.box, "state"))).toEqual([]);
    // What is written into the repository has the modes that its owner's umask gives.
    const modes = readdirSync(objects, { recursive: true, encoding: "utf8" }).map(
      (name) => lstatSync(join(objects, name)).mode & 0o777,
    );
    expect(modes).toContain(0o777);
  }));
