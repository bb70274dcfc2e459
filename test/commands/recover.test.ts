import { existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { differences } from "../support/walker.ts";
import { inWorld } from "../support/scenario.ts";
import { watch } from "../support/scenario-ending.ts";
import type { World } from "../support/scenario-world.ts";

const KILL_RELAIS = {
  do: "run",
  argv: ["sh", "-c", 'kill -9 "$(ps -o ppid= -p "$PPID" | tr -d " ")"'],
  may_fail: true,
};
const task = (...steps: object[]) => ({
  config: { isolation: "in_place" },
  ownProcess: true,
  steps: [{ do: "write", path: "src/main.ts", text: "half\n" }, ...steps, KILL_RELAIS],
});

async function crash(world: World): Promise<void> {
  const ran = await world.run();
  expect(ran).toMatchObject({ status: null });
  expect(world.read("src/main.ts")).toBe("half\n");
}

test("a builder that deletes .git and kills relais leaves nothing that recovery cannot undo", () =>
  inWorld(task({ do: "run", argv: ["rm", "-rf", ".git"] }), async (world) => {
    const before = watch(world);
    await crash(world);
    expect(existsSync(join(world.root, ".git"))).toBe(false);
    // Nothing is left that could confirm it.
    const refused = await world.relais(["recover", "--json"]);
    expect(JSON.parse(refused.stdout)).toMatchObject({ cause: "unproven_rollback" });
    expect(existsSync(join(world.root, ".git"))).toBe(false);
    const recovered = await world.relais(["recover", "--yes"]);
    expect(recovered).toMatchObject({ status: 0, stderr: "" });
    expect(differences(before, watch(world))).toEqual([]);
    const again = await world.relais(["recover", "--json"]);
    expect(JSON.parse(again.stdout)).toMatchObject({ kind: "nothing", run_id: null });
  }));

test("what the session was handed is not told as work that is lost, and what was written elsewhere is", () =>
  inWorld(task({ do: "write", path: "relais/FACTS.md", text: "mine\n" }), async (world) => {
    await crash(world);
    const { stdout } = await world.relais(["recover"]);
    expect(stdout).toMatch(/not kept in salvage: relais\/FACTS\.md/);
    expect(stdout).not.toMatch(/relais\/\.tmp/);
  }));

test("where what was remembered is lost, that is said and nothing is touched", () =>
  inWorld(task(), async (world) => {
    await crash(world);
    rmSync(join(world.state(), "observation"));
    const recovered = await world.relais(["recover"]);
    expect(recovered.status).toBe(11);
    expect(recovered.stderr).toMatch(/^blocked BLOCKED_ROLLBACK_FAILED: .*is lost/);
    expect(world.read("src/main.ts")).toBe("half\n");
  }));

test("documents that were damaged are written again from the journal", () =>
  inWorld({}, async (world) => {
    expect((await world.run()).status).toBe(0);
    world.put({ "relais/STATE.json": "{" });
    expect(await world.relais(["recover"])).toMatchObject({ status: 0 });
    expect(JSON.parse(world.read("relais/STATE.json"))).toMatchObject({ last_code: "SUCCESS" });
  }));

test("a folder in the place of a document is moved away, and the document is written", () =>
  inWorld({}, async (world) => {
    expect((await world.run()).status).toBe(0);
    const path = join(world.root, "relais/STATE.json");
    rmSync(path);
    mkdirSync(join(path, "full"), { recursive: true });
    expect(await world.relais(["recover"])).toMatchObject({ status: 0 });
    expect(JSON.parse(world.read("relais/STATE.json"))).toMatchObject({ last_code: "SUCCESS" });
    expect(await world.relais(["recover"])).toMatchObject({ status: 0, stderr: "" });
  }));

test("a tick that was interrupted in another worktree is recovered there and nowhere else", () =>
  inWorld(task(), async (world) => {
    world.git("worktree", "add", "-q", "-b", "linked", "../linked");
    const linked = join(world.root, "..", "linked");
    await crash(world);
    const mine = join(linked, "src", "mine.txt");
    writeFileSync(mine, "mine\n");
    const there = await world.relais(["recover", "--cwd", linked]);
    expect(there.status).toBe(11);
    expect(there.stderr).toContain(`was interrupted in another worktree, ${world.root}`);
    expect(existsSync(mine)).toBe(true);
    expect(await world.relais(["recover"])).toMatchObject({ status: 0 });
    expect(world.read("src/main.ts")).not.toBe("half\n");
  }));

test("a decision about a change belongs to the worktree that holds it", () =>
  inWorld({}, async (world) => {
    world.git("worktree", "add", "-q", "-b", "linked", "../linked");
    const linked = join(world.root, "..", "linked");
    expect((await world.run()).status).toBe(0);
    for (const decision of ["undo", "accept"]) {
      const refused = await world.relais([decision, "--cwd", linked]);
      expect(refused.status).toBe(10);
    }
    expect(await world.relais(["undo"])).toMatchObject({ status: 0 });
  }));

test("what is written while the checks run is put back too, and can be found", () =>
  inWorld(
    {
      config: {
        verification: { templates: [{ id: "late", cmd: "sh", args: ["-c", "echo mine > src/late.ts"] }] },
      },
      task: { verification: { fast: ["late"], slow: [] } },
    },
    async (world) => {
      const ran = await world.run();
      expect(ran.status).toBe(10);
      expect(world.has("src/late.ts")).toBe(false);
      const shown = await world.relais(["salvage", "show"]);
      expect(shown.stdout).toContain("src/late.ts");
      expect(shown.stdout).toContain("src/main.ts");
    },
  ));

test("a lock in the workspace that nobody understands is named with the remedy, and nothing is touched", () =>
  inWorld({}, async (world) => {
    expect((await world.run()).status).toBe(0);
    world.put({ "relais/lock.json": "?" });
    const before = watch(world);
    const recovered = await world.relais(["recover"]);
    expect(recovered.status).toBe(11);
    expect(recovered.stderr).toMatch(
      /^blocked BLOCKED_LOCK_HELD: The lock file (?<path>.+\/relais\/lock\.json) is damaged: .+\nNext: Make sure .+ rm \k<path>\n$/,
    );
    const again = await world.relais(["recover", "--json"]);
    expect(again.status).toBe(11);
    expect(JSON.parse(again.stdout)).toMatchObject({
      kind: "nothing",
      damaged_lock: { path: join(world.root, "relais/lock.json") },
    });
    expect(differences(before, watch(world))).toEqual([]);
    rmSync(join(world.root, "relais/lock.json"));
    expect(await world.relais(["recover"])).toMatchObject({ status: 0, stderr: "" });
  }));
