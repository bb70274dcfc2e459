/** What is written down afterwards. It never changes how the tick ended. */
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import { meddler } from "../support/meddler.ts";
import type { Scenario } from "../support/scenario.ts";
import { GOOD_EDIT } from "../support/scenario-documents.ts";
import { WORKSPACE_IGNORE } from "../../src/config/workspace-layout.ts";

const DONE = ["src/main.ts"];
const ACCEPTED = { code: "SUCCESS", changed: DONE } as const;
const OUTSIDE = [GOOD_EDIT, { do: "write", path: "README.md", text: "x" }];

export const REPORT: readonly Scenario[] = [
  {
    shows: "a report that cannot be written changes nothing about the verdict",
    before: (world) =>
      meddler(world, {
        after: "settled",
        does: 'fs.mkdirSync(root + "/relais/REPORT.json/in-the-way", { recursive: true });',
      }),
    ends: {
      ...ACCEPTED,
      says: /^relais: not written: .*REPORT\.json/,
      after: async ({ run, git }) => {
        git("checkout", "-q", ".");
        expect(JSON.parse((await run()).stdout)).toMatchObject({
          code: "BLOCKED_CRASH_RECOVERY_REQUIRED",
          cause: "damaged_documents",
        });
      },
    },
  },
  {
    shows: "a tick that fills the history up keeps its verdict, and the next one is blocked",
    config: { history: { max_mb: 1 } },
    steps: [GOOD_EDIT, { do: "print", text: "x".repeat(1023) + "\n", repeat: 2000 }],
    ends: {
      ...ACCEPTED,
      after: async ({ run, git }) => {
        git("checkout", "-q", ".");
        expect(JSON.parse((await run()).stdout)).toMatchObject({
          code: "BLOCKED_HISTORY_CAP_CLEANUP_REQUIRED",
        });
      },
    },
  },
  {
    shows: "the history holds everything that the tick was decided by",
    steps: OUTSIDE,
    ends: {
      code: "STOP_SCOPE_VIOLATION_OUTSIDE_ALLOWED",
      after: ({ root }, { report }) => {
        expect(readdirSync(join(root, report?.pointers.history_dir ?? "")).toSorted()).toEqual([
          "builder.log",
          "config.json",
          "diff.patch",
          "evidence.json",
          "meta.json",
          "report.json",
          "report.md",
          "task.json",
        ]);
      },
    },
  },
  {
    shows: "an accepted change has its patch in the history",
    ends: {
      ...ACCEPTED,
      report: { diff: { diff_patch_path: expect.stringMatching(/\/diff\.patch$/) } },
      after: ({ read }, { report }) =>
        expect(read(report?.diff.diff_patch_path ?? "")).toContain("+export const answer = 42;"),
    },
  },
  {
    shows: "no history is kept where none is wanted",
    keys: ["history.enabled"],
    config: { history: { enabled: false } },
    ends: { ...ACCEPTED, after: ({ has }) => expect(has("relais/history")).toBe(false) },
  },
  {
    shows: "the history lies where the configuration wants it",
    keys: ["history.dir"],
    config: { history: { dir: "relais/goals/past" } },
    ends: {
      ...ACCEPTED,
      changed: null,
      report: { pointers: { history_dir: expect.stringMatching(/^relais\/goals\/past\//) } },
    },
  },
  {
    shows: "a patch is left out of the history where the configuration wants none",
    keys: ["history.include_diff_patch"],
    config: { history: { include_diff_patch: false } },
    steps: OUTSIDE,
    ends: { code: "STOP_SCOPE_VIOLATION_OUTSIDE_ALLOWED", report: { diff: { diff_patch_path: null } } },
  },
  {
    shows: "the log of the checks is left out of the history where the configuration wants none",
    keys: ["history.include_verify_log"],
    config: { history: { include_verify_log: false } },
    ends: { ...ACCEPTED, report: { verification: { verify_log_path: null } } },
  },
  {
    shows: "no REPORT.md where none is wanted",
    keys: ["runner.render_report_md.enabled"],
    config: { runner: { render_report_md: { enabled: false } } },
    ends: { ...ACCEPTED, after: ({ has }) => expect(has("relais/REPORT.md")).toBe(false) },
  },
  {
    shows: "REPORT.md is as short as it is wanted",
    keys: ["runner.render_report_md.max_chars"],
    config: { runner: { render_report_md: { max_chars: 500 } } },
    steps: Array.from({ length: 30 }, (_, n) => ({ do: "write", path: `src/new-${n}.ts`, text: "x\n" })),
    ends: {
      code: "STOP_SCOPE_VIOLATION_NEW_FILE",
      after: ({ read }) => expect(read("relais/REPORT.md").length).toBeLessThanOrEqual(500),
    },
  },
  {
    shows: "the workspace lies where the configuration wants it, and all that belongs to it",
    keys: ["workspace_dir"],
    config: { workspace_dir: "tools/relais" },
    files: { "tools/relais/.gitignore": WORKSPACE_IGNORE },
    ends: {
      ...ACCEPTED,
      report: { pointers: { history_dir: expect.stringMatching(/^tools\/relais\/history\//) } },
      after: ({ has }) => expect(has("relais/REPORT.json")).toBe(false),
    },
  },
  {
    shows: "words of a builder cannot draw on the terminal or in the report",
    steps: [
      GOOD_EDIT,
      {
        do: "result",
        content: {
          summary: "\u001B[2J\u202E<b>![x](http://x)",
          files_intended: [],
          commands_ran: [],
          notes: [],
        },
      },
      { do: "exit", status: 0 },
    ],
    ends: {
      ...ACCEPTED,
      after: ({ read }) => {
        const text = read("relais/REPORT.md");
        for (const raw of ["\u001B", "\u202E", "<b>"]) expect(text).not.toContain(raw);
        expect(text).toContain("`the builder says: \\u{1b}[2J");
      },
    },
  },
];
