/** A session that a limit ends: the key is named, the work is kept, and the next attempt begins from it. */
import { expect, test } from "vitest";
import { inTurn, inWorld } from "../support/scenario.ts";
import { DONE, treeWorld, write } from "../support/tree-world.ts";

const SHORT = { roles: { builder: { timeout_seconds: 1.5 } } };
const HALF = "echo half > src/half.ts; sleep 60";
const ALLOWS_NEW = { scope: { allow_new_files: true } };
const KEY = "its 1.5 seconds are set by `roles.builder.timeout_seconds`";

test("tree: the next attempt at the leaf begins from it", async () => {
  const world = treeWorld({
    config: SHORT,
    turns: [HALF, `test -f src/half.ts && ${write("src/x.ts", "right")}\n${DONE}`],
  });
  const { reports, summary } = await world.iterate("run");
  expect(reports.map(({ code }) => code)).toEqual(["STOP_BUILDER_TIMEOUT", "SUCCESS"]);
  expect(reports[0]?.message).toContain(KEY);
  expect(reports[1]?.notes.join()).toContain(`began from the work of ${reports[0]?.run_id}`);
  expect(summary).toMatchObject({ end: "complete" });
  expect(world.git("ls-files", "src")).toContain("src/half.ts");
});

test("run: the card names the key and the command that brings the work back", () =>
  inTurn(() =>
    inWorld({ program: HALF, config: SHORT, task: ALLOWS_NEW }, async (world) => {
      const { stdout } = await world.relais(["run", "--task", `${world.box}/task.json`]);
      expect(stdout.replaceAll(/\s+/g, " ")).toContain(KEY);
      expect(stdout).toMatch(/relais salvage apply \d{8}T\d{6}Z-/);
    }),
  ));
