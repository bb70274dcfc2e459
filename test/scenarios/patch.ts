/** Tasks that carry a patch. What patches can try is in test/fixtures/patches; here is what a tick makes of them. */
import { chmodSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import { meddler } from "../support/meddler.ts";
import type { Scenario } from "../support/scenario.ts";
import type { World } from "../support/scenario-world.ts";

const patched = (answer: number): string =>
  `diff --git a/src/main.ts b/src/main.ts
--- a/src/main.ts
+++ b/src/main.ts
@@ -1 +1 @@
-export const answer = 41;
+export const answer = ${answer};
`;
const carrying = (patch: string) => ({
  builder: { mode: "patch", patch, max_turns: undefined, instructions: undefined },
});

function typesIn(world: World): readonly string[] {
  const lines = readFileSync(join(world.state(), "journal.jsonl"), "utf8").trimEnd().split("\n");
  return lines.map((line) => String(JSON.parse(line).event.type));
}

export const PATCH: readonly Scenario[] = [
  {
    shows: "a patch is judged, written, checked and kept, in this order",
    task: carrying(patched(42)),
    ends: {
      code: "SUCCESS",
      changed: ["src/main.ts"],
      report: {
        settle: { action: "accept" },
        sandbox: null,
        blast_radius: { files_touched: 1, lines_added: 1, lines_deleted: 1 },
        verification: { runs_total: 2 },
        budgets: { builder_calls: 1 },
      },
      after: async (world) => {
        const types = typesIn(world);
        expect(types.slice(types.indexOf("build_ended")).join(" ")).toBe(
          "build_ended judged written verified settle_started settled reported tick_ended",
        );
        expect(JSON.parse(world.read("relais/STATE.json"))).toMatchObject({ patch_attempts: 1 });
        expect((await world.relais(["history", "replay"])).status).toBe(0);
        expect((await world.relais(["undo"])).status).toBe(0);
        expect(world.read("src/main.ts")).toBe("export const answer = 41;\n");
      },
    },
  },
  {
    shows: "a patch is committed where green ticks are",
    config: { git: { commit: "always" } },
    task: carrying(patched(42)),
    ends: {
      code: "SUCCESS",
      changed: ["src/main.ts"],
      movesGit: true,
      report: { settle: { action: "commit" } },
      after: ({ git }) => expect(git("show", "--format=", "--name-only", "HEAD")).toBe("src/main.ts"),
    },
  },
  {
    shows: "a patch that a check does not like is taken back, and kept in salvage",
    task: carrying(patched(43)),
    ends: {
      code: "STOP_VERIFY_FAILED_FAST",
      report: { settle: { action: "rollback" } },
      after: async (world, { report }) => {
        expect(report?.pointers.salvage).toBe(report?.run_id);
        expect((await world.relais(["salvage", "apply"])).status).toBe(0);
        expect(world.read("src/main.ts")).toBe("export const answer = 43;\n");
      },
    },
  },
  {
    shows: "a patch that git does not take says why, and is not retried",
    task: carrying(patched(42).replace("answer = 41", "answer = 40")),
    ends: {
      code: "STOP_PATCH_APPLY_FAILED",
      cause: "git_refused",
      message: /patch failed: src\/main\.ts:1/,
      report: { settle: { action: "rollback" }, notes: [] },
      after: async (world, { report }) => {
        expect(report?.pointers).not.toHaveProperty("salvage");
        expect(typesIn(world)).not.toContain("written");
        expect((await world.relais(["history", "replay"])).status).toBe(0);
      },
    },
  },
  {
    shows: "more patches than a milestone may have",
    keys: ["builder.patch.max_patch_attempts_per_milestone"],
    config: { builder: { patch: { max_patch_attempts_per_milestone: 1 } } },
    task: carrying(patched(43)),
    before: async ({ run }) => {
      expect((await run()).status).toBe(10);
    },
    ends: { code: "STOP_PATCH_INVALID", cause: "patch_attempts_used_up", report: { settle: null } },
  },
  {
    shows: "a patch counts as a call of a builder, for which a budget may have no room",
    config: { budgets: { per_milestone: { max_builder_calls: 0 } } },
    task: carrying(patched(42)),
    ends: { code: "BLOCKED_BUDGET_CAP", cause: "builder_calls" },
  },
  {
    shows: "a person who edits while a patch is judged keeps it from being written",
    task: carrying(patched(42)),
    before: (world) => meddler(world, { after: "judged", does: 'fs.appendFileSync(root + "/src/other.ts", "x");' }),
    ends: {
      code: "STOP_INTERRUPTED",
      cause: "measurement_failed",
      message: /changed while the patch was judged: src\/other\.ts/,
      after: (world) => expect(typesIn(world)).not.toContain("written"),
    },
  },
  {
    shows: "a patch leaves the mode of a file as it is, as far as git does not know it",
    task: carrying(patched(42)),
    before: ({ root }) => chmodSync(join(root, "src/main.ts"), 0o640),
    ends: {
      code: "SUCCESS",
      changed: ["src/main.ts"],
      after: ({ root }) => expect(statSync(join(root, "src/main.ts")).mode & 0o7777).toBe(0o640),
    },
  },
  {
    shows: "a patch meets the bytes of the worktree, whatever the repository converts",
    files: { ".gitattributes": "src/win.txt text eol=crlf\n", "src/win.txt": "one\r\ntwo\r\n" },
    task: {
      ...carrying(
        "diff --git a/src/win.txt b/src/win.txt\n--- a/src/win.txt\n+++ b/src/win.txt\n@@ -1,2 +1,2 @@\n one\r\n-two\r\n+TWO\r\n",
      ),
      verification: { fast: [], slow: [] },
    },
    ends: {
      code: "SUCCESS",
      changed: ["src/win.txt"],
      after: ({ read }) => expect(read("src/win.txt")).toBe("one\r\nTWO\r\n"),
    },
  },
];
