import { spawn } from "node:child_process";
import { once } from "node:events";
import {
  existsSync,
  lstatSync,
  mkdtempSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { SessionRequest } from "../../src/agents/driver.ts";
import { agentRepository, driverOf, runSession, strangers } from "../support/agent-session.ts";
import { bundle } from "../support/bundle.ts";
import { executeTask } from "../support/tasks.ts";

const folder = mkdtempSync(join(tmpdir(), "relais-test-"));
let player = "";
beforeAll(async () => {
  player = await bundle("scripted-player.ts", folder);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const taskWith = (instructions: string) =>
  JSON.stringify({ ...executeTask, builder: { ...executeTask.builder, mode: "scripted", instructions } });

async function play(steps: readonly object[], request: Partial<SessionRequest> = {}) {
  const repository = agentRepository();
  const driver = await driverOf(repository, { builder: { default_mode: "scripted" } }, [process.execPath, player]);
  const taskText = taskWith(JSON.stringify({ steps }));
  const reply = await runSession(driver, repository, { taskText, ...request });
  const at = (path: string): string => join(repository.root, path);
  return { repository, reply, at };
}

test("every step on files does what it says", async () => {
  const { reply, at } = await play([
    { do: "write", path: "new/deep/a.txt", text: "one\n", repeat: 3 },
    { do: "append", path: "new/deep/a.txt", text: "two\n" },
    { do: "write", path: "src/a.ts", text: "changed\n" },
    { do: "rename", path: "new/deep/a.txt", to: "moved/b.txt" },
    { do: "chmod", path: "moved/b.txt", mode: "0750" },
    { do: "delete", path: "new" },
    { do: "mkdir", path: "empty/inner" },
    { do: "symlink", path: "links/a", target: "../src/a.ts" },
    { do: "write", path: "zero", text: "" },
  ]);
  expect(reply).toMatchObject({ kind: "finished" });
  expect(readFileSync(at("moved/b.txt"), "utf8")).toBe("one\none\none\ntwo\n");
  expect(readFileSync(at("src/a.ts"), "utf8")).toBe("changed\n");
  expect(statSync(at("moved/b.txt")).mode & 0o777).toBe(0o750);
  expect(existsSync(at("new"))).toBe(false);
  expect(lstatSync(at("empty/inner")).isDirectory()).toBe(true);
  expect(readlinkSync(at("links/a"))).toBe("../src/a.ts");
  expect(statSync(at("zero")).size).toBe(0);
});

test("it runs programs, prints, and leaves a result as text or as JSON", async () => {
  const summary = { summary: "done", files_intended: [], commands_ran: [], notes: [] };
  const { repository, reply, at } = await play([
    { do: "run", argv: ["git", "log", "--format=%s"] },
    { do: "run", argv: ["sh", "-c", 'echo "$RELAIS_RUN_ID" > ran; exit 3'], may_fail: true },
    { do: "print", text: "out\n", repeat: 2 },
    { do: "print", text: "err\n", stream: "stderr" },
    { do: "result", content: summary },
  ]);
  expect(reply).toMatchObject({ kind: "finished", result: { kind: "left" } });
  if (reply.kind !== "finished" || reply.result.kind !== "left") throw new Error(reply.kind);
  expect(JSON.parse(Buffer.from(reply.result.data).toString())).toEqual(summary);
  expect(readFileSync(at("ran"), "utf8")).toBe("20260101T000000Z-0123abcd\n");
  const log = readFileSync(join(repository.runDirectory, "builder.log"), "utf8");
  for (const line of ["a commit\n", "out\nout\n", "err\n"]) expect(log).toContain(line);
  const raw = await play([{ do: "result", content: "{not json" }]);
  expect(raw.reply).toMatchObject({ result: { data: Buffer.from("{not json") } });
});

test.each([
  ["an exit", [{ do: "exit", status: 7 }], "exit_7"],
  ["a step that fails", [{ do: "delete", path: "none" }], "exit_1"],
  ["a program that fails", [{ do: "run", argv: ["sh", "-c", "exit 9"] }], "exit_1"],
  ["a program that is missing", [{ do: "run", argv: ["relais-no-such-program"] }], "exit_1"],
  ["a crash", [{ do: "signal", signal: "SIGSEGV" }], "signal_SIGSEGV"],
  ["a kill", [{ do: "signal", signal: "SIGKILL" }], "signal_SIGKILL"],
  ["a polite signal", [{ do: "signal", signal: "SIGTERM" }], "signal_SIGTERM"],
])("%s ends the session as it would for any builder", async (_, steps, cause) => {
  const { repository, reply } = await play([...steps, { do: "write", path: "after", text: "x" }]);
  expect(reply).toMatchObject({ kind: "failed", code: "STOP_INTERRUPTED", cause });
  expect(strangers(repository)).toEqual([]);
});

test("an exit with 0 is a good end", async () => {
  const { repository, reply } = await play([
    { do: "exit", status: 0 },
    { do: "write", path: "after", text: "x" },
  ]);
  expect(reply).toMatchObject({ kind: "finished", result: { cause: "result_missing" } });
  expect(strangers(repository)).toEqual([]);
});

test("it can be a builder that hangs, that does not listen, that floods, and that leaves somebody behind", async () => {
  const hang = { do: "sleep", ms: 600_000 };
  expect((await play([hang], { timeoutMs: 1500 })).reply).toMatchObject({ kind: "timed-out", limit: "time" });
  const deaf = { do: "ignore", signals: ["SIGINT", "SIGTERM"] };
  expect((await play([deaf, hang], { timeoutMs: 1500 })).reply).toMatchObject({ kind: "timed-out" });
  const flood = { do: "print", text: "flood ", repeat: 1_000_000_000 };
  expect((await play([flood], { outputBytesMax: 5_000_000 })).reply).toMatchObject({ cause: "output_limit" });
  const behind = await play([{ do: "run", argv: ["sleep", "600"], background: true }]);
  expect(behind.reply).toMatchObject({ kind: "finished", survivors: [{ command: "sleep 600" }] });
});

test("it dies of the first signal, although relais itself would only take note of one", async () => {
  const child = spawn(process.execPath, [player], { stdio: ["pipe", "pipe", "inherit"] });
  child.stdin.end(
    JSON.stringify({
      steps: [
        { do: "print", text: "ready" },
        { do: "sleep", ms: 600_000 },
      ],
    }),
  );
  await once(child.stdout, "data");
  child.kill("SIGINT");
  expect(await once(child, "exit")).toEqual([null, "SIGINT"]);
});

test("a script of the repository is pinned when the driver is chosen", async () => {
  const repository = agentRepository();
  const script = join(repository.root, "script.json");
  writeFileSync(script, JSON.stringify({ steps: [{ do: "write", path: "first", text: "" }] }));
  const scripted = { builder: { default_mode: "scripted", scripted: { script: "script.json" } } };
  const driver = await driverOf(repository, scripted, [process.execPath, player]);
  writeFileSync(script, JSON.stringify({ steps: [{ do: "write", path: "second", text: "" }] }));
  expect(await runSession(driver, repository)).toMatchObject({ kind: "finished" });
  expect(strangers(repository)).toEqual(["first", "script.json"]);
});

test.each([
  ["Change the constant.", "are no script"],
  ['{"steps":[{"do":"dance"}]}', "are no script"],
  ['{"steps":[],"more":1}', "unknown key `more`"],
])("instructions that are no script are a failed session: %s", async (instructions, reason) => {
  const { repository, reply } = await play([], { taskText: taskWith(instructions) });
  expect(reply).toMatchObject({ kind: "failed", code: "STOP_INTERRUPTED", cause: "script_invalid" });
  expect(reply).toMatchObject({ message: expect.stringContaining(reason) });
  expect(strangers(repository)).toEqual([]);
});
