/** The commands that only look at the tree, and the one that makes it. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { relais } from "../support/relais.ts";
import { scratchRepository } from "../support/scratch-repository.ts";
import { node } from "../support/tree-node.ts";
import { treeWorld } from "../support/tree-world.ts";

test("init makes the tree, its schema and the documents, and overwrites nothing", async () => {
  const { box, root, commit } = scratchRepository();
  commit({ "relais.config.json": "{}\n", "relais/GOAL.md": "mine\n" });
  const env = { HOME: box };
  const made = await relais(["tree", "init", "--json"], { cwd: root, env });
  expect(JSON.parse(made.stdout)).toEqual({
    files: [
      { path: "relais/GOAL.md", state: "kept" },
      ...["HUMAN_QUESTIONS.md", "ASSUMPTIONS.md", "FEEDBACK_LOG.md", "IMPROVEMENTS.md"].map((name) => ({
        path: `relais/${name}`,
        state: "written",
      })),
      { path: "relais/.gitignore", state: "written" },
      { path: "relais/schemas/tree.schema.json", state: "written" },
      { path: "relais/tree.json", state: "written" },
    ],
  });
  expect(readFileSync(join(root, "relais/GOAL.md"), "utf8")).toBe("mine\n");
  expect(JSON.parse(readFileSync(join(root, "relais/tree.json"), "utf8"))).toEqual({
    version: 1,
    root: {
      id: "root",
      order: 0,
      title: "Root",
      goal: "Satisfy relais/GOAL.md",
      acceptance: [],
      passes: false,
      attempts: 0,
      max_attempts: 3,
      children: [],
    },
  });
  expect(await relais(["tree", "validate"], { cwd: join(root, "relais"), env })).toMatchObject({ status: 0 });
});

const children = [
  node("late", { order: 2 }),
  node("next", { order: 1, attempts: 2 }),
  node("done", { order: 0, passes: true }),
];

test("show draws the tree, select proves its choice, validate names every place", async () => {
  const world = treeWorld({ turns: [], root: node("root", { children }) });
  const { stdout } = await world.relais("show");
  expect(stdout.split("\n")).toEqual([
    "○ root  Do root",
    "├─ ✓ done  Do done",
    "├─ ▸ next  Do next  2 of 3 attempts failed  ← next",
    "└─ ○ late  Do late",
    "",
    "1 of 4 nodes pass. Next: next.",
    "",
  ]);
  expect((await world.relais("select", "--why")).stdout).toContain("before late: order 2 is after 1");
  expect(JSON.parse((await world.relais("select", "--why", "--json")).stdout)).toMatchObject({
    selected: "next",
    path: ["root", "next"],
    why: [{ chosen: "next", before: [{ id: "done", reason: "passes" }], after: [{ id: "late" }] }],
  });
  world.put({ "../bad.json": JSON.stringify({ version: 1, root: { ...node("a"), extra: 1, order: "x" } }) });
  const bad = await world.relais("validate", "../bad.json", "--json");
  expect(bad.status).toBe(10);
  expect(JSON.parse(bad.stdout)).toMatchObject({
    valid: false,
    problems: [{ path: "root.extra" }, { path: "root.order" }],
  });
  expect((await world.relais("validate", "../bad.json")).stderr).toContain("is not valid: 2 problems.");
  expect((await world.relais("select", "--new")).status).toBe(2);
  expect((await world.relais("show", "x")).status).toBe(2);
});
