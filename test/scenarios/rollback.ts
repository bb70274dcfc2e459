/** What is put back, what is kept of it, and what happens where that fails. */
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import { meddler } from "../support/meddler.ts";
import type { Scenario } from "../support/scenario.ts";
import { GOOD_EDIT } from "../support/scenario-documents.ts";
import type { World } from "../support/scenario-world.ts";

const write = (path: string, text: string) => ({ do: "write", path, text }) as const;
/** Somebody else adds a line to the change between the checks and the settlement. */
const edited = (world: World) =>
  meddler(world, { after: "verified", does: 'fs.appendFileSync(root + "/src/main.ts", "mine");' });

export const ROLLBACK: readonly Scenario[] = [
  {
    shows: "a change that is edited by somebody else after it was judged is not accepted",
    before: edited,
    ends: {
      code: "STOP_INTERRUPTED",
      cause: "measurement_failed",
      message: /it changed after the judgement: src\/main\.ts/,
    },
  },
  {
    shows: "what somebody else wrote after the judgement is not lost when it is put back",
    before: edited,
    ends: {
      code: "STOP_INTERRUPTED",
      after: ({ read }, { report }) => expect(read(report?.diff.diff_patch_path ?? "")).toContain("mine"),
    },
  },
  {
    shows: "a rollback that cannot find what it kept says so, and nothing more runs",
    steps: [
      GOOD_EDIT,
      {
        do: "run",
        argv: ["sh", "-c", 'rm -rf "$XDG_STATE_HOME"/relais/*/judge.git/objects/* .env package.json'],
      },
    ],
    ends: {
      code: "BLOCKED_ROLLBACK_FAILED",
      changed: null,
      report: { settle: null, head_commit: null },
      after: async ({ run, relais }, { report }) => {
        // A tick that was refused since is the last one then, and must not hide it.
        for (const again of [await run(), await run()]) {
          expect(again.status).toBe(11);
          expect(JSON.parse(again.stdout)).toMatchObject({
            code: "BLOCKED_CRASH_RECOVERY_REQUIRED",
            cause: "rollback_failed",
          });
        }
        for (const args of [[], ["status"], ["status", "--preflight"]]) {
          const { stdout } = await relais(args);
          expect(stdout).toContain(`${report?.run_id} could not be reverted`);
          expect(stdout).toContain("still different: .env");
          expect(stdout).toMatch(/\nNext:\n {2}relais recover .*\n {2}relais salvage list /);
          expect(stdout.slice(stdout.indexOf("\nNext:"))).not.toContain("relais run");
        }
      },
    },
  },
  {
    shows: "work that was put back is found in salvage, without what is forbidden",
    steps: [GOOD_EDIT, write("src/secret.txt", "hunter2\n")],
    ends: {
      code: "STOP_SCOPE_VIOLATION_FORBIDDEN",
      after: (world, { report }) => {
        const patch = world.read(report?.diff.diff_patch_path ?? "");
        expect(patch).toContain("+export const answer = 42;");
        expect(patch).not.toContain("hunter2");
        expect(readdirSync(join(world.state(), "salvage"))).toEqual([report?.run_id]);
        expect(report?.notes[0]).toBe("not kept in salvage: src/secret.txt (a forbidden path)");
      },
    },
  },
];
