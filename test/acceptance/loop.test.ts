/** Two of the ways in which a series must end safely, from its first tick to its last. */
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { checkAfterSeries, goodStep, inLoopWorld, stepOf } from "../support/loop-world.ts";

const EVIL = `diff --git a/../../evil b/../../evil
new file mode 100644
--- /dev/null
+++ b/../../evil
@@ -0,0 +1 @@
+evil
`;
const patching = (patch: string): object =>
  stepOf([], {
    scope: {
      allowed_globs: ["**"],
      forbidden_globs: [],
      allow_new_files: true,
      allow_lockfile_changes: false,
    },
    builder: { mode: "patch", patch, max_turns: undefined, instructions: undefined },
  });

test(
  "a loop whose patch leads out of the repository stops before anything is written",
  () =>
    inLoopWorld({ plans: [goodStep(), patching(EVIL), goodStep()] }, async (world) => {
      const ran = await world.loop();
      expect(ran.reports.map(({ code }) => code)).toEqual(["SUCCESS", "STOP_PATCH_APPLY_FAILED"]);
      expect(ran.summary).toMatchObject({ end: "stopped", exit_status: 10, commits_total: 1 });
      expect(existsSync(join(world.root, "../../evil"))).toBe(false);
      expect(existsSync(join(world.root, "../evil"))).toBe(false);
      expect(world.journal().filter(({ event }) => event.type === "written")).toEqual([]);
      checkAfterSeries(world, ran);
    }),
  180_000,
);

/** Deaf to everything that can be ignored, with a child of its own. */
const SLEEPS = [
  "trap '' INT TERM HUP",
  "echo 'export const answer = 43;' > src/main.ts",
  'sleep 300 & echo $! > "$HOME/child"',
  'echo $$ > "$HOME/parent"; wait; wait; sleep 300',
].join("\n");

/** Those that still run; one that only waits to be buried does not. */
function alive(pids: readonly number[]): readonly number[] {
  const table = execFileSync("ps", ["-A", "-o", "pid=,stat="], { encoding: "utf8" }).split("\n");
  const running = table.map((line) => line.trim().split(/\s+/)).filter(([, state = "Z"]) => !state.startsWith("Z"));
  return pids.filter((pid) => running.some(([other]) => Number(other) === pid));
}

test(
  "a loop whose builder is a program that takes too long stops, with the program gone and the work put back",
  () =>
    inLoopWorld(
      {
        plans: [stepOf([], { builder: { mode: "command", max_turns: 4, instructions: "Take your time." } })],
        config: {
          builder: {
            default_mode: "command",
            command: { command: "sh", args: ["-c", SLEEPS], timeout_seconds: 2 },
          },
        },
      },
      async (world) => {
        const before = world.read("src/main.ts");
        const ran = await world.loop();
        expect(ran.reports.map(({ code }) => code)).toEqual(["STOP_BUILDER_TIMEOUT"]);
        expect(ran.reports[0]).toMatchObject({ settle: { action: "rollback" } });
        expect(ran.summary).toMatchObject({
          end: "stopped",
          reason: "STOP_BUILDER_TIMEOUT",
          exit_status: 10,
        });
        expect(world.read("src/main.ts")).toBe(before);
        const pids = ["parent", "child"].map((name) => Number(readFileSync(join(world.box, "home", name), "utf8")));
        expect(pids.filter((pid) => pid > 1)).toHaveLength(2);
        expect(alive(pids)).toEqual([]);
        checkAfterSeries(world, ran);
      },
    ),
  180_000,
);
