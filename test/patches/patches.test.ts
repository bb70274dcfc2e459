/**
 * A patch of the fixtures as a whole tick: a malicious one leaves no trace, an honest one exactly what it says. A patch for
 * every way to end, and some of the others, is tried by `npm test`.
 */
import { lstatSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { partOf } from "../support/part-of.ts";
import { checkRepository, watch } from "../support/scenario-ending.ts";
import { makeWorld, type World } from "../support/scenario-world.ts";
import { type PatchFixture, patchFixtures } from "./patch-fixture.ts";

const FILES = {
  "src/deep/only.ts": "only\n",
  "src/list.txt": "1\n2\n3\n4\n5\n6\n7\n8\n9\n",
  "src/crlf.txt": "one\r\ntwo\r\n",
  "src/bare.txt": "bare",
  "src/dashes.txt": "-- a/docs/guide.md\nend\n",
  "src/nothing.txt": "",
  "config/server.key": "first line\nsecond line\n",
  "src/caf\u00e9.ts": "caf\u00e9\n",
};
const CAPS = { max_ticks: 1000, max_builder_calls: 1000 };
const CONFIG = {
  builder: { default_mode: "patch", patch: { max_patch_attempts_per_milestone: 1000 } },
  budgets: { per_milestone: CAPS },
  history: { enabled: false },
};

const worlds: World[] = [];
afterAll(() => {
  for (const { box } of worlds) rmSync(box, { recursive: true, force: true });
});

/** A repository that many patches are tried on, one after the other. */
function openWorld(): World {
  const world = makeWorld({
    kind: null,
    files: FILES,
    variables: {},
    config: () => CONFIG,
    isPlanned: false,
  });
  worlds.push(world);
  symlinkSync("other.ts", join(world.root, "src/link.ts"));
  symlinkSync("../docs", join(world.root, "src/linkdir"));
  symlinkSync("../docs", join(world.root, "dist/link"));
  world.git("add", "-A");
  world.git("commit", "-qm", "links");
  return world;
}

async function tried(world: World, { name, task }: PatchFixture): Promise<string> {
  const file = join(world.box, `${name}.json`);
  writeFileSync(file, JSON.stringify(task));
  const { stdout, stderr } = await world.relais(["run", "--json", "--task", file]);
  expect(stderr).toBe("");
  const { code, cause }: { code: string; cause: string | null } = JSON.parse(stdout);
  return cause === null ? code : `${code} ${cause}`;
}

const LANES = [0, 1] as const;
const SAMPLING = { kindOf: ({ expect: [ends = ""] }: PatchFixture) => ends, oneIn: 60 };

interface Lane {
  readonly fixtures: readonly PatchFixture[];
  /** The tests of a lane share a repository and wait for each other. */
  readonly world: () => World;
}

function lanes(fixtures: readonly PatchFixture[]): readonly Lane[] {
  return LANES.map((lane) => {
    let opened: World | null = null;
    const world = (): World => (opened ??= openWorld());
    const part = partOf(fixtures, SAMPLING);
    return { fixtures: part.filter((_fixture, at) => at % LANES.length === lane), world };
  }).filter(({ fixtures: own }) => own.length > 0);
}

describe.concurrent("a malicious patch is refused and leaves everything as it was", () => {
  describe.each(lanes(patchFixtures("malicious")))("lane", ({ fixtures, world }) => {
    test.sequential.each(fixtures)("$name: $says", async (fixture) => {
      const before = watch(world());
      const outcome = await tried(world(), fixture);
      checkRepository(world(), before, { code: "SUCCESS" });
      expect(fixture.expect).toContain(outcome);
    });
  });
});

describe.concurrent("an honest patch makes exactly what it says", () => {
  describe.each(lanes(patchFixtures("honest")))("lane", ({ fixtures, world }) => {
    test.sequential.each(fixtures)("$name: $says", async (fixture) => {
      try {
        expect(await tried(world(), fixture)).toBe("SUCCESS");
        checkMade(world(), fixture);
      } finally {
        world().git("reset", "-q", "--hard");
        world().git("clean", "-qfd");
      }
    });
  });
});

function checkMade(world: World, { holds, modes, gone }: PatchFixture): void {
  for (const [path, text] of holds) expect(world.read(path)).toBe(text);
  for (const [path, mode] of modes) expect(lstatSync(join(world.root, path)).mode & 0o7777).toBe(Number(`0o${mode}`));
  for (const path of gone) expect(world.has(path) && lstatSync(join(world.root, path)).isFile()).toBe(false);
  const named = new Set([...holds.map(([path]) => path), ...modes.map(([path]) => path), ...gone]);
  const status = world.git("-c", "core.quotePath=false", "status", "--porcelain", "-uall", "--no-renames");
  const changed = status.split("\n").map((line) => line.trim().replace(/^\S+ /, "").replaceAll('"', ""));
  expect(changed.toSorted()).toEqual([...named].toSorted());
}
