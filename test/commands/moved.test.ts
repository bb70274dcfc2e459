import { renameSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { goodStep, inLoopWorld } from "../support/loop-world.ts";
import { relais } from "../support/in-process.ts";
import { inWorld } from "../support/scenario.ts";

test("a repository that was moved is told where its waiting change can be decided about", () =>
  inWorld({}, async (world) => {
    expect((await world.run()).status).toBe(0);
    const moved = join(world.place, "moved");
    renameSync(world.root, moved);
    for (const decision of ["accept", "undo"]) {
      const { status, stdout } = await relais([decision, "--json"], { cwd: moved, env: world.environment });
      expect(status).toBe(10);
      const told = { cause: "repository_moved", message: expect.stringContaining(world.root) };
      expect(JSON.parse(stdout)).toMatchObject(told);
    }
    renameSync(moved, world.root);
    expect((await world.relais(["accept"])).status).toBe(0);
  }));

test("a linked worktree that was moved has its waiting change with it, and another one has not", () =>
  inWorld({}, async (world) => {
    const linked = join(world.place, "linked");
    const moved = join(world.place, "elsewhere");
    world.git("worktree", "add", "-q", "-b", "linked", linked);
    expect((await world.run(["--cwd", linked])).status).toBe(0);
    world.git("worktree", "move", linked, moved);
    const { stdout } = await world.relais(["accept", "--json"]);
    expect(JSON.parse(stdout)).toMatchObject({ cause: "nothing_accepted" });
    expect(await world.relais(["accept", "--cwd", moved])).toMatchObject({ status: 0, stderr: "" });
  }));

test("a series goes on where its repository lies now", () =>
  inLoopWorld({ plans: [QUESTION, goodStep()] }, async ({ root, place, loop, environment }) => {
    const asked = await loop(["--max-ticks", "2"]);
    expect(asked.status).toBe(14);
    const moved = join(place, "moved");
    renameSync(root, moved);
    const there = (...args: readonly string[]) => relais([...args], { cwd: moved, env: environment });
    expect(JSON.parse((await there("status", "--json")).stdout).open_series).toMatchObject([
      { series_id: asked.summary.series_id },
    ]);
    expect((await there("answer", "this")).status).toBe(0);
    const summary = (await there("loop", "--json")).stdout.trimEnd().split("\n").at(-1) ?? "";
    expect(JSON.parse(summary)).toMatchObject({ resumed: true, series_id: asked.summary.series_id });
    renameSync(moved, root);
  }));

const QUESTION = {
  task_id: "T-question",
  milestone_id: "M-1",
  task_kind: "question",
  intent: "Ask.",
  question: { prompt: "Which one?", choices: ["this", "that"] },
};
