/** `relais loop --parallel N`: independent tasks are worked on side by side, and land one after the other. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { listLeft, listProcesses } from "../support/attempt-world.ts";
import { roundWorld } from "../support/round-world.ts";

const write = (id: string) => ({ id, script: `echo ${id} > src/${id}.txt` });

/** Each builder waits until all three have begun. */
const together = (id: string) => ({
  id,
  script: `echo > "$box/begun-${id}"; for i in $(seq 300); do [ "$(ls "$box" | grep -c begun)" = 3 ] && break; sleep 0.1; done; [ $i -lt 300 ] && echo ${id} > src/${id}.txt`,
});

test("three independent tasks are made side by side, and each lands as a commit of its own", async () => {
  const world = roundWorld([["a", "b", "c"].map(together)]);
  const { status, reports, summary } = await world.loop("--parallel", "3");
  expect({ status, codes: reports.map(({ code }) => code) }).toEqual({
    status: 0,
    codes: ["SUCCESS", "SUCCESS", "SUCCESS", "SUCCESS"],
  });
  expect(reports[0]).toMatchObject({
    attempts: { chosen: 1, list: [{ task_id: "a" }, { task_id: "b", verdict: "success" }, { task_id: "c" }] },
  });
  expect(summary).toMatchObject({
    end: "complete",
    parallel: 3,
    commits_total: 3,
    budgets: { ticks: 4, builder_calls: 3, orchestrator_calls: 2 },
  });
  expect(world.git("log", "-3", "--reverse", "--format=%s").split("\n")).toEqual(
    ["a", "b", "c"].map((id) => `chore(relais): The part ${id} is there.`),
  );
  expect(world.git("status", "--porcelain")).toBe("");
  expect(listLeft(world)).toEqual([]);
  expect(listProcesses(world)).toEqual([]);
  expect(readFileSync(join(world.box, "prompt-1"), "utf8")).toMatch(/Up to 3 tasks can be worked on/);
}, 120_000);

test("without --parallel the prompt and the answer are those of one task", async () => {
  const world = roundWorld([[write("a")]]);
  const { status, summary } = await world.loop();
  // The list is no task; the second answer ends the series.
  expect({ status, summary }).toMatchObject({ status: 0, summary: { end: "complete", commits_total: 0 } });
  expect(summary).not.toHaveProperty("parallel");
  expect(readFileSync(join(world.box, "prompt-1"), "utf8")).not.toMatch(/tasks can be worked on/);
}, 60_000);

const codes = (reports: readonly Record<string, unknown>[]) => reports.map(({ code }) => code);

test("a change that conflicts with what is there by now goes back once, with the conflict", async () => {
  // Somebody commits while both are worked on.
  const commit = 'git -C "$box/repo" -c user.name=Bo -c user.email=bo@example.org commit -qam theirs';
  const one = {
    id: "a",
    script: `if [ $again = no ]; then sed -i s/two/TWO/ "$box/repo/src/shared.txt"; ${commit}; fi; echo a > src/a.txt`,
  };
  const two = {
    id: "b",
    script: 'sed -i "s/two/zwei/; s/TWO/ZWEI/" src/shared.txt; cp "$RELAIS_TASK_PATH" "$box/task-$again"',
    globs: ["src/shared.txt"],
  };
  const world = roundWorld([[one, two]]);
  const { status, reports, summary } = await world.loop("--parallel", "2");
  expect(codes(reports)).toEqual([
    "STOP_MAIN_TREE_CHANGED",
    "STOP_PATCH_APPLY_FAILED",
    "SUCCESS",
    "SUCCESS",
    "SUCCESS",
  ]);
  expect({ status, summary }).toMatchObject({ status: 0, summary: { end: "complete", commits_total: 2 } });
  expect(world.git("show", "HEAD:src/shared.txt")).toBe("one\nZWEI\nthree");
  expect(readFileSync(join(world.box, "task-yes"), "utf8")).toMatch(/here.*TWO.*the change/s);
}, 120_000);

test("what passes alone and fails in combination does not land, and goes back with the failure", async () => {
  const left = { id: "left", script: "echo left > src/left.txt" };
  const right = {
    id: "right",
    script: "if [ $again = yes ]; then echo r > src/r.txt; else echo r > src/right.txt; fi",
  };
  const world = roundWorld([[left, { ...right, globs: ["src/right.txt", "src/r.txt"] }, write("c")]]);
  const { status, reports, summary } = await world.loop("--parallel", "3");
  expect(codes(reports)).toEqual(["SUCCESS", "STOP_VERIFY_FAILED_FAST", "SUCCESS", "SUCCESS", "SUCCESS"]);
  expect({ status, summary }).toMatchObject({ status: 0, summary: { end: "complete", commits_total: 3 } });
  expect(world.git("ls-files", "src/right.txt", "src/r.txt")).toBe("src/r.txt");
}, 120_000);

test("one that cannot land twice waits for a person while the others go on, and the loop can be resumed", async () => {
  const world = roundWorld([[write("left"), write("right"), write("c")], [write("d")]]);
  const { status, reports, summary } = await world.loop("--parallel", "3");
  expect(codes(reports)).toEqual(["SUCCESS", "STOP_VERIFY_FAILED_FAST", "SUCCESS", "STOP_VERIFY_FAILED_FAST"]);
  expect({ status, summary }).toMatchObject({ status: 14, summary: { end: "needs_human", reason: "could_not_land" } });
  expect(await world.loop()).toMatchObject({
    status: 0,
    reports: [{ code: "SUCCESS" }, { code: "SUCCESS" }],
    summary: { end: "complete", resumed: true, parallel: 3, series_id: summary["series_id"] },
  });
}, 120_000);

test("tasks that may change the same path are worked on one after the other", async () => {
  const later = { id: "b", script: "[ $where = here ] && echo b >> src/a.txt", globs: ["src/*.txt"] };
  const world = roundWorld([[write("a"), later]]);
  const { status, reports } = await world.loop("--parallel", "2");
  expect({ status, codes: codes(reports) }).toEqual({ status: 0, codes: ["SUCCESS", "SUCCESS", "SUCCESS"] });
  expect(reports[0]).not.toHaveProperty("attempts");
  expect(world.git("show", "HEAD:src/a.txt")).toBe("a\nb");
}, 120_000);

test("a failed task does not keep the others from landing, and then the series ends as after any stop", async () => {
  const world = roundWorld([[{ id: "a", script: "true" }, write("b"), { id: "c", script: "true" }]]);
  const { status, reports, summary } = await world.loop("--parallel", "3");
  expect(codes(reports)).toEqual(["STOP_NO_CHANGE", "SUCCESS", "STOP_NO_CHANGE"]);
  expect({ status, summary }).toMatchObject({ status: 10, summary: { end: "breaker", commits_total: 1 } });
}, 120_000);

test("a round has no more tasks than ticks are left, and no more builders than the budget has", async () => {
  const few = roundWorld([
    [write("a"), write("b"), write("c")],
    [write("d"), write("e")],
  ]);
  expect(await few.loop("--parallel", "3", "--max-ticks", "2")).toMatchObject({
    summary: { end: "max_ticks", commits_total: 2, ticks: { total: 2 }, budgets: { orchestrator_calls: 2 } },
  });
  const poor = roundWorld([[write("a"), write("b"), write("c")]], { budgets: { per_run: { max_builder_calls: 2 } } });
  expect(await poor.loop("--parallel", "3")).toMatchObject({
    status: 12,
    summary: { end: "blocked", reason: "BLOCKED_BUDGET_CAP", commits_total: 2, budgets: { builder_calls: 2 } },
  });
}, 120_000);

test("no builder is paid for a tick that the budget does not have", async () => {
  const few = roundWorld([[write("a"), write("b"), write("c")]], { budgets: { per_run: { max_ticks: 2 } } });
  expect((await few.loop("--parallel", "3")).summary).toMatchObject({
    reason: "BLOCKED_BUDGET_CAP",
    commits_total: 2,
    budgets: { builder_calls: 2, ticks: 2 },
  });
}, 120_000);

test("in place there is room for one task", async () => {
  const world = roundWorld([[write("a"), write("b")]], { isolation: "in_place" });
  const { status, stderr } = await world.relais("loop", "--parallel", "2");
  expect(status).toBe(11);
  expect(stderr).toMatch(/Several tasks at once need places of their own, and ticks work in place here/);
}, 60_000);
