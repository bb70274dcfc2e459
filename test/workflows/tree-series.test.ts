/** Where a series begins, how it is bounded, and how it goes on after a crash. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { node } from "../support/tree-node.ts";
import { DONE, treeWorld, write } from "../support/tree-world.ts";

const RIGHT = write("src/x.ts", "right");
/** The lock names the process that holds it. */
const KILL = `kill -9 "$(sed -n 's/.*"pid": *\\([0-9]*\\).*/\\1/p' relais/lock.json | head -n 1)"; sleep 5`;

test.concurrent(
  "a run that is killed in the session goes on at the same iteration, and nothing of it is counted",
  async () => {
    const world = treeWorld({
      ownProcess: true,
      turns: ["result retry", `${write("src/half.ts", "half")}\n${KILL}`, `${RIGHT}\n${DONE}`],
    });
    expect((await world.relais("run", "--json")).status).toBeNull();
    const { summary, reports } = await world.iterate("run");
    expect(summary).toMatchObject({ end: "complete", resumed: true, recovered_run_id: expect.any(String) });
    expect(reports.map((report) => world.meta(report).iteration?.iter_n)).toEqual([2]);
    expect(world.tree().root).toMatchObject({ passes: true, attempts: 1 });
    expect(world.subjects().map((subject) => subject.replace(/^.* iter /, ""))).toEqual([
      "0001 node root decompose guard=skipped",
      "0002 node root execute guard=pass",
    ]);
    expect(world.git("status", "--porcelain")).toBe("");
  },
);

test.concurrent("a run that is killed in the guard does the iteration again", async () => {
  const guard = `if [ ! -e "$HOME/killed" ]; then : > "$HOME/killed"; ${KILL}; fi; grep -q right src/x.ts`;
  const world = treeWorld({
    ownProcess: true,
    config: { tree: { guard: ["sh", "-c", guard] } },
    turns: [`${RIGHT}\n${DONE}`, `${RIGHT}\n${DONE}`],
  });
  expect((await world.relais("run", "--json")).status).toBeNull();
  const { summary } = await world.iterate("run");
  expect(summary).toMatchObject({ end: "complete", resumed: true });
  expect(world.subjects()).toHaveLength(1);
  expect(world.tree().root).toMatchObject({ passes: true, attempts: 0 });
});

test.concurrent("steps go on with one series on one branch, and the sidecars of a leaf reach its session", async () => {
  const root = node("root", { children: [node("one"), node("two", { order: 1 })] });
  const world = treeWorld({
    root,
    files: {
      "relais/nodes/two/context.md": "CONTEXT OF TWO\n",
      "relais/nodes/two/tools.json": '{"allowed_tools": ["Read", "Bash(just *)"]}\n',
      "relais/nodes/one/context.md": "CONTEXT OF ONE\n",
      "relais/nodes/two/artifacts/plan.txt": "a plan\n",
    },
    turns: [
      `test -z "\${RELAIS_TOOLS+set}" || exit 9\n${RIGHT}\n${DONE}`,
      `test "$RELAIS_TOOLS" = "Read,Bash(just *)" || exit 8\ngrep -q "CONTEXT OF TWO" "$RELAIS_DROP/context.md" && grep -q just "$RELAIS_DROP/tools.json" || exit 9\n${write("src/y.ts", "y")}\n${DONE}`,
    ],
  });
  const first = await world.iterate("step");
  expect(first.summary).toMatchObject({ end: "max_ticks", reason: "step", exit_status: 0, resumed: false });
  const { summary } = await world.iterate("step");
  expect(summary).toMatchObject({ series_id: first.summary.series_id, resumed: true, end: "complete" });
  expect(world.prompt(1)).toContain("CONTEXT OF ONE");
  expect(world.prompt(1)).not.toContain("CONTEXT OF TWO");
  for (const words of ["CONTEXT OF TWO", '"allowed_tools"', "relais/nodes/two/artifacts/plan.txt"])
    expect(world.prompt(2)).toContain(words);
  expect(world.git("branch", "--list", "relais/*").split("\n")).toHaveLength(1);
  expect((await world.iterate("run")).summary).toMatchObject({ end: "complete", ticks: { total: 0 } });
});

test.concurrent(
  "the time of an iteration is the agent's and the guard's together, and running out of it ends the series",
  async () => {
    const world = treeWorld({
      config: { tree: { guard: ["sleep", "60"], iteration_timeout_seconds: 8 } },
      turns: [`${RIGHT}\n${DONE}`],
    });
    const { summary, reports } = await world.iterate("run");
    expect(reports.map(({ code }) => code)).toEqual(["STOP_TICK_TIMEOUT"]);
    expect(summary).toMatchObject({ end: "timeout", exit_status: 10 });
    expect(world.tree().root).toMatchObject({ attempts: 0, passes: false });
    expect(readFileSync(join(world.root, "src/x.ts"), "utf8")).toBe("old\n");
  },
);

test.concurrent("on a protected branch the iterations get a branch, and the guard is the project's own", async () => {
  const world = treeWorld({
    branch: "main",
    config: { tree: { guard: null } },
    files: { "package.json": '{"scripts": {"test": "grep -q right src/x.ts"}}\n' },
    turns: [`${RIGHT}\n${DONE}`],
  });
  const before = world.git("rev-parse", "main");
  const { summary } = await world.iterate("run");
  expect(summary).toMatchObject({ end: "complete", branch: expect.stringMatching(/^relais\//) });
  expect(world.git("rev-parse", "main")).toBe(before);
  expect(world.prompt(1)).toContain("npm run test");
});

test.concurrent("a series at its limit ends as a timeout, and goes on with a higher one", async () => {
  const world = treeWorld({
    root: node("root", { max_attempts: 9 }),
    turns: ["result retry", `${RIGHT}\n${DONE}`],
  });
  const first = await world.iterate("run", "--max-iterations", "1");
  expect({ status: first.status, ...first.summary }).toMatchObject({
    status: 10,
    end: "timeout",
    reason: "max_iterations",
  });
  const { summary, status } = await world.iterate("run", "--max-iterations", "2");
  expect({ status, ...summary }).toMatchObject({
    status: 0,
    end: "complete",
    resumed: true,
    series_id: first.summary.series_id,
  });
});

test.concurrent("nothing begins in an unclean tree, without its guard or with a tree that is none", async () => {
  const unguarded = treeWorld({ turns: [], config: { tree: { guard: null } } });
  expect(await unguarded.relais("step")).toMatchObject({
    status: 11,
    stderr: expect.stringContaining("no check `ci`, `test` or `check`"),
  });
  const world = treeWorld({ turns: [], config: { tree: { guard: ["no-such-program-here"] } } });
  expect((await world.relais("step")).stderr).toContain("no-such-program-here");
  const unclean = treeWorld({ turns: [] });
  unclean.put({ "untracked.txt": "mine\n" });
  expect((await unclean.iterate("step")).reports).toMatchObject([{ code: "BLOCKED_DIRTY_WORKTREE" }]);
  const broken = treeWorld({ turns: [], tree: { version: 1 } });
  expect((await broken.iterate("run")).summary).toMatchObject({
    end: "blocked",
    reason: "tree_invalid",
    exit_status: 11,
  });
  for (const one of [unguarded, world, unclean, broken]) expect(one.asked()).toBe(0);
});

test.concurrent(
  "each series has an account of its own, and another one is not ended by what the first has spent",
  async () => {
    const world = treeWorld({
      config: { budgets: { per_milestone: { max_ticks: 1 } } },
      turns: ["result retry", "result retry"],
    });
    expect((await world.iterate("step")).status).toBe(0);
    expect((await world.iterate("step")).summary).toMatchObject({ last_code: "BLOCKED_BUDGET_CAP" });
    const { summary } = await world.iterate("step", "--new");
    expect(summary).toMatchObject({ end: "max_ticks", milestone_id: `tree-${summary.series_id}` });
  },
);
