/** After a crash, the work in a place of its own waits for the recovery, whatever a person does meanwhile. */
import { describe, expect, test } from "vitest";
import { listIsolations } from "../support/isolations.ts";
import { inWorld } from "../support/scenario.ts";

const OWN = (await listIsolations()).filter((name) => name !== "in_place");
const EDIT = { do: "write", path: "src/main.ts", text: "export const answer = 42;\n" };

/** The check kills relais. */
const killedIn = (isolation: string) => ({
  config: {
    isolation,
    verification: {
      templates: [
        { id: "answer", cmd: "sh", args: ["-c", "kill -9 $PPID; sleep 5"] },
        { id: "green", cmd: "true" },
      ],
    },
  },
  steps: [EDIT],
  ownProcess: true,
});

test("where nothing was changed yet, nothing is in salvage", () =>
  inWorld(
    { steps: [{ do: "run", argv: ["sh", "-c", "kill -9 $(ps -o ppid= -p $PPID); sleep 5"] }], ownProcess: true },
    async (world) => {
      expect(await world.run()).toMatchObject({ status: null });
      expect(await world.relais(["recover"])).toMatchObject({ status: 0 });
      expect((await world.relais(["salvage", "list"])).stdout).toBe("Nothing saved: no tick was reverted.\n");
    },
  ));

describe.each(OWN)("in its own place, %s", (isolation) => {
  test("a tick that is refused and a dry run leave it there", () =>
    inWorld(killedIn(isolation), async (world) => {
      expect(await world.run()).toMatchObject({ status: null });
      await world.relais(["run", "something else", "--dry-run"]);
      expect(await world.run()).toMatchObject({ status: 11 });
      expect(await world.relais(["recover"])).toMatchObject({ status: 0 });
      expect((await world.relais(["salvage", "show"])).stdout).toContain("+export const answer = 42;");
    }));

  test("an edit of the same file is neither saved with it nor lost by applying it", () =>
    inWorld(killedIn(isolation), async (world) => {
      expect(await world.run()).toMatchObject({ status: null });
      world.put({ "src/main.ts": "mine\n" });
      expect(await world.relais(["recover"])).toMatchObject({ status: 0 });
      expect((await world.relais(["salvage", "show"])).stdout).not.toContain("mine");
      expect(await world.relais(["salvage", "apply"])).toMatchObject({ status: 10 });
      expect(world.read("src/main.ts")).toBe("mine\n");
      world.git("checkout", "--quiet", "src");
      expect(await world.relais(["salvage", "apply"])).toMatchObject({ status: 0 });
      expect(world.read("src/main.ts")).toBe(EDIT.text);
    }));
});
