import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { expect, onTestFinished, test } from "vitest";
import { reapTick, nameTickMarker } from "../../src/process/reap-session.ts";
import { supervise } from "../../src/process/supervise.ts";
import { script } from "../support/session.ts";

/** Starts a shell script in a session of its own and waits until it says that it is ready. */
async function start(text: string, env: Readonly<Record<string, string>>): Promise<ChildProcess> {
  const child = spawn("sh", ["-c", `${text}\necho ready; exec sleep 300`], {
    env: { PATH: process.env["PATH"], ...env },
    detached: true,
    stdio: ["ignore", "pipe", "ignore"],
  });
  onTestFinished(() => {
    if (child.pid !== undefined && child.exitCode === null && child.signalCode === null)
      process.kill(-child.pid, "SIGKILL");
  });
  await once(child.stdout ?? child, "data");
  return child;
}

const runId = (name: string): string => `20260131T235959Z-${name}-${process.pid}`;
const quietly = "</dev/null >/dev/null 2>&1";

test.each([
  ["alone", 1, ":"],
  ["deaf to every polite signal", 1, `trap "" INT TERM HUP`],
  ["with a child in another session", 2, `setsid sleep 300 ${quietly} & sleep 0.2`],
  ["with a child that cleared its environment", 2, `env -i sleep 300 ${quietly} & sleep 0.2`],
])("a process of a tick that nobody supervises any more is ended: %s", async (name, count, text) => {
  const id = runId(name.replaceAll(" ", "_"));
  const child = await start(text, { RELAIS_SESSION: `${nameTickMarker(id)}:0123` });
  const ended = once(child, "exit");
  const { survivors, undead } = await reapTick(id);
  expect(undead).toEqual([]);
  expect(survivors.map(({ pid }) => pid)).toContain(child.pid);
  expect(survivors).toHaveLength(count);
  expect(await ended).toEqual([null, "SIGKILL"]);
});

test("nobody else is touched", async () => {
  const own = runId("own");
  const stranger = await start(":", { RELAIS_SESSION: nameTickMarker(runId("other")), RELAIS_RUN_ID: own });
  expect(await reapTick(own)).toEqual({ survivors: [], undead: [] });
  expect(stranger.exitCode).toBeNull();
  expect(stranger.signalCode).toBeNull();
});

test("those in the same session that were there before are somebody else's", async () => {
  const id = runId("shared");
  const marked = `RELAIS_SESSION=${nameTickMarker(id)} sleep 300 ${quietly} & sleep 0.1`;
  const shell = await start(`sleep 0.1; ${marked}`, {});
  const { survivors } = await reapTick(id);
  expect(survivors).toHaveLength(1);
  expect(survivors[0]?.pid).not.toBe(shell.pid);
  expect(readFileSync(`/proc/${shell.pid}/stat`, "utf8")).not.toContain(") Z ");
});

test("a supervised program carries the marker that it was given and one of its own", async () => {
  const end = await supervise(script('echo "$RELAIS_SESSION"', { marker: "tick-x" }));
  expect(end.stdout.toString()).toMatch(/(?:^|:)tick-x:[0-9a-f]{32}\n$/);
});
