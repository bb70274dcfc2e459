/** Processes that nothing finds without a sandbox. Each is ended here by the id that it leaves. */
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { execFileSync, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeEach, expect, onTestFinished, test } from "vitest";
import { nameTickMarker, reapTick } from "../../src/process/reap-session.ts";
import { chooseSessionTag, startTagged } from "../../src/process/session-tag.ts";
import { supervise } from "../../src/process/supervise.ts";
import { startObeyingServer } from "../support/obeying-server.ts";
import { script } from "../support/session.ts";

let folder = "";
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "relais-limits-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
});

const LEAVE_ID = `echo $$ > "$1/new" && mv "$1/new" "$1/pid"`;
const AWAIT_ID = `while ! [ -e "$1/pid" ]; do sleep 0.01; done`;

/** Whether the process that left its id still runs; then it is ended. A dead one may wait for its parent. */
function endEscaped(): boolean {
  const file = join(folder, "pid");
  const pid = Number(readFileSync(file, "utf8"));
  rmSync(file);
  if (!existsSync(`/proc/${pid}`) || / [ZX] /u.test(readFileSync(`/proc/${pid}/stat`, "utf8"))) return false;
  process.kill(pid, "SIGKILL");
  return true;
}

/** A look may come in between, so one of several must escape. */
async function escapesOnce(text: string): Promise<boolean> {
  for (let attempt = 0; attempt < 5; attempt += 1) {
    await supervise(script(text, { args: [folder] }));
    if (endEscaped()) return true;
  }
  return false;
}

/** Late, when looks are rare: a daemon without an environment, in its own session, whose parent is gone. */
function leaveDaemon(limit: string): string {
  const daemon = `sh -c '${LEAVE_ID}; exec sleep 60' sh "$1" </dev/null >/dev/null 2>&1`;
  const inner = `${limit}; (${daemon} &)`.replaceAll("'", `'\\''`);
  return `sleep 0.6; env -i PATH="$PATH" setsid sh -c '${inner}' sh "$1"; ${AWAIT_ID}`;
}

test("one without any sign but the inherited limit is found", async () => {
  const end = await supervise(script(leaveDaemon(":"), { args: [folder] }));
  expect(end.survivors).toHaveLength(1);
  expect(endEscaped()).toBe(false);
});

test("one that lowers that limit too escapes", async () => {
  expect(await escapesOnce(leaveDaemon("prlimit --pid $$ --locks=1000:1000"))).toBe(true);
});

const hasTmux = spawnSync("tmux", ["-V"]).status === 0;

test.skipIf(!hasTmux)("one that a tmux server starts, which ran before, escapes", async () => {
  const tmux = `tmux -S "${folder}/socket" -f /dev/null`;
  execFileSync("sh", ["-c", `${tmux} new-session -d 'sleep 60'`]);
  onTestFinished(() => void spawnSync("sh", ["-c", `${tmux} kill-server`]));
  const command = `${LEAVE_ID}; exec sleep 60`.replaceAll("$1", folder);
  const end = await supervise(script(`${tmux} new-window -d '${command}'; ${AWAIT_ID}`, { args: [folder] }));
  expect(end).toMatchObject({ kind: "exited", survivors: [] });
  expect(endEscaped()).toBe(true);
});

test("one that another program of the same user starts escapes", async () => {
  const pipe = startObeyingServer();
  const command = `${LEAVE_ID}; exec sleep 60`.replaceAll("$1", folder);
  const end = await supervise(script(`echo '${command}' > "$2"; ${AWAIT_ID}`, { args: [folder, pipe] }));
  expect(end).toMatchObject({ kind: "exited", survivors: [] });
  expect(endEscaped()).toBe(true);
});

test.each([
  ["keeps its limit is found", ":", false],
  ["lowers it escapes", "prlimit --pid $$ --locks=1000:1000", true],
])("after a kill of relais, one that cleared its environment and %s", async (name, limit, isEscaped) => {
  const id = `20260131T235959Z-${name.replaceAll(" ", "_")}-${process.pid}`;
  const tagged = startTagged(chooseSessionTag(nameTickMarker(id)) ?? 0, "sh");
  const [program, ...args] = tagged ?? ["sh"];
  const text = `${limit}; exec env -i sh -c '${LEAVE_ID}; exec sleep 60' sh "$1"`;
  const child = spawn(program, [...args, "-c", text, "sh", folder], { detached: true, stdio: "ignore" });
  await expect.poll(() => existsSync(join(folder, "pid")), { timeout: 20_000 }).toBe(true);
  const ended = once(child, "exit");
  const { survivors, undead } = await reapTick(id);
  expect({ found: survivors.length, undead }).toEqual({ found: isEscaped ? 0 : 1, undead: [] });
  child.kill("SIGKILL");
  await ended;
});
