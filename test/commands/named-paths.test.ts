/** Protected paths that a person names in a sentence or a task file. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { relais } from "../support/in-process.ts";
import { inCampaignWorld } from "../support/campaign-world.ts";
import { inLoopWorld, stepOf } from "../support/loop-world.ts";
import { withTools } from "../support/mcp-client.ts";
import { inWorld } from "../support/scenario.ts";
import { LEAVE_RESULT } from "../support/scenario-documents.ts";
import { sentenceWorld, type SentenceWorld } from "../support/sentence-world.ts";
import { node } from "../support/tree-node.ts";
import { DONE, treeWorld } from "../support/tree-world.ts";

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
    findings: [{ gate: "forbidden-scope", subject: "AGENTS.md" }],
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

test("nobody knows who wrote the text of a file, so it lifts nothing", async () => {
  const world = onlyCi();
  writeFileSync(join(world.box, "issue.txt"), `Write the list in ${CI}`);
  const { document } = await world.ask("run", "--file", "../issue.txt");
  expect(document).toMatchObject({ code: "STOP_SCOPE_VIOLATION_FORBIDDEN", findings: [{ subject: CI }, {}] });
});

const WIDE = { scope: { default_allowed_globs: ["**"], default_allow_new_files: true } } as const;
const WRITE = `mkdir -p .github/workflows; echo "on: [push]" > ${CI}`;
const ASKED = `Write the list in ${CI}.`;
const FORBIDDEN = "STOP_SCOPE_VIOLATION_FORBIDDEN";

test("a plan lifts nothing", async () => {
  const step = { do: "write", path: CI, text: "on: [push]\n" };
  const plans = [stepOf([step], { intent: ASKED })];
  await inLoopWorld({ plans, config: WIDE, files: { [CI]: "on: push\n" } }, async (world) => {
    const { reports } = await world.loop(["--max-ticks", "1"]);
    expect(reports.map(({ code }) => code)).toEqual([FORBIDDEN]);
    expect(world.read(CI)).toBe("on: push\n");
  });
});

test("a node of a tree lifts nothing", async () => {
  const world = treeWorld({ turns: [`${WRITE}\n${DONE}`], root: node("root", { title: ASKED }), config: WIDE });
  const { reports } = await world.iterate("step");
  expect(reports.map(({ code }) => code)).toEqual([FORBIDDEN]);
});

test("a story of a campaign lifts nothing", () =>
  inCampaignWorld({ worker: WRITE, contract: { objective: ASKED }, config: WIDE }, async ({ campaign, world }) => {
    const { stdout } = await campaign("run", "lines");
    expect(stdout).toContain(FORBIDDEN);
    expect(world.has(CI)).toBe(false);
  }));

test("a call over MCP lifts nothing", () =>
  inWorld({ program: `${WRITE}\n${LEAVE_RESULT}`, config: WIDE }, (world) =>
    withTools({ ...world, args: ["--allow", "**"] }, async ({ ask }) => {
      expect(await ask("run", { task: ASKED })).toMatchObject({ code: FORBIDDEN });
    }),
  ));

test("the template of an environment file may change, but not carry the secret", async () => {
  const secret = "TOKEN=8sdf7H2kQz0pLw4Xv9Tn3Rb6";
  const tell = (text: string) => {
    const files = { ".env": `${secret}\n`, ".env.example": "TOKEN=\n" };
    return sentenceWorld({ ...AGENTS, files, does: `echo "${text}" > .env.example` }).ask(
      "run",
      "Explain the token",
      "--allow",
      ".env.example",
    );
  };
  expect((await tell("# a token")).document).toMatchObject({ code: "SUCCESS" });
  expect((await tell(secret)).document).toMatchObject({ verdict: "stop", findings: [{ subject: ".env.example" }] });
});

test("attempts at a sentence may change what it lifts, and those at a file may not", async () => {
  const world = onlyCi();
  writeFileSync(join(world.box, "issue.txt"), ASKED);
  const ofFile = await world.ask("run", "--file", "../issue.txt", "--attempts", "2");
  expect(ofFile.document).toMatchObject({ verdict: "stop" });
  expect(world.read(CI)).toBe("on: push\n");
  expect((await world.ask("run", ASKED, "--attempts", "2")).document).toMatchObject({ code: "SUCCESS" });
  expect(world.read(CI)).toBe("on: [push]\n");
});
