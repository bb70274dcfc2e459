/** Recovery of a tick in an overlay reverts a merge that a crash interrupted, by its evidence, which can be forged. */
import { readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { tryOverlay } from "../../src/sandbox/mount-holder.ts";
import { forgeEvidence } from "../support/forger.ts";
import { inWorld } from "../support/scenario.ts";
import type { World } from "../support/scenario-world.ts";

/** The first check kills relais, when the evidence is recorded. */
const KILLED = {
  config: {
    isolation: "overlay",
    verification: {
      templates: [
        { id: "answer", cmd: "sh", args: ["-c", "kill -9 $PPID; sleep 5"] },
        { id: "green", cmd: "true" },
      ],
    },
  },
  task: { scope: { allow_new_files: true } },
  steps: [{ do: "write", path: "src/new.ts", text: "new\n" }],
  ownProcess: true,
};

const placeOf = (world: World) => ({ root: world.root, state: world.state() });
const refusal = await tryOverlay(tmpdir());

describe.skipIf(refusal !== null)(`in an overlay ${refusal ?? ""}`, () => {
  test("one that only the evidence calls new is not removed without a question", () =>
    inWorld(KILLED, async (world) => {
      expect(await world.run()).toMatchObject({ status: null });
      world.put({ "src/new.ts": "new\n", "notes.txt": "mine\n" });
      await forgeEvidence(placeOf(world), [".env", "notes.txt"]);
      const { stdout, status } = await world.relais(["recover", "--json"]);
      expect({ status, ...JSON.parse(stdout) }).toMatchObject({
        status: 11,
        cause: "unproven_rollback",
        rollback: [
          { act: "remove", path: ".env" },
          { act: "remove", path: "notes.txt" },
        ],
      });
      expect([world.read(".env"), world.read("notes.txt")]).toEqual(["SECRET=hunter2\n", "mine\n"]);
    }));

  test("an honest recovery before the merge asks nothing", () =>
    inWorld(KILLED, async (world) => {
      expect(await world.run()).toMatchObject({ status: null });
      expect(await world.relais(["recover"])).toMatchObject({ status: 0, stderr: "" });
      expect(world.has("src/new.ts")).toBe(false);
      expect((await world.relais(["salvage", "show"])).stdout).toContain("src/new.ts");
    }));

  test.each([".git/config", "../neighbour/untouched.txt", "src/../../neighbour/untouched.txt"])(
    "nothing is reverted by an evidence that names %s",
    (path) =>
      inWorld(KILLED, async (world) => {
        expect(await world.run()).toMatchObject({ status: null });
        const content = readFileSync(join(world.root, path), "utf8");
        await forgeEvidence(placeOf(world), [path]);
        expect(await world.relais(["recover", "--yes"])).toMatchObject({ status: 11 });
        expect(readFileSync(join(world.root, path), "utf8")).toBe(content);
      }),
  );
});
