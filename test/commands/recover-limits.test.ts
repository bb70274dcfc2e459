/** What a builder still achieves that kills relais and forges the state for a recovery in place. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { type Forgery, forge } from "../support/forger.ts";
import { inWorld } from "../support/scenario.ts";
import type { World } from "../support/scenario-world.ts";

const KILL_RELAIS = {
  do: "run",
  argv: ["sh", "-c", 'kill -9 "$(ps -o ppid= -p "$PPID" | tr -d " ")"'],
  may_fail: true,
};
const write = (path: string, text: string) => ({ do: "write", path, text });
const run = (...argv: string[]) => ({ do: "run", argv });

interface Attack {
  /** What is there before the tick. */
  readonly before?: (world: World) => void;
  /** What the builder does before it kills relais. */
  readonly steps?: readonly object[];
  readonly forgery: (world: World) => Forgery;
  /** After a recovery that nobody was asked about. */
  readonly after: (world: World) => void | Promise<void>;
}

async function attack({ before, steps = [], forgery, after }: Attack): Promise<void> {
  const crashed = { config: { isolation: "in_place" }, ownProcess: true, steps: [...steps, KILL_RELAIS] };
  await inWorld(crashed, async (world) => {
    before?.(world);
    expect(await world.run()).toMatchObject({ status: null });
    await forge({ root: world.root, state: world.state() }, forgery(world));
    expect(await world.relais(["recover"])).toMatchObject({ status: 0, stderr: "" });
    await after(world);
  });
}

test("what the forged state calls unchanged stays as the builder left it", () =>
  attack({
    steps: [write("docs/guide.md", "evil\n"), write(".env", "SECRET=evil\n")],
    forgery: () => ({ asNow: true }),
    after: ({ git, read }) => {
      expect([read("docs/guide.md"), read(".env")]).toEqual(["evil\n", "SECRET=evil\n"]);
      expect(git("status", "--porcelain")).toBe("M docs/guide.md");
    },
  }));

test("a forgery that the builder commits counts as committed", () =>
  attack({
    steps: [write("docs/guide.md", "evil\n"), run("git", "commit", "-qam", "mine")],
    forgery: () => ({ asNow: true }),
    after: ({ git, read }) => {
      expect(read("docs/guide.md")).toBe("evil\n");
      expect(git("log", "-1", "--format=%s")).toBe("mine");
    },
  }));

test("a person's new file since the crash is removed, and kept in salvage", () =>
  attack({
    forgery: ({ put }) => {
      put({ "notes.txt": "mine\n" });
      return {};
    },
    after: async ({ has, relais }) => {
      expect(has("notes.txt")).toBe(false);
      expect((await relais(["salvage", "show"])).stdout).toContain("notes.txt");
    },
  }));

test("ignored build output is written and removed", () =>
  attack({
    before: ({ put }) => put({ "dist/old.js": "old\n" }),
    steps: [write("dist/app.js", "again\n"), write("dist/old.js", "again\n")],
    forgery: () => ({ files: { "dist/app.js": "evil\n", "dist/old.js": null } }),
    after: ({ has, read }) => {
      expect(read("dist/app.js")).toBe("evil\n");
      expect(has("dist/old.js")).toBe(false);
    },
  }));

test("a loose object that the commit does not need is removed and kept among the rescued", () => {
  let object = "";
  return attack({
    before: ({ git }) => {
      object = git("hash-object", "-w", ".env").replace(/^(..)/u, "objects/$1/");
    },
    forgery: () => ({ git: { [object]: null } }),
    after: (world) => {
      expect(existsSync(join(world.root, ".git", object))).toBe(false);
      expect(existsSync(join(world.state(), "rescued", object))).toBe(true);
    },
  });
});
