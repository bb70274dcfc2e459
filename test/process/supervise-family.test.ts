import { execFileSync } from "node:child_process";
import { copyFileSync, mkdtempSync, readFileSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { afterEach, beforeEach, expect, test } from "vitest";
import { makeChildEnvironment } from "../../src/system/child-environment.ts";
import { supervise } from "../../src/process/supervise.ts";
import { script } from "../support/session.ts";

let folder = "";
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "relais-test-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** Processes that name this test's own folder in their command line. */
function processesHere(): string[] {
  const lines = execFileSync("ps", ["-axww", "-o", "pid=,stat=,command="], { encoding: "utf8" }).split("\n");
  return lines.filter((line) => line.includes(folder) && !/^\s*\d+\s+Z/.test(line));
}

function signal(): { readonly promise: Promise<unknown>; readonly settle: () => void } {
  const target = new EventTarget();
  const promise = new Promise((resolve) => target.addEventListener("settle", resolve));
  return { promise, settle: () => target.dispatchEvent(new Event("settle")) };
}

/** Writes a file a good second after it was started, unless it is killed before. */
const late = `sh -c 'sleep 1.5; echo late > "$1/late"' late "$1"`;
const quietly = "</dev/null >/dev/null 2>&1";

test.each([
  ["in the background", `${late} ${quietly} & exit 0`],
  ["in a session of its own", `setsid ${late} ${quietly} & exit 0`],
  ["after a double fork", `(setsid ${late} ${quietly} &) ; exit 0`],
  ["deaf to every polite signal", `trap "" INT TERM HUP; (setsid ${late} ${quietly} &) ; exit 0`],
  ["with the pipes of its parent", `(setsid ${late} &) ; exit 0`],
  ["stopped", `(setsid sh -c 'kill -STOP $$; echo late > "$1/late"' late "$1" ${quietly} &) ; sleep 0.3; exit 0`],
  ["without its environment, in the session", `(env -i ${late} ${quietly} &) ; exit 0`],
  ["without environment or session, but seen", `env -i setsid ${late} ${quietly} & sleep 1; exit 0`],
  ["with its children", `(setsid sh -c '${late.replaceAll("'", `'"'"'`)} & wait' x "$1" ${quietly} &) ; exit 0`],
])("a process left behind %s does nothing more", async (_name, text) => {
  const end = await supervise(script(text, { args: [folder] }));
  expect(end).toMatchObject({ kind: "exited", status: 0, undead: [] });
  expect(end.survivors.length).toBeGreaterThan(0);
  expect(processesHere()).toEqual([]);
  await delay(2000);
  expect(readdirSync(folder)).toEqual([]);
});

test("what survives a stop is killed too", async () => {
  const text = `setsid ${late} ${quietly} & exec sleep 60`;
  const end = await supervise(script(text, { args: [folder], deadlineMs: 500 }));
  expect(end).toMatchObject({ kind: "timed-out", undead: [] });
  expect(end.survivors.map(({ command }) => command)).toContainEqual(expect.stringContaining(folder));
  expect(processesHere()).toEqual([]);
});

test("a process that keeps moving to a new pid is caught", async () => {
  const hop = join(folder, "hop.sh");
  copyFileSync(join(import.meta.dirname, "../fixtures/programs/hop.sh"), hop);
  const end = await supervise(script(`setsid sh "$1" 0 ${quietly} & exit 0`, { args: [hop] }));
  expect(end).toMatchObject({ kind: "exited", status: 0, undead: [] });
  expect(processesHere()).toEqual([]);
});

test("a crowd of processes is ended whole", async () => {
  const text = `for i in $(seq 60); do setsid ${late} ${quietly} & done; exit 0`;
  const end = await supervise(script(text, { args: [folder] }));
  expect(end.undead).toEqual([]);
  expect(end.survivors.length).toBeGreaterThanOrEqual(60);
  expect(processesHere()).toEqual([]);
});

test("a session at the same time is left alone, with what it has in the background", async () => {
  const text = `setsid sleep 60 ${quietly} & echo here; sleep 2; kill -0 $! && echo still here; kill $!`;
  const { promise: begun, settle } = signal();
  const long = supervise(script(text, { onOutput: settle }));
  await begun;
  const short = await supervise(script(`(setsid sleep 60 ${quietly} &); exit 0`));
  expect(short.survivors).toHaveLength(1);
  expect((await long).stdout.toString()).toBe("here\nstill here\n");
});

test("a session inside a session carries both markers, so the outer one finds what the inner one started", async () => {
  const inherit = { ...process.env, RELAIS_SESSION: "outermarker", RELAIS_ROLE: "builder" };
  const env = makeChildEnvironment(inherit, [], {});
  const end = await supervise(script('echo "$RELAIS_SESSION$RELAIS_ROLE"', { env }));
  expect(end.stdout.toString()).toMatch(/^outermarker:[0-9a-f]{32}\n$/);
});

test("a holder of the pipes that nobody can attribute does not keep us waiting", { timeout: 20_000 }, async () => {
  // It has lost every sign: its environment, its parent and its session, all before anybody could look.
  const text = `(env -i setsid sh -c 'echo $$ > "$1/pid"; exec sleep 40' x "$1" &) ; while ! [ -s "$1/pid" ]; do :; done`;
  const end = await supervise(script(text, { args: [folder] }));
  expect(end).toMatchObject({ kind: "exited", status: 0 });
  const pid = Number(readFileSync(join(folder, "pid"), "utf8"));
  try {
    process.kill(pid, "SIGKILL");
  } catch {
    // It was seen after all and is gone already.
  }
});
