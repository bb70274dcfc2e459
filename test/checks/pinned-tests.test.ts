/** The checks must pass with the tests as they were before, too, unless the task is to change them. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { tickRepository } from "../support/tick-repository.ts";

const TEST = { id: "test", cmd: "sh", args: ["tests/x.test.sh"] };
const FILES = { "tests/x.test.sh": "grep -q old src/x.ts\n" };
const STEPS = [
  { do: "write", path: "src/x.ts", text: "new\n" },
  { do: "write", path: "tests/x.test.sh", text: "grep -q new src/x.ts\n" },
];

test.concurrent("a test that is changed to fit is found with the old one, unless the task names it", async () => {
  const repo = tickRepository({ files: FILES, config: { sandbox: "off", verification: { templates: [TEST] } } });
  const run = async (more: object): Promise<unknown> => {
    const scope = { allowed_globs: ["**"], forbidden_globs: [], allow_new_files: true, allow_lockfile_changes: false };
    const task = { ...repo.task(STEPS), scope, verification: { fast: ["test"], slow: [] }, ...more };
    writeFileSync(join(repo.box, "task.json"), JSON.stringify(task));
    return (await repo.ask("run", "--task", join(repo.box, "task.json"))).document;
  };
  expect(await run({})).toMatchObject({
    code: "STOP_VERIFY_FAILED_FAST",
    cause: "base_oracle_red",
    findings: [{ subject: "test", rule: expect.stringContaining("tests/x.test.sh") }],
    verification: { runs: [{ exit_code: 0 }, { exit_code: 1, oracle: "base" }] },
  });
  expect(await run({ update_tests: ["tests/**"] })).toMatchObject({
    code: "SUCCESS",
    verification: { runs: [{ exit_code: 0 }], runs_total: 1 },
  });
});
