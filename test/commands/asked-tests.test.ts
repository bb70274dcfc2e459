/** Old tests that a person asked to change are a question; a word beforehand answers it. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { relais } from "../support/in-process.ts";
import { sentenceWorld, type SentenceWorld } from "../support/sentence-world.ts";

const CONFIG = {
  version: "1.0",
  builder: { default_mode: "claude_code" },
  verification: { templates: [{ id: "test", cmd: "sh", args: ["test/greet.test.sh"] }] },
};
const FILES = {
  "relais.config.json": JSON.stringify(CONFIG),
  "test/greet.test.sh": "# greets\ngrep -q wrold src/greet.js\n",
};
const CHANGE = "sed -i s/wrold/world/ src/greet.js test/greet.test.sh";
const ASKS = "say world, and update the test";

const open = (does = CHANGE): SentenceWorld => sentenceWorld({ agents: { claude: "in" }, files: FILES, does });
const HELD = { status: 14, document: { code: "STOP_SUSPECT", cause: "old_tests_asked" } };
const readRun = (document: unknown): string => /"run_id":"([^"]+)"/u.exec(JSON.stringify(document))?.[1] ?? "";

test.concurrent(
  "a sentence that asks for them is held, the card shows them, and accept keeps exactly those",
  async () => {
    const world = open();
    const { status, stdout } = await world.relais("run", ASKS);
    expect(status).toBe(14);
    expect(stdout).toContain("tests      │ test/greet.test.sh\n             │ -grep -q wrold src/greet.js\n");
    expect(stdout).toContain("old_tests_asked");
    expect(world.starts()).toHaveLength(1);
    expect(world.git("status", "--porcelain")).toBe("");
    const run = /relais accept (?<run>\S+)/u.exec(stdout)?.groups?.["run"] ?? "";
    world.commit({ "test/greet.test.sh": `# one\n# two\n${FILES["test/greet.test.sh"]}` });
    const accepted = await world.ask("accept", run);
    expect(accepted).toMatchObject({ status: 0, document: { code: "SUCCESS", settle: { action: "commit" } } });
    expect(world.git("show", "HEAD:test/greet.test.sh")).toContain("grep -q world");
    expect(await world.ask("history", "replay")).toMatchObject({ status: 0 });
  },
);

test.concurrent(
  "an old test that nobody asked for stays a red check, and the command that allows it works",
  async () => {
    const world = open();
    const { status, stdout } = await world.relais("run", "say world", "--repairs", "0");
    expect({ status, stdout }).toMatchObject({ status: 10, stdout: expect.stringContaining("base_oracle_red") });
    const next = /relais (?<command>land \S+ --update-tests \S+)/u.exec(stdout)?.groups?.["command"] ?? "";
    expect(await world.relais(...next.split(" "))).toMatchObject({ status: 0 });
    expect(world.read("test/greet.test.sh")).toContain("grep -q world");
  },
);

test.concurrent("--update-tests says yes beforehand", async () => {
  const world = open();
  expect(await world.ask("run", "say world", "--update-tests", "test/**")).toMatchObject({ status: 0 });
  expect(await open().ask("run", "say world", "--update-tests", "src/**", "--repairs", "0")).toMatchObject({
    status: 10,
  });
});

test.concurrent("a file, and a sentence under the marker of an agent, ask for nothing", async () => {
  const world = open();
  writeFileSync(join(world.box, "sentence.md"), ASKS);
  const red = { status: 10, document: { cause: "base_oracle_red" } };
  expect(await world.ask("run", "--file", join(world.box, "sentence.md"), "--repairs", "0")).toMatchObject(red);
  const env = { HOME: world.box, XDG_STATE_HOME: join(world.box, "state"), PATH: join(world.box, "bin") };
  for (const marker of ["RELAIS_RUN_ID", "CLAUDECODE", "CODEX_SANDBOX"]) {
    const { status, stdout } = await relais(["run", ASKS, "--repairs", "0", "--json"], {
      cwd: world.root,
      env: { ...env, [marker]: "1" },
    });
    expect({ status, document: JSON.parse(stdout) }).toMatchObject(red);
  }
});

test.concurrent("more than was shown holds it again, and a new refusal stops it", async () => {
  const world = open();
  const held = await world.ask("run", ASKS);
  expect(held).toMatchObject(HELD);
  const run = readRun(held.document);
  const other = CONFIG.verification.templates.concat({ id: "calm", cmd: "grep", args: ["-rqv", "world", "src"] });
  const limited = { ...CONFIG, verification: { templates: other }, scope: { default_forbidden_globs: ["src/**"] } };
  world.commit({ "relais.config.json": JSON.stringify(limited) });
  expect(await world.ask("accept", run, "--allow", "src/**")).toMatchObject({
    status: 10,
    document: { code: "STOP_SCOPE_VIOLATION_FORBIDDEN" },
  });
  expect(readFileSync(join(world.root, "src/greet.js"), "utf8")).toContain("wrold");
});
