import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { once } from "node:events";
import { afterEach, expect, test } from "vitest";
import { askToEnd } from "../../src/process/ask-to-end.ts";
import { readOwnIdentity, type ProcessIdentity, readProcessState } from "../../src/process/process-identity.ts";
import { findProcessStart } from "../../src/process/process-table.ts";

let child: ChildProcessWithoutNullStreams | null = null;
afterEach(() => child?.kill("SIGKILL"));

const patience = new AbortController().signal;

async function listener(): Promise<ProcessIdentity> {
  child = spawn("cat");
  expect(await answer()).toBe("here");
  const pid = child.pid ?? 0;
  return { ...(await readOwnIdentity()), pid, processStart: (await findProcessStart(pid)) ?? "" };
}

/** What it says when it is spoken to; one that a signal has reached says nothing any more. */
async function answer(): Promise<string> {
  if (child === null) return "never began";
  child.stdin.on("error", () => {}).write("here");
  const [said] = await Promise.race([once(child.stdout, "data"), once(child, "exit")]);
  return String(said);
}

test("the process that is meant is ended", async () => {
  const identity = await listener();
  expect(await askToEnd(identity, patience)).toBe("ended");
  expect(await readProcessState(identity)).toBe("gone");
});

test.each([
  ["refused", "of another machine", { host: "elsewhere" }],
  ["refused", "of another container", { pidNamespace: "pid:[1]" }],
  ["ended", "that is gone, and whose number was given out again", { processStart: "1" }],
])("%s: a process %s does not end the one that has its number here", async (end, _, other) => {
  const identity = await listener();
  expect(await askToEnd({ ...identity, ...other }, patience)).toBe(end);
  expect(await answer()).toBe("here");
});
