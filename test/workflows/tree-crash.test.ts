/** A process that is killed, in each phase of an iteration, and the next one that goes on. */
import { expect, test } from "vitest";
import { node } from "../support/tree-node.ts";
import { DONE, treeWorld } from "../support/tree-world.ts";

/** Everything that is recorded in an iteration before it is settled: whatever it was, it is done again. */
const DONE_AGAIN = [
  '"type":"tick_started"',
  '"type":"preflight_passed"',
  '"type":"prepared"',
  '"type":"planned"',
  '"type":"build_started"',
  '"type":"build_ended"',
  '"type":"judged"',
  '"type":"verified"',
  '"type":"settle_started","action":"commit"',
];

test("killed anywhere, it goes on at the same iteration, and no attempt is counted", async () => {
  const world = treeWorld({
    root: node("root", { children: ["a", "b", "c"].map((id) => node(id)) }),
    turns: Array.from({ length: 20 }, () => `echo right > src/x.ts\necho "$n" > src/y.ts\n${DONE}`),
  });
  await world.iterate("step");
  const kill = (data: string) => world.struck({ at: "journal.jsonl", when: "after", data }, "run", "--json");
  for (const phase of DONE_AGAIN) {
    expect([phase, (await kill(phase)).signal]).toEqual([phase, "SIGKILL"]);
    expect(world.tree().root.children.map(({ attempts }) => attempts)).toEqual([0, 0, 0]);
    expect(world.subjects()).toHaveLength(1);
  }
  // The commit is made, and nobody was told of it.
  const untold = { at: "journal.jsonl", when: "before", data: '"outcome":"passed"' };
  expect((await world.struck(untold, "run", "--json")).signal).toBe("SIGKILL");
  // Only a person may move a branch back.
  expect((await world.relais("run", "--json")).stdout).toContain("unproven_rollback");
  expect((await world.recover()).status).toBe(0);
  // The commit is made and told of: it is not made again.
  expect((await kill('"outcome":"passed"')).signal).toBe("SIGKILL");
  expect(world.subjects()).toHaveLength(2);
  expect((await kill('"type":"reported"')).signal).toBe("SIGKILL");
  const { summary, status } = await world.iterate("run");
  expect(status).toBe(0);
  expect(summary).toMatchObject({ end: "complete", resumed: true });
  expect(world.subjects().map((subject) => subject.replace(/^.* iter /, ""))).toEqual([
    "0001 node a execute guard=pass",
    "0002 node b execute guard=pass",
    "0003 node c execute guard=pass",
  ]);
  expect(new Set(world.journal().map(({ series_id }) => series_id)).size).toBe(1);
  expect(world.tree().root).toMatchObject({
    passes: true,
    children: [
      { passes: true, attempts: 0 },
      { passes: true, attempts: 0 },
      { passes: true, attempts: 0 },
    ],
  });
  expect(world.git("status", "--porcelain")).toBe("");
  // One session for each leaf: what had come to its end before a kill was taken up and not paid for again.
  expect(world.asked()).toBe(3);
}, 600_000);

const PASSED = { at: "journal.jsonl", data: '"outcome":"passed"' } as const;

test.each([
  ["before its first commit is told", { ...PASSED, when: "before" }],
  ["after its first commit is told", { ...PASSED, when: "after" }],
  ["while it writes the tree for its first commit", { at: "relais/tree.json", when: "before" }],
] as const)(
  "killed %s, the session is not paid again",
  async (_, strike) => {
    const world = treeWorld({ turns: Array.from({ length: 3 }, () => `echo right > src/x.ts\n${DONE}`) });
    expect((await world.struck(strike, "run", "--json")).signal).toBe("SIGKILL");
    expect((await world.recover()).status).toBe(0);
    expect(await world.iterate("run")).toMatchObject({ status: 0, summary: { end: "complete" } });
    expect(world.asked()).toBe(1);
    expect(world.subjects()).toHaveLength(1);
  },
  120_000,
);
