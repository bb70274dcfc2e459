/** What costs an attempt, what is put back, and how a series ends that does not get on. */
import { expect, test } from "vitest";
import { node } from "../support/tree-node.ts";
import { DONE, propose, treeWorld, write } from "../support/tree-world.ts";

const RIGHT = write("src/x.ts", "right");
const many = { max_attempts: 9 };
const plan = (...ids: string[]) => node("root", { children: ids.map((id) => node(id)) });

test.concurrent(
  "a proposal against the rules costs an attempt and its reason is told; a tree that nobody can read is repaired once",
  async () => {
    const root = node("root", { ...many, children: [node("leaf", many)] });
    const twice = node("root", { ...many, children: [node("leaf", many), node("leaf", many)] });
    const failed = (attempts: number) => node("leaf", { ...many, attempts });
    const world = treeWorld({
      root,
      config: { tree: many },
      turns: [
        // Passed by hand, together with a change that is not to survive.
        `${RIGHT}\n${propose({ ...root, children: [node("leaf", { ...many, passes: true })] })}\n${DONE}`,
        `${propose(twice)}\nresult decomposed`,
        `test -s "$RELAIS_DROP/tree.broken.json" || exit 9\n${propose({ ...root, children: [failed(2), node("more", { ...many, order: 1 })] })}\nresult decomposed`,
        `${RIGHT}\n${DONE}`,
        `${write("src/y.ts", "y")}\n${DONE}`,
      ],
    });
    const { reports, summary } = await world.iterate("run");
    expect(reports.map(({ code, cause }) => [code, cause])).toEqual([
      ["STOP_BUILDER_OUTPUT_INVALID", "tree_refused"],
      ["STOP_BUILDER_OUTPUT_INVALID", "tree_unreadable"],
      ["SUCCESS", null],
      ["SUCCESS", null],
      ["SUCCESS", null],
    ]);
    expect(summary).toMatchObject({ end: "complete", exit_status: 0 });
    expect(world.prompt(2)).toContain('the open node "leaf" has `passes` true; only the runner changes it');
    expect(world.prompt(3)).toContain("which root.children[0] has already");
    expect(world.prompt(3)).toContain("The tree that the session before proposed could not be read");
    expect(world.history(reports[1], "proposal-tree.json")).toContain('"leaf"');
    expect(world.tree().root.children).toMatchObject([
      { id: "leaf", attempts: 2, passes: true },
      { id: "more", attempts: 0, passes: true },
    ]);
    // An attempt that was put back leaves a commit with the tree alone.
    expect(world.git("show", "--format=", "--name-only", "HEAD~4")).toBe("relais/tree.json");
    expect(world.subjects().map((subject) => subject.replace(/^.* iter /, ""))).toEqual([
      "0001 node leaf execute guard=skipped",
      "0002 node leaf decompose guard=skipped",
      "0003 node leaf decompose guard=skipped",
      "0004 node leaf execute guard=pass",
      "0005 node more execute guard=pass",
    ]);
  },
);

test.concurrent("each rule of a proposal is told to the next session, and the tree stays as it is", async () => {
  const passed = node("passed", { passes: true });
  const leaf = node("leaf", { ...many, order: 1 });
  const later = node("later", { ...many, order: 2 });
  const tree = (attempts: number, ...others: readonly ReturnType<typeof node>[]) =>
    node("root", { ...many, children: [{ ...leaf, attempts }, ...others] });
  const wrong = [
    [tree(0, { ...passed, goal: "Less" }, later), 'the passed node "passed" is final, and its goal changed'],
    [tree(1, { ...later, children: [passed] }), 'the passed node "passed" was moved to another parent'],
    [tree(2, later), 'the passed node "passed" is missing'],
    [tree(0, passed, later), 'the open node "leaf" has `attempts` 0'],
    [tree(4, passed, { ...later, acceptance: [] }), 'the open node "later" has another acceptance'],
    [tree(5, passed), 'the open node "later" is missing'],
  ] as const;
  const world = treeWorld({
    root: tree(0, passed, later),
    config: { tree: many },
    turns: [...wrong.map(([root]) => `${propose(root)}\nresult decomposed`), `${RIGHT}\n${DONE}`],
  });
  const { reports } = await world.iterate("run", "--max-iterations", "7");
  expect(reports.map(({ cause }) => cause)).toEqual([...wrong.map(() => "tree_refused"), null]);
  for (const [index, [, reason]] of wrong.entries()) expect(world.prompt(index + 2)).toContain(reason);
  expect(world.tree().root.children).toMatchObject([
    { ...passed, order: 0 },
    { id: "leaf", attempts: 6, passes: true },
    later,
  ]);
});

test.concurrent("a tree that is not repaired costs another attempt, and then the work goes on", async () => {
  const broken = `echo '{' > "$RELAIS_DROP/tree.json"\nresult decomposed`;
  const world = treeWorld({
    root: node("root", many),
    config: { tree: many },
    turns: [broken, broken, `${RIGHT}\n${DONE}`],
  });
  const { reports, summary } = await world.iterate("run");
  expect(reports.map(({ cause }) => cause)).toEqual(["tree_unreadable", "tree_unreadable", null]);
  const repair = "The tree that the session before proposed could not be read";
  expect([1, 2, 3].map((n) => world.prompt(n).includes(repair))).toEqual([false, true, false]);
  expect(summary).toMatchObject({ end: "complete" });
  expect(world.tree().root).toMatchObject({ attempts: 2, passes: true });
});

test.concurrent("the fence holds, and nobody bends what the guard is made of", async () => {
  const world = treeWorld({
    root: node("root", many),
    config: { isolation: "in_place", tree: many },
    files: { "check.sh": "sh parts/first.sh\n", "parts/first.sh": "grep -q right src/x.ts\n" },
    turns: [
      `${write("check.sh", "true")}\n${DONE}`,
      `${write("parts/first.sh", "true")}\n${DONE}`,
      `${write("relais.config.json", '{"tree": {"guard": ["true"]}}')}\n${DONE}`,
      `${write("relais/tree.json", "{}")}\n${DONE}`,
      `git -c user.name=A -c user.email=a@example.org commit -q --allow-empty -m mine\n${DONE}`,
      "exit 3",
      `${RIGHT}\nresult retry`,
    ],
  });
  const { reports, summary } = await world.iterate("run", "--max-iterations", "7");
  expect(reports.map(({ code }) => code)).toEqual([
    "STOP_SCOPE_VIOLATION_FORBIDDEN",
    "STOP_SCOPE_VIOLATION_FORBIDDEN",
    "STOP_RUNNER_OWNED_MUTATION",
    "STOP_RUNNER_OWNED_MUTATION",
    "STOP_HEAD_MOVED",
    "STOP_INTERRUPTED",
    "SUCCESS",
  ]);
  expect(world.prompt(1)).toContain("a change of one is reverted: check.sh, parts/first.sh");
  expect(world.prompt(2)).toContain("- check.sh: ");
  expect(world.prompt(3)).toContain("- parts/first.sh: ");
  expect(summary).toMatchObject({ end: "timeout", reason: "max_iterations", exit_status: 10 });
  expect(world.tree().root).toMatchObject({ passes: false, attempts: 7 });
  expect(world.meta(reports[5]).iteration).toMatchObject({ exit_status: 3, guard: { result: "skipped" } });
  expect(world.git("status", "--porcelain")).toBe("");
  expect(world.git("diff", "--name-only", "topic", "HEAD").split("\n")).toEqual(["relais/tree.json", "src/x.ts"]);
  expect(world.subjects().at(-1)).toContain("iter 0007 node root execute guard=skipped");
});

test.concurrent("a leaf without attempts has to be rewritten, and gets new ones; asked once, it is stuck", async () => {
  const one = { max_attempts: 1 };
  const rewritten = node("root", { ...one, attempts: 1, goal: "Something that can be reached" });
  const world = treeWorld({
    root: node("root", one),
    config: { tree: one },
    turns: ["result retry", `${propose(rewritten)}\nresult decomposed`, "result retry"],
  });
  const { status, summary } = await world.iterate("run");
  expect(world.prompt(2)).toContain("has used up its 1 attempts");
  expect(world.tree().root).toMatchObject({ goal: "Something that can be reached", attempts: 1 });
  expect(summary).toMatchObject({ end: "stuck", reason: "root" });
  expect(status).toBe(14);
  expect(world.asked()).toBe(3);
});

test.concurrent("a series that only plans is stuck, and ignoring the demand is too", async () => {
  const planning = treeWorld({
    config: { tree: { max_consecutive_decompose: 2 } },
    turns: [`${propose(plan("a"))}\nresult decomposed`, `${propose(plan("a", "b"))}\nresult decomposed`],
  });
  expect((await planning.iterate("run")).summary).toMatchObject({
    end: "stuck",
    exit_status: 14,
    ticks: { total: 2 },
  });
  const one = { max_attempts: 1 };
  const ignoring = treeWorld({
    root: node("root", { ...one, attempts: 1 }),
    config: { tree: one },
    turns: [`${RIGHT}\n${DONE}`],
  });
  expect((await ignoring.iterate("run")).summary).toMatchObject({
    end: "stuck",
    exit_status: 14,
    ticks: { total: 1 },
  });
  expect(ignoring.tree().root.passes).toBe(false);
});

test.concurrent("what was demanded and cannot be read is repaired once before the leaf is stuck", async () => {
  const one = { max_attempts: 1 };
  const broken = `echo '{' > "$RELAIS_DROP/tree.json"\nresult decomposed`;
  const rewritten = node("root", { ...one, attempts: 2, goal: "Something that can be reached" });
  const request = { root: node("root", { ...one, attempts: 1 }), config: { tree: one } };
  const repaired = treeWorld({
    ...request,
    turns: [broken, `${propose(rewritten)}\nresult decomposed`, `${RIGHT}\n${DONE}`],
  });
  expect((await repaired.iterate("run")).summary).toMatchObject({ end: "complete", ticks: { total: 3 } });
  const twice = treeWorld({ ...request, turns: [broken, broken] });
  expect((await twice.iterate("run")).summary).toMatchObject({ end: "stuck", ticks: { total: 2 } });
});

test.concurrent(
  "a change of the runner's folder alone is no work, and each line says what became of the leaf",
  async () => {
    const world = treeWorld({ turns: [`${write("relais/GOAL.md", "less")}\n${DONE}`, "result retry"] });
    expect((await world.relais("step")).stdout).toMatch(
      /^✗ Reverted STOP_RUNNER_OWNED_MUTATION .*one attempt used\); .*reverted, recorded as/m,
    );
    expect(world.subjects()[0]).toMatch(/ decompose guard=skipped$/);
    expect((await world.relais("step")).stdout).toMatch(/^○ Iteration 2: not yet, one attempt used .*committed as/m);
  },
);

test.concurrent(
  "a proposal that is no ordinary file is not ignored: it costs an attempt, and the next session is told",
  async () => {
    const world = treeWorld({
      turns: [`ln -sf "$PWD/relais/tree.json" "$RELAIS_DROP/tree.json"\n${RIGHT}\n${DONE}`, `${RIGHT}\n${DONE}`],
    });
    const { reports, summary } = await world.iterate("run");
    expect(reports).toMatchObject([
      { code: "STOP_BUILDER_OUTPUT_INVALID", cause: "proposal_refused" },
      { code: "SUCCESS" },
    ]);
    expect(world.prompt(2)).toContain("tree.json in the drop folder was not taken: it is a link");
    expect(summary).toMatchObject({ end: "complete" });
  },
);
