/** What is nobody's fault, and what a series refuses to go on with. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { node } from "../support/tree-node.ts";
import { DONE, treeWorld, write } from "../support/tree-world.ts";

const RIGHT = write("src/x.ts", "right");
const LIMITED = `echo "retry-at: $("${process.execPath}" -p 'new Date(Date.now() + 1500).toISOString()')" >&2; exit 75`;

test.concurrent("a rate limit is waited out, costs no attempt, and the same iteration is done again", async () => {
  const world = treeWorld({ turns: [`${write("src/half.ts", "half")}\n${LIMITED}`, `${RIGHT}\n${DONE}`] });
  const { summary, reports } = await world.iterate("run");
  expect(reports.map(({ code }) => code)).toEqual(["STOP_RATE_LIMITED", "SUCCESS"]);
  expect(summary).toMatchObject({ end: "complete", commits_total: 1 });
  expect(world.journal().filter(({ event }) => event.type === "series_waiting")).toHaveLength(1);
  expect(world.subjects().map((subject) => subject.replace(/^.* iter /, ""))).toEqual([
    "0001 node root execute guard=pass",
  ]);
  expect(world.tree().root).toMatchObject({ passes: true, attempts: 0 });
  expect(world.git("ls-files", "src")).not.toContain("half");
});

test.concurrent(
  "with loop.on_rate_limit stop, the series stops and the next command does the iteration again",
  async () => {
    const world = treeWorld({
      config: { loop: { on_rate_limit: "stop" } },
      turns: [LIMITED, `${RIGHT}\n${DONE}`],
    });
    const stopped = await world.iterate("run");
    expect(stopped).toMatchObject({ status: 13, summary: { end: "stopped" } });
    expect(world.tree().root.attempts).toBe(0);
    // Until the service said it will answer again, nobody is asked.
    await sleep(Math.max(0, Date.parse(stopped.reports[0]?.retry_at ?? "") - Date.now()) + 50);
    expect((await world.iterate("run")).summary).toMatchObject({ end: "complete" });
  },
);

/** A hook of the person's own that lets no commit through until it was asked so many times. */
function withHook(refusals: number) {
  const world = treeWorld({
    config: { git: { hooks: "run" } },
    turns: [1, 2, 3].map(() => `${RIGHT}\n${DONE}`),
  });
  const count = join(world.box, "hooked");
  const lines = [`echo x >> '${count}'`, `test "$(wc -l < '${count}')" -gt ${refusals}`];
  const path = join(world.root, ".git/hooks/pre-commit");
  writeFileSync(path, ["#!/bin/sh", ...lines, ""].join("\n"), { mode: 0o755 });
  return world;
}

test.concurrent("what only the machine got wrong is tried twice more, and costs no attempt", async () => {
  const world = withHook(2);
  const { reports, summary } = await world.iterate("run");
  expect(reports.map(({ code }) => code)).toEqual(["STOP_INTERRUPTED", "STOP_INTERRUPTED", "SUCCESS"]);
  expect(summary).toMatchObject({ end: "complete" });
  expect(world.subjects().map((subject) => subject.replace(/^.* iter /, ""))).toEqual([
    "0001 node root execute guard=pass",
  ]);
  expect(world.tree().root).toMatchObject({ passes: true, attempts: 0 });
});

test.concurrent("the third time it ends the series, and the attempts are still there", async () => {
  const world = withHook(9);
  const { reports, summary } = await world.iterate("run");
  expect(reports).toHaveLength(3);
  expect(summary).toMatchObject({ end: "breaker", reason: "runner_errors" });
  expect(world.tree().root).toMatchObject({ passes: false, attempts: 0 });
  expect(world.git("status", "--porcelain")).toBe("");
});

test.concurrent("a configuration that changed ends the series before another leaf is judged by it", async () => {
  const world = treeWorld({
    root: node("root", { children: [node("one"), node("two", { order: 1 })] }),
    turns: [`${RIGHT}\n${DONE}`, `${write("src/y.ts", "y")}\n${DONE}`],
  });
  const first = await world.iterate("step");
  const config: object = JSON.parse(world.git("show", "HEAD:relais.config.json"));
  world.commit({ "relais.config.json": JSON.stringify({ ...config, tree: { guard: ["true"] } }) });
  const { summary, status } = await world.iterate("run");
  expect(status).toBe(11);
  expect(summary).toMatchObject({
    series_id: first.summary.series_id,
    end: "blocked",
    reason: "config_changed",
  });
  expect(world.asked()).toBe(1);
  const { summary: other } = await world.iterate("run");
  expect(other).toMatchObject({ end: "complete", resumed: false });
  expect(other.series_id).not.toBe(first.summary.series_id);
});

test.concurrent("a list of tools that nobody understands does not become no list", async () => {
  const world = treeWorld({
    files: { "relais/nodes/root/tools.json": '{"tools": ["Read"]}\n' },
    turns: [],
  });
  expect(await world.iterate("run")).toMatchObject({
    status: 11,
    summary: { end: "blocked", reason: "tools_invalid" },
  });
  expect(world.asked()).toBe(0);
});
