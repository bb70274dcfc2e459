import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { makeDefaultConfig } from "../../src/config/config.ts";
import type { Handoff } from "../../src/queue/pure/job.ts";
import { runHandoff } from "../../src/workspace/run-handoff.ts";
import { scratchFolder } from "../support/scratch-repository.ts";

const HANDOFF: Handoff = {
  version: 1,
  kind: "job_ended",
  at: "2026-01-01T00:00:00.000Z",
  id: "job-1",
  repository: "/repo",
  title: "make it new",
  outcome: "done",
  code: "SUCCESS",
  summary: "It is new.",
  base: { commit: null, branch: null },
  branch: null,
  commit: null,
};

/** One that has ended and that nobody has waited for has no command line. */
function isRunning(pid: string): boolean {
  return existsSync(`/proc/${pid}`) && readFileSync(`/proc/${pid}/cmdline`, "utf8") !== "";
}

test("a handoff command that does not end is ended with all that it started, and that is a warning", async () => {
  const cwd = scratchFolder();
  // Neither it nor the program that it leaves in the background listens to a polite signal.
  const script = "trap '' TERM HUP INT; (trap '' TERM HUP INT; sleep 300) & echo $! > background; echo $$ > own; wait";
  const warning = await runHandoff(
    {
      config: { ...makeDefaultConfig(), handoff: { command: ["sh", "-c", script] } },
      cwd,
      environment: { ...process.env },
      signal: new AbortController().signal,
      secondsMax: 2,
    },
    HANDOFF,
  );
  expect(warning).toMatch(/handoff\.command.*timed out after 2 seconds/);
  const pids = ["own", "background"].map((name) => readFileSync(join(cwd, name), "utf8").trim());
  expect(pids.filter(isRunning)).toEqual([]);
});
