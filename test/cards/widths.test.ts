import { describe, expect, test } from "vitest";
import { COMMANDS } from "../../src/command-list.ts";
import { listAllCommands } from "../../src/terminal/find-command.ts";
import { writeCommandHelp, writeOverview } from "../../src/terminal/help-text.ts";
import { type Code, CODES } from "../../src/base/codes.ts";
import { Config } from "../../src/config/config.ts";
import { parseWith } from "../../src/base/schema-error.ts";
import { fail, ok, warn } from "../../src/checks/pure/config-text.ts";
import type { Canvas } from "../../src/base/canvas.ts";
import { renderDoctor, renderInit } from "../../src/cards/init-text.ts";
import { renderHistoryList, renderReplay } from "../../src/cards/history-text.ts";
import { renderPruned } from "../../src/cards/decision-text.ts";
import { renderSalvageList } from "../../src/cards/salvage-text.ts";
import { renderStatus } from "../../src/cards/status-text.ts";
import { plainStyle } from "../../src/base/style.ts";
import { measureDisplayWidth } from "../../src/base/wrap-text.ts";
import { keptWork } from "../support/kept-work.ts";
import { RUN } from "../support/ticks.ts";

const at = "2026-01-31T23:59:59.000Z";
const intent =
  "Give ten percent off, but only above one hundred, and say so on the receipt in the language of the buyer.";
const codes = Object.keys(CODES).filter((code): code is Code => code in CODES);
const config = parseWith(Config, {});
if (config.kind === "invalid") throw new Error("the defaults are not a configuration");
const counters = { ticks: 1, orchestrator_calls: 0, builder_calls: 170, verify_runs: 600, reviewer_calls: 0 };

/** Every list, with everything in it that makes a line long. */
const LISTS: Readonly<Record<string, (canvas: Canvas) => string>> = {
  "--help": writeOverview,
  ...Object.fromEntries(
    listAllCommands(COMMANDS).map((named) => [
      `${named.path} --help`,
      (canvas: Canvas) => writeCommandHelp(named, canvas),
    ]),
  ),
  doctor: (canvas) =>
    renderDoctor(
      [
        ok("git", "git version 2.39.5"),
        fail("orchestrator", {
          message: "A check that cannot be started fails, and the work is put back as it was before.",
          problems: ["npm was not found, which lint, typecheck, test and build would start"],
          fix: "Install the programs, or correct verification.templates in the configuration.",
        }),
        warn("tmux", { message: "Not installed; only watching needs it.", fix: "Install it if you want." }),
      ],
      { ...canvas, isQuiet: false },
    ),
  "history list": (canvas) =>
    renderHistoryList(
      [...codes, null].map((code) => ({ runId: RUN, startedAt: at, code, intent })),
      canvas,
    ),
  "history list, short": (canvas) =>
    renderHistoryList([{ runId: RUN, startedAt: at, code: "SUCCESS", intent: "Short" }], canvas),
  "history replay": (canvas) =>
    renderReplay(
      [
        {
          runId: RUN,
          replayed: {
            kind: "same",
            judgement: { code: "STOP_SCOPE_VIOLATION_OUTSIDE_ALLOWED" },
            isHashChecked: false,
            isFolderChecked: false,
          },
        },
        { runId: RUN, replayed: { kind: "pruned" } },
        {
          runId: RUN,
          replayed: {
            kind: "differs",
            file: "report.json",
            place: "byte 12",
            recorded: '"one"',
            derived: '"two"',
            sha256: { recorded: "a".repeat(64), found: "b".repeat(64) },
            others: [{ file: "transcripts/builder.jsonl", reason: "it was changed" }],
          },
        },
      ],
      3,
      { ...canvas, isQuiet: false },
    ),
  "history prune": (canvas) =>
    renderPruned(
      {
        kind: "pruned",
        isDryRun: true,
        removed: [{ runId: RUN, startedAt: at, bytes: 5_000_000 }],
        held: [{ runId: RUN, reason: "its change waits to be committed" }],
        bytesMax: 10_000_000,
        bytesBefore: 9_000_000,
        bytesAfter: 4_000_000,
        privateBytes: 3_000_000,
        problems: [],
      },
      { ...canvas, isWhole: true },
    ),
  "salvage list": (canvas) =>
    renderSalvageList(
      {
        works: codes.map((code) => keptWork({ kept_at: at, code, left_out_total: 3 })),
        rescued: { objects: "/o", commits: [], folders: [] },
      },
      canvas,
    ),
  init: (canvas) =>
    renderInit(
      {
        kind: "initialised",
        root: "/home/me/project",
        uncommitted: [],
        hasCommit: true,
        workspace: "relais",
        detection: {
          languages: ["TypeScript", "Python"],
          found: ["npm (package.json): lint, typecheck, test, build"],
          templates: [],
          allowedGlobs: ["src/**"],
        },
        files: [{ path: "relais/GOAL.md", state: "written" }],
        commit: null,
        missing: ["The program claude was not found; the builder needs it."],
        surroundings: {
          branch: "main",
          isProtected: true,
          agents: [
            { program: "claude", file: null },
            { program: "codex", file: "/usr/bin/codex" },
          ],
          builder: "claude_code",
          canBuild: true,
          canPlan: true,
        },
      },
      {
        ...canvas,
        isDetailed: false,
        isCommitWanted: false,
        next: [{ command: "relais doctor", explains: "see whether everything is in place" }],
      },
    ),
  status: (canvas) =>
    renderStatus(
      {
        kind: "status",
        repository: "/home/me/project",
        branch: "topic",
        config: { kind: "usable" },
        damagedLock: null,
        missingLines: 0,
        lost: null,
        running: null,
        unfinished: null,
        notPutBack: { runId: RUN, secondsAgo: 5, differences: ["src/a.ts"] },
        lastTick: {
          runId: RUN,
          verdict: "stop",
          code: "STOP_VERIFY_FAILED_FAST",
          intent,
          secondsAgo: 300,
          commit: null,
          isUndone: false,
        },
        openSeries: [
          {
            seriesId: RUN,
            runId: RUN,
            options: { command: "loop", mode: "autonomous", max_ticks: null },
            branch: `relais/${RUN}`,
            commit: null,
            end: "interrupted",
          },
        ],
        question: { run_id: RUN, asked_at: at, prompt: intent, choices: ["old", "new"], answer: null },
        accepted: { runId: RUN, files: 1, newFiles: 0 },
        budgets: {
          milestoneId: "M-1",
          used: { ...counters, estimated_cost_usd: 1.5 },
          caps: config.value.budgets.per_milestone,
          warnAtFraction: 0.8,
        },
        planTrouble: intent,
        preflight: { kind: "blocked", code: "BLOCKED_DIRTY_WORKTREE", cause: "dirty", message: intent },
      },
      canvas,
    ),
};

/** What must stay whole: one word, or an example that a person copies. */
function isUnbreakable(line: string): boolean {
  return !line.trim().includes(" ") || /^ {2}(?:relais|git) /.test(line);
}

/** The text as a reader takes it in, without how it was laid out; a word may have been broken. */
const words = (text: string) => text.replaceAll(/ \\$/gm, "").replaceAll(/[\s│]+/g, "");

describe.for(Object.entries(LISTS))("%s", ([, render]) => {
  test.for([40, 60, 80, 120, 200])("fits into %i columns, and nothing of it is lost", (columns) => {
    const text = render({ style: plainStyle, columns });
    const long = text.split("\n").filter((line) => measureDisplayWidth(line) > columns && !isUnbreakable(line));
    expect(long).toEqual([]);
    expect(words(text).split("").toSorted()).toEqual(
      words(render({ style: plainStyle, columns: 1000 }))
        .split("")
        .toSorted(),
    );
  });
});
