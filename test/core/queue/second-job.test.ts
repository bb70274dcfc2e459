import { expect, test } from "vitest";
import type { JobSpec } from "../../../src/contract/queue/job.ts";
import { nameSecondJob, planSecondJob } from "../../../src/core/queue/second-job.ts";

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
const CLASH = { paths: ["src/x.ts"], text: "<<<<<<< here", base: { commit: "b".repeat(40), branch: "main" } };

test("a job goes back once", () => {
  expect(nameSecondJob("job-1")).toBe("job-1-again");
  expect(nameSecondJob("job-1-again")).toBeNull();
  expect(nameSecondJob("j".repeat(64))).toHaveLength(64);
});

test("a sentence, a file with one and an objective get the conflict as context", () => {
  expect(planSecondJob(SPEC, CLASH)).toMatchObject({
    base: CLASH.base,
    arguments: ["--agent=codex", "--", expect.stringMatching(/^make it new\n\n[^]*src\/x\.ts[^]*<<<<<<< here$/)],
  });
  const file = planSecondJob({ ...SPEC, arguments: ["--file=ask.md"], files: { "ask.md": "do it" } }, CLASH);
  expect(file?.files["ask.md"]).toMatch(/^do it\n\n[^]*could not land/);
  const goal = planSecondJob({ ...SPEC, command: "goal" }, { ...CLASH, text: "x".repeat(50_000) });
  expect(goal?.arguments.at(-1)).toHaveLength(16_000);
});

test.each(["campaign", "tree", "loop", "task"] as const)("a %s waits for a person", (command) => {
  expect(planSecondJob({ ...SPEC, command }, CLASH)).toBeNull();
});
