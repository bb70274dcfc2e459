import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { once } from "node:events";
import { afterEach, expect, test } from "vitest";
import { readOwnIdentity, readProcessState } from "../../src/process/process-identity.ts";
import { findProcessStart } from "../../src/process/process-table.ts";

let child: ChildProcessWithoutNullStreams | null = null;
afterEach(() => child?.kill("SIGKILL"));

test("our own identity is alive and stays the same", async () => {
  const identity = await readOwnIdentity();
  expect(identity).toEqual(await readOwnIdentity());
  expect(await readProcessState(identity)).toBe("alive");
});

test("a process is alive until it ends, whatever it calls itself", async () => {
  child = spawn(process.execPath, ["-e", "process.title = ') R (x'; console.log(1); setTimeout(() => {}, 60000)"]);
  await once(child.stdout, "data");
  const pid = child.pid ?? 0;
  const identity = { ...(await readOwnIdentity()), pid, processStart: (await findProcessStart(pid)) ?? "" };
  expect(await readProcessState(identity)).toBe("alive");
  expect(await readProcessState({ ...identity, processStart: `${identity.processStart}0` })).toBe("gone");
  child.kill("SIGKILL");
  await once(child, "exit");
  expect(await readProcessState(identity)).toBe("gone");
});

test("a process that has ended but was not collected is gone", async () => {
  // The shell becomes a program that never collects the child it was left.
  child = spawn("sh", ["-c", "sh -c 'echo $$; read line' & exec sleep 60"]);
  const [line] = await once(child.stdout, "data");
  const pid = Number(String(line));
  expect(pid).toBeGreaterThan(1);
  await expect.poll(() => findProcessStart(pid)).toBeNull();
  expect(() => process.kill(pid, 0)).not.toThrow();
  const identity = { ...(await readOwnIdentity()), pid, processStart: "1" };
  expect(await readProcessState(identity)).toBe("gone");
});

test("what cannot be compared from here is unknown", async () => {
  const identity = await readOwnIdentity();
  expect(await readProcessState({ ...identity, host: "elsewhere" })).toBe("unknown");
  expect(await readProcessState({ ...identity, host: "elsewhere", bootId: "other" })).toBe("unknown");
  expect(await readProcessState({ ...identity, pidNamespace: "pid:[1]" })).toBe("unknown");
  expect(await readProcessState({ ...identity, bootId: "other" })).toBe("gone");
});
