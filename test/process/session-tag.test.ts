import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { findProcessStart } from "../../src/process/process-table.ts";
import { nameTickMarker, reapTick } from "../../src/process/reap-session.ts";
import { chooseSessionTag, isTagOfTick, readLockLimit, startTagged } from "../../src/process/session-tag.ts";
import { supervise } from "../../src/process/supervise.ts";
import { scratchFolder } from "../support/scratch-repository.ts";
import { script } from "../support/session.ts";

const canTag = chooseSessionTag(undefined) !== null;
const TICK = nameTickMarker("20260131T235959Z-0123abcd");
const PATH = process.env["PATH"] ?? "";

/** Leaves a process with an empty environment, in its own session, without a parent, that tells its pid. */
const daemon = (pidFile: string): string =>
  `env -i PATH="$PATH" setsid sh -c '(sh -c "echo \\$\\$ > ${pidFile}; exec sleep 60" &)' </dev/null >/dev/null 2>&1`;

test.runIf(canTag)("a tag belongs to one tick, and fits below the limit that there is", () => {
  const tag = chooseSessionTag(TICK);
  expect(isTagOfTick(tag, TICK)).toBe(true);
  expect(isTagOfTick(tag, nameTickMarker("20260131T235959Z-another"))).toBe(false);
  expect(isTagOfTick(readLockLimit("self"), TICK)).toBe(false);
  expect(tag).toBeLessThan(readLockLimit("self") ?? 0);
  expect(readLockLimit(2 ** 30)).toBeNull();
});

test.runIf(canTag)("a daemon without environment, parent and session is ended with its session", async () => {
  const pidFile = join(scratchFolder(), "pid");
  const end = await supervise(script(`${daemon(pidFile)}; while ! test -s ${pidFile}; do sleep 0.01; done`));
  const pid = Number(readFileSync(pidFile, "utf8"));
  expect(end).toMatchObject({ kind: "exited", status: 0, undead: [] });
  expect(end.survivors.map((stray) => stray.pid)).toContain(pid);
  expect(await findProcessStart(pid)).toBeNull();
});

test.runIf(canTag)("the daemon of a killed relais is found by the tag of its tick", async () => {
  const runId = `20260131T235959Z-tag-${process.pid}`;
  const pidFile = join(scratchFolder(), "pid");
  const tag = chooseSessionTag(nameTickMarker(runId)) ?? 0;
  const [program = "", ...args] = startTagged(tag, "sh") ?? [];
  const child = spawn(program, [...args, "-c", daemon(pidFile)], { env: { PATH }, detached: true, stdio: "ignore" });
  await once(child, "exit");
  await expect.poll(() => existsSync(pidFile) && readFileSync(pidFile, "utf8")).toMatch(/\d\n/);
  const { survivors, undead } = await reapTick(runId);
  expect(undead).toEqual([]);
  expect(survivors.map(({ pid }) => pid)).toContain(Number(readFileSync(pidFile, "utf8")));
});
