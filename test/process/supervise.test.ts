import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import {
  chmodSync,
  closeSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterEach, beforeEach, expect, test } from "vitest";
import { makeChildEnvironment } from "../../src/system/child-environment.ts";
import { supervise } from "../../src/process/supervise.ts";
import { bundle } from "../support/bundle.ts";
import { script, session } from "../support/session.ts";

const stubborn = join(import.meta.dirname, "../fixtures/programs/stubborn.mjs");
const briefly = { interrupt: 1500, terminate: 1500 };

let folder = "";
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "relais-test-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

test("a program that ends by itself is told with its status and both streams", async () => {
  const end = await supervise(script('printf "%s|" "$@"; echo oops >&2; exit 3', { args: ["a b", "$(x)", "é\n"] }));
  expect(end).toMatchObject({ kind: "exited", status: 3, stdoutTruncated: false, survivors: [], undead: [] });
  expect(end.stdout.toString()).toBe("a b|$(x)|é\n|");
  expect(end.stderr.toString()).toBe("oops\n");
  expect(end.bytesTotal).toBe(end.stdout.length + end.stderr.length);
});

test("a program that dies of a signal is told with the signal", async () => {
  expect(await supervise(script("kill -s USR1 $$"))).toMatchObject({ kind: "signalled", signal: "SIGUSR1" });
});

test("the input is there to be read and then ends", async () => {
  const input = "é".repeat(500_000);
  const end = await supervise(session({ program: "cat", input, stdoutBytesMax: 2_000_000 }));
  expect(end).toMatchObject({ kind: "exited", status: 0 });
  expect(end.stdout.toString()).toBe(input);
});

test("without input, standard input is empty and not left open", async () => {
  expect(await supervise(session({ program: "cat" }))).toMatchObject({
    kind: "exited",
    status: 0,
    bytesTotal: 0,
  });
});

test("input that nobody reads is no failure", async () => {
  const end = await supervise(script("exec 0<&-; exit 0", { input: "x".repeat(5_000_000) }));
  expect(end).toMatchObject({ kind: "exited", status: 0 });
});

test("the standard streams can be opened by name, as many scripts do", async () => {
  const end = await supervise(script("cat /dev/stdin > /dev/stdout; echo oops > /dev/stderr", { input: "in" }));
  expect(end).toMatchObject({ kind: "exited", status: 0 });
  expect([end.stdout.toString(), end.stderr.toString()]).toEqual(["in", "oops\n"]);
});

test.each([
  ["a missing program", { program: "relais-no-such-program" }, "not-found"],
  ["a missing path", { program: "./no/such/program" }, "not-found"],
  ["a path through a file", { program: "/etc/passwd/program" }, "not-found"],
  ["a file without permission to execute", { program: "/etc/passwd" }, "not-executable"],
  ["a missing folder", { program: "true", cwd: "/no/such/folder" }, "bad-cwd"],
  ["a file as folder", { program: "true", cwd: "/etc/passwd" }, "bad-cwd"],
  ["arguments beyond what the system takes", { program: "true", args: ["x".repeat(4_000_000)] }, "too-large"],
  ["an argument that no program can be given", { program: "true", args: ["a\0b"] }, "other"],
])("%s is an ordinary end", async (_name, request, reason) => {
  const end = await supervise(session(request));
  expect(end).toMatchObject({ kind: "not-started", reason, bytesTotal: 0, survivors: [] });
});

test("a program is missing or forbidden by what is on the PATH, whatever else is there", async () => {
  const [closed, open] = [join(folder, "closed"), join(folder, "open")];
  mkdirSync(closed);
  mkdirSync(open);
  writeFileSync(join(open, "forbidden"), "#!/bin/sh\n", { mode: 0o644 });
  chmodSync(closed, 0o000);
  const env = { PATH: `${closed}:${open}` };
  expect(await supervise(session({ program: "forbidden", env }))).toMatchObject({ reason: "not-executable" });
  expect(await supervise(session({ program: "missing", env }))).toMatchObject({ reason: "not-found" });
});

test("nothing of a session stays in the folder for temporary files", async () => {
  const env = { PATH: process.env["PATH"] ?? "", TMPDIR: folder };
  await supervise(session({ program: "true", input: "x", env }));
  await supervise(session({ program: "relais-no-such-program", input: "x", env }));
  await supervise(session({ program: "true", args: ["a\0b"], input: "x", env }));
  expect(readdirSync(folder)).toEqual([]);
});

test("a session that reaches its deadline is stopped", async () => {
  expect(await supervise(script("exec sleep 60", { deadlineMs: 300 }))).toMatchObject({ kind: "timed-out" });
});

test("a program that ignores SIGINT and SIGTERM is stopped all the same", async () => {
  const stop = new AbortController();
  const request = { program: process.execPath, args: [stubborn], signal: stop.signal, graceMs: briefly };
  const end = await supervise(session({ ...request, onOutput: () => stop.abort() }));
  expect(end).toMatchObject({ kind: "aborted", survivors: [], undead: [] });
  expect(end.stdout.toString()).toBe("here\nnot on SIGINT\nnot on SIGTERM\n");
});

test("the usual graces leave time for the way back within three seconds", async () => {
  const stop = new AbortController();
  let ready = 0;
  const order: string[] = [];
  const end = async (name: string, graceMs: object): Promise<void> => {
    const onOutput = (): void => void (++ready === 2 && stop.abort());
    const text = 'trap "" INT TERM; echo here; while :; do sleep 0.1; done';
    await supervise(script(text, { signal: stop.signal, onOutput, ...graceMs }));
    order.push(name);
  };
  await Promise.all([end("2.2 seconds", { graceMs: { interrupt: 1300, terminate: 900 } }), end("the usual ones", {})]);
  expect(order).toEqual(["the usual ones", "2.2 seconds"]);
});

test("a stop begins with SIGINT to the program alone, which may end its own affairs", async () => {
  const stop = new AbortController();
  const text = 'trap "echo bye; exit 0" INT; echo here; while :; do sleep 0.1; done';
  const graceMs = { interrupt: 20_000, terminate: 300 };
  const end = await supervise(script(text, { signal: stop.signal, graceMs, onOutput: () => stop.abort() }));
  expect(end.kind).toBe("aborted");
  expect(end.stdout.toString()).toBe("here\nbye\n");
});

test("silence ends a session, and output puts the end off", async () => {
  const text = "for i in 1 2 3 4 5 6 7 8; do echo $i; sleep 0.5; done; echo quiet; exec sleep 60";
  const end = await supervise(script(text, { idleTimeoutMs: 3000 }));
  expect(end.kind).toBe("idle");
  expect(end.stdout.toString()).toBe("1\n2\n3\n4\n5\n6\n7\n8\nquiet\n");
});

test("a deadline beyond what a timer can hold is no deadline at once", async () => {
  const end = await supervise(script("sleep 0.2", { deadlineMs: 1e12, idleTimeoutMs: 1e12 }));
  expect(end.kind).toBe("exited");
});

test("a request to stop is followed, during the session and before it", async () => {
  const stop = new AbortController();
  const onOutput = (): void => stop.abort();
  const request = script("echo here; exec sleep 60", { signal: stop.signal, onOutput, graceMs: briefly });
  expect(await supervise(request)).toMatchObject({ kind: "aborted", bytesTotal: 5, survivors: [] });
  const marked = join(folder, "started");
  const late = script('touch "$1"', { args: [marked], signal: stop.signal });
  expect(await supervise(late)).toMatchObject({ kind: "aborted" });
  expect(await supervise({ ...late, signal: new AbortController().signal, deadlineMs: 0 })).toMatchObject({
    kind: "timed-out",
  });
  expect(readdirSync(folder)).toEqual([]);
});

test("a session that prints more than it may is stopped", async () => {
  const end = await supervise(session({ program: "yes", outputBytesMax: 1_000_000, stdoutBytesMax: 10 }));
  expect(end).toMatchObject({ kind: "output-limit", stdoutTruncated: true });
  expect(end.stdout.toString()).toBe("y\ny\ny\ny\ny\n");
  expect(end.bytesTotal).toBeGreaterThan(1_000_000);
});

test("the log takes both streams up to its cap, is appended to, and says what it left out", async () => {
  const path = join(folder, "log");
  const log = { path, bytesMax: 1000 };
  writeFileSync(path, "before\n");
  await supervise(script("echo out; echo err >&2", { log }));
  expect(readFileSync(path, "utf8").split("\n").toSorted()).toEqual(["", "before", "err", "out"]);
  const end = await supervise(script("yes | head -c 50000", { log }));
  expect(end.stdout).toHaveLength(50_000);
  const text = readFileSync(path, "utf8").slice("before\nout\nerr\n".length);
  expect(text.length).toBeLessThanOrEqual(1000);
  const [, kept = "", dropped = ""] = /^((?:y\n)+)\n\[relais: (\d+) more bytes .*\]\n$/.exec(text) ?? [];
  expect(kept.length + Number(dropped)).toBe(50_000);
});

test("a log that cannot be written is a failure and not a shorter log", async () => {
  const request = { path: "/dev/full", bytesMax: 1_000_000 };
  await expect(supervise(script("while :; do echo x; done", { log: request }))).rejects.toThrow("ENOSPC");
  await expect(supervise(session({ program: "true", log: { ...request, path: folder } }))).rejects.toThrow("EISDIR");
});

test("many tiny chunks and invalid bytes arrive as they were printed", async () => {
  const write = "for (let i = 0; i < 3000; i++) require('fs').writeSync(1, Buffer.from([i & 255]))";
  const end = await supervise(session({ program: process.execPath, args: ["-e", write] }));
  expect(end.stdout.equals(Buffer.from(Array.from({ length: 3000 }, (_, i) => i & 255)))).toBe(true);
});

test("a live view may keep the chunks it is shown", async () => {
  const chunks: Buffer[] = [];
  const text = "for i in 1 2 3 4 5; do echo $i; sleep 0.05; done";
  await supervise(script(text, { onOutput: (chunk) => chunks.push(chunk), stdoutBytesMax: 0 }));
  expect(Buffer.concat(chunks).toString()).toBe("1\n2\n3\n4\n5\n");
});

test("a program sees the environment it was given and the marker of its session, nothing else", async () => {
  const inherit = { ...process.env, SECRET_TOKEN: "secret", GIT_DIR: "/elsewhere" };
  const env = makeChildEnvironment(inherit, [], { RELAIS_DROP: "/drop" });
  const end = await supervise(session({ program: "env", env }));
  const seen = Object.fromEntries(
    end.stdout
      .toString()
      .split("\n")
      .filter((line) => line.includes("="))
      .map((line) => [line.slice(0, line.indexOf("=")), line.slice(line.indexOf("=") + 1)]),
  );
  expect(seen).toEqual({ ...env, RELAIS_SESSION: expect.stringMatching(/[0-9a-f]{32}$/) });
  expect(seen).not.toHaveProperty("SECRET_TOKEN");
});

test("two hundred megabytes of output cost the supervising process no memory", async () => {
  const program = await bundle("flood-supervisor.ts", folder);
  const log = join(folder, "log");
  const { stdout } = await promisify(execFile)(process.execPath, [program, log]);
  const { rssBytesMax, ...told } = JSON.parse(stdout);
  expect(told).toEqual({ kind: "exited", bytesTotal: 200 * 2 ** 20, kept: 2 ** 20, stdoutTruncated: true });
  expect(statSync(log).size).toBeLessThanOrEqual(2 ** 20);
  expect(rssBytesMax).toBeLessThan(120 * 2 ** 20);
});

test("however a session ends, nothing of it keeps the supervising process alive", async () => {
  const program = await bundle("supervise-and-leave.ts", folder);
  const output = openSync(join(folder, "output"), "w");
  const child = spawn(process.execPath, [program], { stdio: ["ignore", output, output] });
  closeSync(output);
  await once(child, "exit");
  expect(JSON.parse(readFileSync(join(folder, "output"), "utf8"))).toEqual({
    "awaited in vain": { kind: "exited", left: [] },
    "awaited and there": { kind: "exited", left: [] },
    signalled: { kind: "signalled", left: [] },
    "too slow": { kind: "timed-out", left: [] },
    "too silent": { kind: "idle", left: [] },
    "too loud": { kind: "output-limit", left: [] },
    "not there": { kind: "not-started", left: [] },
    stopped: { kind: "aborted", left: [] },
  });
});
