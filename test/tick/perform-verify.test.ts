/** How far it is from the step of a tick to the program of a check: stacks of real starts. */
import { createHook } from "node:async_hooks";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import * as v from "valibot";
import { WORKSPACE_IGNORE } from "../../src/config/workspace-layout.ts";
import { openJournal } from "../../src/journal/journal.ts";
import { locateRunDirectory } from "../../src/journal/run-directory.ts";
import { Task } from "../../src/records/task.ts";
import { openSession } from "../../src/tick/open-session.ts";
import { runWork } from "../../src/tick/run-work.ts";
import { TASK_ONLY, type Work } from "../../src/workflows/pure/workflow.ts";
import { openWorkspace } from "../../src/workspace/open-workspace.ts";
import { executable } from "../support/relais.ts";
import { scratchRepository } from "../support/scratch-repository.ts";
import { executeTask } from "../support/tasks.ts";

const FRAMES_MAX = 8;
const RUN_ID = "20260101T000000Z-0123abcd";

/** The stacks of all programs that are started from now on, across everything that is awaited. */
function watchStarts(): readonly string[] {
  const stacks: string[] = [];
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = 100;
  const init = (_: number, type: string): void => {
    if (type === "PROCESSWRAP") stacks.push(new Error("started").stack ?? "");
  };
  const hook = createHook({ init }).enable();
  onTestFinished(() => {
    hook.disable();
    Error.stackTraceLimit = stackTraceLimit;
  });
  return stacks;
}

/** The functions of ours between a step and a program that it had supervised, both included. */
function listFrames(stack: string): readonly string[] {
  const frames = stack.split("\n").filter((line) => line.includes("/src/"));
  const step = frames.findIndex((line) => /\bperform(?:Baseline|Verify) /u.test(line));
  return frames[0]?.includes(" launch ") === true && step !== -1 ? frames.slice(0, step + 1) : [];
}

const TAP = (...names: readonly string[]): string =>
  `TAP version 13\n${names.map((name, at) => `ok ${at + 1} - ${name}\n`).join("")}1..${names.length}\n`;

const WORK: Work = {
  task: v.parse(Task, {
    ...executeTask,
    scope: { ...executeTask.scope, allowed_globs: ["src/**", "test/**"] },
    verification: { fast: ["tests"], slow: [] },
    builder: {
      mode: "scripted",
      max_turns: 1,
      instructions: JSON.stringify({
        steps: [
          { do: "write", path: "src/x.ts", text: "new\n" },
          { do: "write", path: "test/a.tap", text: TAP("one", "two") },
          { do: "result", content: { summary: "Done.", files_intended: [], commands_ran: [], notes: [] } },
        ],
      }),
    },
  }),
  ceiling: { default_max_files_touched: 20, default_max_lines_changed: 100 },
  brief: TASK_ONLY,
  checks: { max: 1, known: [], choose: () => [] },
  review: null,
  settle: { onSuccess: "commit", onFailure: "rollback" },
};

/** A tick of every stage: the base, the change, the old tests, the new tests on the old code, and what is held out. */
async function runEveryStage() {
  const { box, root, commit } = scratchRepository({ "src/x.ts": "old\n", "test/a.tap": TAP("one") });
  const verification = {
    setup: [{ cmd: "true", args: [] }],
    templates: [{ id: "tests", cmd: "cat", args: ["test/a.tap"] }],
    held_out: [{ id: "hidden", cmd: "true", args: [], files: {} }],
    held_out_output: "share",
  };
  const config = { builder: { default_mode: "scripted" }, isolation: "in_place", sandbox: "off", verification };
  commit({ "relais.config.json": JSON.stringify(config), "relais/.gitignore": WORKSPACE_IGNORE });
  const environment = { PATH: process.env["PATH"] ?? "", HOME: box, XDG_STATE_HOME: join(box, "state") };
  const workspace = await openWorkspace({ cwd: root, environment });
  if (workspace.kind === "blocked") throw new Error(workspace.message);
  const opened = await openJournal({ path: join(workspace.stateDirectory, "journal.jsonl"), ledger: null });
  if (opened.kind !== "open") throw new Error(JSON.stringify(opened));
  const { journal } = opened;
  const session = await openSession({
    workspace: { ...workspace, journal, runId: RUN_ID, noteInLocks: () => Promise.resolve() },
    seriesId: RUN_ID,
    work: WORK,
    signal: new AbortController().signal,
    player: [process.execPath, executable, "__scripted"],
    renderReport: () => "",
  });
  if (session.kind === "blocked") throw new Error(session.message);
  const { report } = await runWork(session.session, { workflow: "relay", work: WORK, relaisVersion: "0" });
  await journal.close();
  const log = readFileSync(join(locateRunDirectory(workspace.stateDirectory, RUN_ID), "verify.log"), "utf8");
  return { report, started: log.match(/^=== (?:fast|slow) /gmu)?.length ?? 0 };
}

test("at most eight functions are between a step and the program of a check, in every stage", async () => {
  const stacks = watchStarts();
  const { report, started } = await runEveryStage();
  expect(report).toMatchObject({
    code: "SUCCESS",
    verification: {
      runs: [
        { template_id: "tests", old_code_ms: expect.any(Number) },
        { template_id: "tests", oracle: "base" },
        { template_id: "hidden", held_out: true },
      ],
    },
  });
  const chains = stacks.map(listFrames).filter((frames) => frames.length > 0);
  // Five stages, each with its setup.
  expect(chains).toHaveLength(10);
  expect(started).toBe(10);
  expect(chains.filter((frames) => frames.length > FRAMES_MAX)).toEqual([]);
});
