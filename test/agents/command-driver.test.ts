import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, statSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { expect, test } from "vitest";
import { readBuilderResult } from "../../src/workflows/pure/workflow.ts";
import type { SessionReply, SessionRequest } from "../../src/agents/driver.ts";
import { agentRepository, driverOf, runSession, strangers } from "../support/agent-session.ts";
import { place } from "../support/workplace.ts";

const BUILDER = join(import.meta.dirname, "../fixtures/agents/builder.mjs");

interface Call {
  readonly args: readonly string[];
  readonly output_file?: string;
  readonly command?: string;
}

const configured = ({ command = process.execPath, args, ...rest }: Call) => ({
  builder: { default_mode: "command", command: { command, args: [BUILDER, ...args], ...rest } },
});

async function build(call: Call, request: Partial<SessionRequest> = {}) {
  const repository = agentRepository();
  const reply = await runSession(await driverOf(repository, configured(call)), repository, request);
  return { repository, reply };
}

function resultOf(reply: SessionReply): unknown {
  if (reply.kind !== "finished") throw new Error(`${reply.kind}: ${JSON.stringify(reply)}`);
  const { result } = reply;
  return result.kind === "left" ? Buffer.from(result.data).toString() : result.cause;
}

test("a program is told its places in its environment and in its arguments, and reads the prompt", async () => {
  const args = [
    "tell",
    "{{task_path}}",
    "--out={{result_path}}",
    "{{schema_path}}:{{drop}}",
    "{{run_id}}",
    "$(x) {{{run_id}}",
  ];
  const schema = { type: "object", title: "a result" };
  const { repository, reply } = await build({ args }, { prompt: "do it é", schema });
  const told: unknown = JSON.parse(String(resultOf(reply)));
  expect(told).toMatchObject({ input: "do it é", schema, cwd: repository.root });
  expect(told).toMatchObject({ task: expect.stringContaining('"task_id":"T-1"') });
  const drop = expect.stringMatching(/\/repo\/relais\/\.tmp\/[0-9a-f]{32}$/);
  expect(told).toMatchObject({ env: { RELAIS_DROP: drop, RELAIS_RUN_ID: "20260101T000000Z-0123abcd" } });
  const text = JSON.stringify(told);
  const path = /"RELAIS_DROP":"(?<drop>[^"]+)"/.exec(text)?.groups?.["drop"] ?? "";
  expect(told).toMatchObject({
    env: {
      RELAIS_TASK_PATH: `${path}/TASK.json`,
      RELAIS_RESULT_PATH: `${path}/RESULT.json`,
      RELAIS_SCHEMA_PATH: `${path}/SCHEMA.json`,
    },
    args: [
      `${path}/TASK.json`,
      `--out=${path}/RESULT.json`,
      `${path}/SCHEMA.json:${path}`,
      "20260101T000000Z-0123abcd",
      "$(x) {20260101T000000Z-0123abcd",
    ],
  });
});

test("the environment is the allowed one and the named one", async () => {
  process.env["RELAIS_TEST_SECRET_A"] = "a";
  process.env["AGENT_TEST_TOKEN"] = "b";
  process.env["AGENT_TEST_SECRET"] = "c";
  try {
    const { reply } = await build(
      { args: ["tell"] },
      { environmentNames: ["AGENT_TEST_TOKEN", "RELAIS_TEST_SECRET_A"] },
    );
    const told: unknown = JSON.parse(String(resultOf(reply)));
    expect(told).toMatchObject({ env: { AGENT_TEST_TOKEN: "b" }, schema: {}, input: "" });
    expect(JSON.stringify(told)).not.toContain("_TEST_SECRET");
  } finally {
    for (const name of ["RELAIS_TEST_SECRET_A", "AGENT_TEST_TOKEN", "AGENT_TEST_SECRET"]) delete process.env[name];
  }
});

test("a good result is handed over as its bytes, and nothing is left in the repository", async () => {
  const { repository, reply } = await build({ args: ["good"] });
  expect(reply).toMatchObject({ kind: "finished", usage: null, survivors: [], undead: [] });
  expect(readBuilderResult(Buffer.from(String(resultOf(reply))))).toMatchObject({
    kind: "valid",
    result: { summary: "done" },
  });
  expect(strangers(repository)).toEqual([]);
});

test.each([
  ["nothing", "result_missing"],
  ["link", "result_is_link"],
  ["fifo", "result_is_special"],
  ["folder", "result_is_folder"],
  ["enormous", "result_too_large"],
  ["late", "result_late"],
])("instead of a result: %s", async (deed, cause) => {
  const { repository, reply } = await build({ args: [deed] });
  expect(resultOf(reply)).toBe(cause);
  expect(strangers(repository)).toEqual([]);
});

test("a result that a process left behind still writes is waited for and read whole, and then it is stopped", async () => {
  const { reply } = await build({ args: ["pieces"] });
  expect(String(resultOf(reply))).toBe('{"summary":"whole"}');
  expect(reply.survivors).toHaveLength(1);
});

test("a process left behind is stopped and told", async () => {
  const { reply } = await build({ args: ["late"] });
  expect(reply.survivors).toHaveLength(1);
});

test("a result behind a link in place of the drop folder is not read", async () => {
  const { repository, reply } = await build({ args: ["linked-drop"] });
  expect(resultOf(reply)).toBe("result_is_link");
  expect(strangers(repository)).toEqual(["elsewhere"]);
});

test.each([
  ["no JSON", "not json", "result_not_json"],
  ["an incomplete document", '{"summary":"x"', "result_not_json"],
  ["bytes that are no text", "\xFF\xFE", "result_not_utf8"],
  ["another document", "{}", "result_invalid"],
])("a malformed result is handed over and refused by its reader: %s", async (_, text, cause) => {
  const raw = Buffer.from(text, "latin1").toString("base64");
  const { reply } = await build({ args: ["raw", raw] });
  if (reply.kind !== "finished" || reply.result.kind !== "left") throw new Error(reply.kind);
  expect(readBuilderResult(reply.result.data)).toMatchObject({ kind: "invalid", cause });
});

test("a status other than 0 is a failed session, with the last thing it said", async () => {
  const { repository, reply } = await build({ args: ["exit", "3"] });
  expect(reply).toMatchObject({
    kind: "failed",
    code: "STOP_INTERRUPTED",
    cause: "exit_3",
    message: "it ended with exit 3: the model is asleep",
  });
  expect(readFileSync(join(repository.runDirectory, "builder.log"), "utf8")).toContain("the model is asleep");
});

test("a signal is a failed session", async () => {
  const { reply } = await build({ args: ["die", "SIGKILL"] });
  expect(reply).toMatchObject({ kind: "failed", code: "STOP_INTERRUPTED", cause: "signal_SIGKILL" });
});

test.each(["relais-no-such-program", "./src/a.ts"])(
  "a program that cannot be started is named: %s",
  async (command) => {
    const { reply } = await build({ command, args: [] });
    expect(reply).toMatchObject({ kind: "not-found", program: command });
  },
);

test("a program may be a script of the repository itself", async () => {
  const repository = agentRepository();
  repository.put({ "src/build.sh": `#!/bin/sh\nexec "${process.execPath}" "$1" good\n` });
  execFileSync("chmod", ["+x", join(repository.root, "src/build.sh")]);
  const driver = await driverOf(repository, configured({ command: "./src/build.sh", args: [] }));
  expect(resultOf(await runSession(driver, repository))).toContain("done");
});

test("a flood is cut short, and the transcript is bounded", async () => {
  const { repository, reply } = await build({ args: ["flood"] }, { outputBytesMax: 20_000_000 });
  expect(reply).toMatchObject({ kind: "failed", code: "STOP_OUTPUT_LIMIT", cause: "output_limit" });
  expect(statSync(join(repository.runDirectory, "builder.log")).size).toBeLessThan(9_000_000);
});

test("a program that takes too long is stopped, even one that does not listen", async () => {
  expect((await build({ args: ["hang"] }, { timeoutMs: 500 })).reply).toMatchObject({
    kind: "timed-out",
    limit: "time",
  });
  expect((await build({ args: ["deaf"] }, { idleTimeoutMs: 2000 })).reply).toMatchObject({
    kind: "timed-out",
    limit: "idle",
  });
});

test("a session is aborted by its signal", async () => {
  const stop = new AbortController();
  const session = build({ args: ["hang"] }, { signal: stop.signal });
  await delay(300);
  stop.abort();
  expect((await session).reply).toMatchObject({ kind: "aborted" });
});

test("another place for the result is honoured and is empty before and after", async () => {
  const repository = agentRepository();
  repository.put({ "result.json": "stale" });
  const driver = await driverOf(
    repository,
    configured({ args: ["output", "result.json"], output_file: "result.json" }),
  );
  expect(resultOf(await runSession(driver, repository))).toContain("done");
  expect(strangers(repository)).toEqual([]);
});

test("a stale result is never taken for a new one", async () => {
  const repository = agentRepository();
  repository.put({ "result.json": "stale" });
  const driver = await driverOf(repository, configured({ args: ["nothing"], output_file: "result.json" }));
  expect(resultOf(await runSession(driver, repository))).toBe("result_missing");
  expect(strangers(repository)).toEqual([]);
});

test("folders that were made for the result go with it, unless they hold something else", async () => {
  const call = { args: ["output", "new/deep/result.json"], output_file: "new/deep/result.json" };
  const { repository, reply } = await build(call);
  expect(resultOf(reply)).toContain("done");
  expect(strangers(repository)).toEqual([]);
  mkdirSync(join(repository.root, "new"));
  await runSession(await driverOf(repository, configured(call)), repository);
  expect(strangers(repository)).toEqual(["new"]);
});

test("the place that the program was told of comes first", async () => {
  const { repository, reply } = await build({ args: ["both-places", "r.json"], output_file: "r.json" });
  expect(resultOf(reply)).toContain("done");
  expect(strangers(repository)).toEqual([]);
});

test("the other place is emptied when the session fails as well", async () => {
  const failed = await build({ args: ["output", "r.json", "4"], output_file: "r.json" });
  expect(failed.reply).toMatchObject({ kind: "failed", cause: "exit_4" });
  expect(strangers(failed.repository)).toEqual([]);
  const late = await build({ args: ["output-hang", "r.json"], output_file: "r.json" }, { timeoutMs: 2000 });
  expect(late.reply).toMatchObject({ kind: "timed-out" });
  expect(strangers(late.repository)).toEqual([]);
});

test("a link in the other place is removed and not followed; a folder stays, to be judged", async () => {
  const linked = await build({ args: ["output-link", "r.json", "src/a.ts"], output_file: "r.json" });
  expect(resultOf(linked.reply)).toBe("result_is_link");
  expect(strangers(linked.repository)).toEqual([]);
  expect(existsSync(join(linked.repository.root, "src/a.ts"))).toBe(true);
  const folder = await build({ args: ["output-folder", "r.json"], output_file: "r.json" });
  expect(resultOf(folder.reply)).toBe("result_is_folder");
  expect(strangers(folder.repository)).toEqual(["r.json"]);
});

test("a transcript that cannot be written is thrown", async () => {
  const repository = agentRepository();
  const driver = await driverOf(repository, configured({ args: ["good"] }));
  symlinkSync("/dev/null", join(repository.runDirectory, "builder.log"));
  await expect(runSession(driver, repository)).rejects.toThrow("ELOOP");
  expect(strangers(repository)).toEqual([]);
});

test("of all that a session is given and leaves, only its work is a change", async () => {
  const repository = place();
  const root = repository.root;
  const driver = await driverOf(
    repository,
    configured({ args: ["work", "src/a.ts", "out/r.json"], output_file: "out/r.json" }),
  );
  repository.write("out/r.json", "a person's");
  const workplace = await repository.open();
  await workplace.change.prepare();
  const reply = await runSession(driver, { root, runDirectory: repository.state });
  expect(resultOf(reply)).toContain("done");
  await workplace.change.putBackFile("out/r.json");
  const { evidence } = await workplace.change.collect();
  expect(evidence.changes.map(({ path }) => path)).toEqual(["src/a.ts"]);
  expect(evidence.metadata).toEqual([]);
});
