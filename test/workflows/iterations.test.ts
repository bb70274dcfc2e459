/** Whole iterations of the tree through the executable: what passes, what costs an attempt, and what is written down. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { relais } from "../support/relais.ts";
import { node } from "../support/tree-node.ts";
import { DONE, propose, treeWorld, write } from "../support/tree-world.ts";

const RIGHT = write("src/x.ts", "right");
const WRONG = write("src/x.ts", "wrong");

test("a goal is taken apart, done, failed once, mended and finished", async () => {
  const [one, two] = [node("one", { order: 1 }), node("two", { order: 2 })];
  const plan = node("root", { children: [one, two] });
  const world = treeWorld({
    turns: [
      `${propose(plan)}\necho "assume it" >> "$RELAIS_DROP/ASSUMPTIONS.md"\nresult decomposed`,
      `${WRONG}\n${DONE}`,
      `${RIGHT}\n${DONE}`,
      `${write("src/y.ts", "more")}\n${DONE}`,
    ],
  });
  const { status, reports, summary } = await world.iterate("run");
  expect(status).toBe(0);
  expect(summary).toMatchObject({
    workflow: "tree",
    command: "tree",
    end: "complete",
    reason: "root_passes",
  });
  expect(reports.map(({ code }) => code)).toEqual(["SUCCESS", "STOP_GUARD_FAILED", "SUCCESS", "SUCCESS"]);
  const series = summary.series_id;
  expect(world.subjects()).toEqual([
    `chore(loop): run ${series} iter 0001 node root decompose guard=skipped`,
    `chore(loop): run ${series} iter 0002 node one execute guard=fail`,
    `chore(loop): run ${series} iter 0003 node one execute guard=pass`,
    `chore(loop): run ${series} iter 0004 node two execute guard=pass`,
  ]);
  expect(world.git("symbolic-ref", "--short", "HEAD")).toBe(`relais/tree-${series.slice(-4)}`);
  expect(world.git("status", "--porcelain")).toBe("");
  expect(world.tree().root).toMatchObject({
    passes: true,
    children: [
      { id: "one", passes: true, attempts: 1 },
      { id: "two", passes: true, attempts: 0 },
    ],
  });
  expect(world.git("show", "HEAD:relais/ASSUMPTIONS.md")).toBe("assume it");
  // What is learned of a red guard reaches the next session, and so does what was assumed.
  expect(world.prompt(3)).toContain("STOP_GUARD_FAILED (exit_1)");
  expect(world.prompt(3)).toContain("Its changes are committed.");
  expect(world.prompt(2)).toContain("assume it");
  // The history of an iteration tells all of it.
  const meta = world.meta(reports[1]);
  expect(meta.iteration).toMatchObject({
    iter_n: 2,
    selected_leaf_id: "one",
    selected_leaf_path: ["root", "one"],
    classification: "execute",
    executor_kind: "command",
    exit_status: 0,
    guard: { result: "fail", exit_status: 1 },
    commit_sha: world.git("rev-parse", "HEAD~2"),
  });
  expect(world.history(reports[1], "executor.log")).toContain("turn 2");
  expect(world.history(reports[1], "guard.log")).toContain("exit_1");
  expect(JSON.parse(world.history(reports[1], "tree.before.json"))).toMatchObject({
    root: { children: [{ attempts: 0 }, {}] },
  });
  expect(JSON.parse(world.history(reports[1], "tree.after.json"))).toMatchObject({
    root: { children: [{ attempts: 1 }, {}] },
  });
  expect(existsSync(join(world.root, `relais/history/${reports[0]?.run_id}/guard.log`))).toBe(false);
  // Every verdict follows from the evidence again.
  const env = { HOME: world.box, XDG_STATE_HOME: join(world.box, "state") };
  const of = (...args: string[]) => relais(args, { cwd: world.root, env });
  expect(await of("history", "replay")).toMatchObject({ status: 0, stderr: "" });
  // Git takes an iteration back, because its commit also holds the runner's own words.
  expect((await of("undo")).stderr).toContain("also contains the notes of relais about a series");
});
