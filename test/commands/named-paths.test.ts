/** Protected paths that a person names in a sentence or a task file. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { relais } from "../support/in-process.ts";
import { sentenceWorld, type SentenceWorld } from "../support/sentence-world.ts";

const CI = ".github/workflows/ci.yml";
const BOTH = `echo "on: [push]" > ${CI}; echo "Be brief." > AGENTS.md`;
const AGENTS = { agents: { codex: "in" }, files: { "AGENTS.md": "Be kind.\n" } } as const;

const onlyCi = (): SentenceWorld => sentenceWorld({ ...AGENTS, does: `echo "on: [push]" > ${CI}` });

test("a sentence lifts the path that it names, and says so before the start", async () => {
  const world = onlyCi();
  const { status, stderr } = await world.relais("run", `Write the list in ${CI}`);
  expect([status, world.read(CI)]).toEqual([0, "on: [push]\n"]);
  expect(stderr).toMatch(/Protected, but named by you, so it may change:\s+\.github\/workflows\/ci\.yml\./u);
});

test("what the sentence does not name stays protected", async () => {
  const world = sentenceWorld({ ...AGENTS, does: BOTH });
  const { document } = await world.ask("run", `Write the list in ${CI}, and do not touch AGENTS.md`);
  expect(document).toMatchObject({
    code: "STOP_SCOPE_VIOLATION_FORBIDDEN",
    findings: [{ subject: "AGENTS.md" }, { gate: "allowed-scope", subject: "AGENTS.md" }],
  });
  expect(world.read(CI)).toBe("on: push\n");
});

test.each([
  ["CLAUDECODE", "1"],
  ["RELAIS_RUN_ID", "x"],
  ["CODEX_SANDBOX", "seatbelt"],
])("where %s is set, nobody knows who typed, and nothing is lifted", async (name, value) => {
  const { root, box } = onlyCi();
  const env = { HOME: box, XDG_STATE_HOME: join(box, "state"), PATH: join(box, "bin"), [name]: value };
  const { stdout } = await relais(["run", `Write the list in ${CI}`, "--json"], { cwd: root, env });
  expect(JSON.parse(stdout)).toMatchObject({ code: "STOP_SCOPE_VIOLATION_FORBIDDEN" });
  expect(readFileSync(join(root, CI), "utf8")).toBe("on: push\n");
});

test("a task file lifts what it names for a judgement, too", async () => {
  const world = onlyCi();
  const task = {
    task_id: "T-1",
    milestone_id: "M-1",
    task_kind: "execute",
    intent: `Write the list in ${CI}.`,
    scope: { allowed_globs: ["**"], forbidden_globs: [], allow_new_files: false, allow_lockfile_changes: false },
    diff_limits: { max_files_touched: 5, max_lines_changed: 50 },
    verification: { fast: [], slow: [] },
    builder: { mode: "codex", instructions: "Write it." },
  };
  writeFileSync(join(world.box, "task.json"), JSON.stringify(task));
  world.put({ [CI]: "on: [push]\n" });
  const judged = await world.ask("judge", "--task", "../task.json");
  expect(judged).toMatchObject({ status: 0, document: { verdict: "success" } });
  expect(await world.ask("judge")).toMatchObject({ status: 10, document: { findings: [{ subject: CI }] } });
});
