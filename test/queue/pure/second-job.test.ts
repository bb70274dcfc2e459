import { expect, test } from "vitest";
import type { JobSpec } from "../../../src/queue/pure/job.ts";
import { SETBACK_FILE, nameSecondJob, planSecondJob } from "../../../src/queue/pure/job-row.ts";

const SPEC: JobSpec = {
  version: 1,
  command: "run",
  arguments: ["--agent=codex", "--", "make it new"],
  files: {},
  repository: { kind: "path", path: "/repo" },
  base: { commit: "a".repeat(40), branch: "main" },
  key: "/repo/.git#main",
  needs: [],
  config: null,
  caps: { ticks: null, sessions: null, seconds: null, dollars: null },
  title: "make it new",
};
const SETBACK = { reason: "It conflicts in src/x.ts.", base: { commit: "b".repeat(40), branch: "main" } };

test("a job goes back once", () => {
  expect(nameSecondJob("job-1")).toBe("job-1-again");
  expect(nameSecondJob("job-1-again")).toBeNull();
  expect(nameSecondJob("j".repeat(64))).toHaveLength(64);
});

test.each(["run", "task", "goal", "campaign", "tree", "loop"] as const)(
  "a %s starts from the newer commit, with the reason among its files",
  (command) => {
    expect(planSecondJob({ ...SPEC, command, files: { "ask.md": "do it" } }, SETBACK)).toEqual({
      ...SPEC,
      command,
      base: SETBACK.base,
      files: { "ask.md": "do it", [SETBACK_FILE]: expect.stringMatching(/could not land[^]*src\/x\.ts/) },
    });
    const long = planSecondJob(SPEC, { ...SETBACK, reason: "x".repeat(50_000) });
    expect(long?.files[SETBACK_FILE]).toHaveLength(16_000);
  },
);

test("a patch waits for a person", () => {
  expect(planSecondJob({ ...SPEC, files: { patch: "--- a/x" } }, SETBACK)).toBeNull();
});
