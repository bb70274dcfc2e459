/**
 * A workflow that is not relay: a small one of the test's own, driven through the same kernel.
 *
 * It tries a piece of work up to three times, brings its own guard, keeps failed attempts as commits, gives the builder
 * a file to amend, and asks a reviewer about green attempts.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import * as v from "valibot";
import type { JournalLine } from "../../src/records/event.ts";
import type { Report } from "../../src/records/report.ts";
import { Task } from "../../src/records/task.ts";
import { findConfiguredReview } from "../../src/checks/pure/review-plan.ts";
import { decideNextWork, TASK_ONLY, type Work, type Workflow } from "../../src/workflows/pure/workflow.ts";
import { openJournal } from "../../src/journal/journal.ts";
import { locateRunDirectory } from "../../src/journal/run-directory.ts";
import { openWorkspace } from "../../src/workspace/open-workspace.ts";
import { openSession } from "../../src/tick/open-session.ts";
import { runWork } from "../../src/tick/run-work.ts";
import { executable } from "../support/relais.ts";
import { scratchRepository } from "../support/scratch-repository.ts";
import { executeTask } from "../support/tasks.ts";
import { WORKSPACE_IGNORE } from "../../src/config/workspace-layout.ts";

interface Attempts {
  readonly count: number;
  readonly isDone: boolean;
  /** What the builder proposed last, as the journal remembers it. */
  readonly plan: unknown;
}

const RESULT = { summary: "Tried.", files_intended: [], commands_ran: [], notes: [] };
const APPROVE = { decision: "approve", explanation: "Fine.", reasons: [] };

/** A builder that amends the plan which it finds in its drop folder. */
const AMEND = 'cat "$RELAIS_DROP/plan.txt" > "$RELAIS_DROP/plan.out"; echo "and more" >> "$RELAIS_DROP/plan.out"';

function workOf(attempt: number, steps: readonly object[]): Work {
  const script = {
    steps: [...steps, { do: "run", argv: ["sh", "-c", AMEND] }, { do: "result", content: RESULT }],
    reviewers: { risk: [{ do: "result", content: APPROVE }] },
  };
  const instructions = JSON.stringify(script);
  const review = findConfiguredReview({ reviewers: ["risk"], quorum: null });
  return {
    task: v.parse(Task, {
      ...executeTask,
      task_id: `attempt-${attempt}`,
      scope: { ...executeTask.scope, allow_new_files: true },
      diff_limits: { max_files_touched: 20, max_lines_changed: 100 },
      verification: { fast: [], slow: [] },
      builder: { mode: "scripted", max_turns: 1, instructions },
    }),
    ceiling: { default_max_files_touched: 20, default_max_lines_changed: 100 },
    brief: {
      ...TASK_ONLY,
      files: { "plan.txt": `plan ${attempt}\n` },
      proposals: { "plan.out": 100 },
      read: (left) => {
        const read = TASK_ONLY.read(left);
        const plan = new TextDecoder().decode(left.proposals.get("plan.out"));
        return read.kind === "valid" ? { ...read, data: { plan } } : read;
      },
    },
    checks: {
      max: 1,
      known: [],
      choose: ({ judged }) =>
        judged.touched_paths_total === 0
          ? []
          : [
              {
                templateId: "guard",
                phase: "slow",
                cmd: "grep",
                args: ["-q", "right", "src/x.ts"],
                timeoutSeconds: 60,
                stopCode: "STOP_GUARD_FAILED",
              },
            ],
    },
    review,
    settle: { onSuccess: "commit", onFailure: "commit" },
  };
}

function attempts(scripts: readonly (readonly object[])[]): Workflow<Attempts> {
  return {
    name: "tree",
    start: { count: 0, isDone: false, plan: null },
    reduce: (state, { event }) => {
      if (event.type === "build_ended") return { ...state, plan: event.data?.["plan"] };
      if (event.type !== "tick_ended") return state;
      return { ...state, count: state.count + 1, isDone: event.code === "SUCCESS" };
    },
    next: ({ count, isDone }) => {
      if (isDone) return { kind: "end", end: "complete" };
      const steps = scripts[count];
      if (steps === undefined) return { kind: "end", end: "stuck" };
      return { kind: "work", work: workOf(count, steps) };
    },
  };
}

/** Runs the workflow until its series ends, as a command of many ticks would. */
async function runSeries(scripts: readonly (readonly object[])[]) {
  const { box, root, git, commit } = scratchRepository({ "src/x.ts": "old\n", ".gitignore": "/dist/\n" });
  git("symbolic-ref", "HEAD", "refs/heads/topic");
  const config = { builder: { default_mode: "scripted" }, diff_limits: { default_max_files_touched: 1 } };
  commit({ "relais.config.json": JSON.stringify(config), "relais/.gitignore": WORKSPACE_IGNORE });
  const workflow = attempts(scripts);
  const workspace = await openWorkspace({
    cwd: root,
    environment: { HOME: box, XDG_STATE_HOME: join(box, "state") },
  });
  if (workspace.kind === "blocked") throw new Error(workspace.message);
  const opened = await openJournal({ path: join(workspace.stateDirectory, "journal.jsonl"), ledger: null });
  if (opened.kind !== "open") throw new Error(JSON.stringify(opened));
  const { journal } = opened;
  const seriesId = "20260101T000000Z-0000abcd";
  const reports: Report[] = [];
  for (;;) {
    const next = decideNextWork(workflow, { lines: journal.lines(), seriesId });
    if (next.kind === "end") {
      await journal.close();
      const lines: readonly JournalLine[] = journal.lines();
      return { end: next.end, reports, lines, git, root, stateDirectory: workspace.stateDirectory };
    }
    if (next.kind === "wait") throw new Error("nobody was refused by a limit");
    const session = await openSession({
      workspace: {
        ...workspace,
        journal,
        runId: `20260101T00000${reports.length}Z-0123abcd`,
        noteInLocks: () => Promise.resolve(),
      },
      seriesId,
      work: next.work,
      signal: new AbortController().signal,
      player: [process.execPath, executable, "__scripted"],
      renderReport: () => "",
    });
    if (session.kind === "blocked") throw new Error(session.message);
    const request = { workflow: workflow.name, work: next.work, relaisVersion: "0" };
    reports.push((await runWork(session.session, request)).report);
  }
}

const write = (path: string, text: string) => ({ do: "write", path, text }) as const;

test("a failed attempt is committed with its code, the next one builds on it, and a pass ends the series", async () => {
  const two = [write("src/x.ts", "right\n"), write("src/more.ts", "more\n")];
  const { end, reports, lines, git, root, stateDirectory } = await runSeries([[write("src/x.ts", "wrong\n")], two]);
  expect(end).toBe("complete");
  expect(reports).toMatchObject([
    {
      code: "STOP_GUARD_FAILED",
      workflow: "tree",
      settle: { action: "commit", commit: expect.any(String), branch: "topic" },
      review: null,
    },
    { code: "SUCCESS", settle: { action: "commit" }, diff: { files_changed: 2 }, review: { approved: true } },
  ]);
  expect(git("log", "--format=%(trailers:key=Relais-Code,valueonly,separator=)").split("\n")).toEqual([
    "SUCCESS",
    "STOP_GUARD_FAILED",
  ]);
  expect(git("show", "HEAD^:src/x.ts")).toBe("wrong");
  expect(git("status", "--porcelain")).toBe("");
  expect(readFileSync(join(root, "src/x.ts"), "utf8")).toBe("right\n");
  const built = lines.flatMap(({ event }) => (event.type === "build_ended" ? [event.data] : []));
  expect(built).toEqual([{ plan: "plan 0\nand more\n" }, { plan: "plan 1\nand more\n" }]);
  const kept = join(locateRunDirectory(stateDirectory, reports[0]?.run_id ?? ""), "proposal-plan.out");
  expect(readFileSync(kept, "utf8")).toBe("plan 0\nand more\n");
});

test("a change against the rules is put back whatever the policy, and a workflow may need no check", async () => {
  const { end, reports, git } = await runSeries([
    [write("README.md", "out of scope\n")],
    [],
    [write("src/x.ts", "right\n")],
  ]);
  expect(reports).toMatchObject([
    { code: "STOP_SCOPE_VIOLATION_OUTSIDE_ALLOWED", settle: { action: "rollback" }, review: null },
    { code: "SUCCESS", verification: { runs: [] }, review: { approved: true } },
  ]);
  expect(end).toBe("complete");
  expect(git("status", "--porcelain")).toBe("");
  expect(git("rev-list", "--count", "HEAD")).toBe("1");
});
