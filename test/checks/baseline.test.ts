/** The checks before the build: run once for a commit, bounded in time, and what they say about the checks after it. */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { type TickRepository, tickRepository } from "../support/tick-repository.ts";

/** A project whose check runs `check.sh`, which can count its runs in the folder around the repository. */
function world(script: string, verification: object = {}): TickRepository {
  const templates = [{ id: "test", cmd: "sh", args: ["check.sh"] }];
  const config = { sandbox: "off", verification: { baseline: "auto", templates, ...verification } };
  return tickRepository({ files: { "check.sh": script }, config });
}

async function runTick(repo: TickRepository, text = "new\n", more: object = {}): Promise<unknown> {
  const task = { ...repo.task([{ do: "write", path: "src/x.ts", text }]), verification: { fast: ["test"], slow: [] } };
  writeFileSync(join(repo.box, "task.json"), JSON.stringify({ ...task, ...more }));
  return (await repo.ask("run", "--task", join(repo.box, "task.json"))).document;
}

const COUNT = 'echo run >> ../runs; n="$(grep -c run ../runs)"\n';
const countRuns = ({ box }: TickRepository): number =>
  existsSync(join(box, "runs")) ? readFileSync(join(box, "runs"), "utf8").trim().split("\n").length : 0;

test.concurrent("the result is kept for the commit, also a red one, and runs again after a commit", async () => {
  const repo = world(`${COUNT}grep -q good src/y.ts\n`);
  const blocked = {
    code: "BLOCKED_BASELINE_RED",
    message: "Before any work, `test` fails.",
    verification: { baseline: [{ template_id: "test", exit_code: 1 }], runs_total: 0 },
    budgets: { builder_calls: 0 },
  };
  expect(await runTick(repo)).toMatchObject(blocked);
  expect(await runTick(repo)).toMatchObject(blocked);
  expect(countRuns(repo)).toBe(1);
  repo.commit({ "src/y.ts": "good\n" });
  expect(await runTick(repo)).toMatchObject({ code: "SUCCESS", verification: { runs: [{ state: "passed" }] } });
  expect(countRuns(repo)).toBe(3);
});

test.concurrent("a check that failed before and passes now is fixed only if the task says so", async () => {
  const repo = world("grep -q new src/x.ts\n");
  expect(await runTick(repo, "new\n", { fixes: ["test"] })).toMatchObject({
    code: "SUCCESS",
    verification: { runs: [{ state: "mended" }] },
  });
});

test.concurrent("a check that fails now and then is called flaky, and one that breaks is not", async () => {
  const flaky = world(`${COUNT}test "$n" -ne 2\n`);
  expect(await runTick(flaky)).toMatchObject({
    code: "SUCCESS",
    verification: {
      runs: [
        { state: "flaky", exit_code: 1 },
        { state: "flaky", exit_code: 0 },
      ],
    },
  });
  const broken = world("! grep -q bad src/x.ts\n");
  expect(await runTick(broken, "bad\n")).toMatchObject({
    code: "STOP_VERIFY_FAILED_FAST",
    verification: { runs: [{ state: "broken", exit_code: 1 }] },
  });
});

test.concurrent("checks that take too long are left out before the build, and from then on not begun", async () => {
  const repo = world(`${COUNT}sleep 2\n`, { baseline_max_seconds: 1 });
  const kept = { code: "SUCCESS", verification: { runs: [{ exit_code: 0 }], runs_total: 1 } };
  expect(await runTick(repo)).toMatchObject(kept);
  expect(countRuns(repo)).toBe(2);
  repo.commit({ "src/x.ts": "newer\n" });
  expect(await runTick(repo, "newest\n")).toMatchObject(kept);
  expect(countRuns(repo)).toBe(3);
});

test.concurrent("a check that runs once does not run before the build", async () => {
  const templates = [{ id: "test", cmd: "sh", args: ["check.sh"], once: true }];
  const repo = world(`${COUNT}grep -q new src/x.ts\n`, { templates });
  expect(await runTick(repo)).toMatchObject({ code: "SUCCESS" });
  expect(countRuns(repo)).toBe(1);
});
