import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { Lock } from "../../src/records/lock.ts";
import { acquireLock } from "../../src/journal/acquire-lock.ts";
import { readOwnIdentity } from "../../src/process/process-identity.ts";
import { bundle } from "../support/bundle.ts";
import { endOf, KILLED, race, RELEASED } from "../support/lock-race.ts";

const now = (): string => "2026-01-31T12:00:00.000Z";

let folder = "";
let path = "";
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "relais-test-"));
  mkdirSync(join(folder, "lock"));
  path = join(folder, "lock", "lock.json");
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const acquire = () => acquireLock(path, "run-00000001", now);
const filesBesideLock = () => readdirSync(join(folder, "lock"));

/** The lock of this very process, changed as a test needs it. */
async function ourLock(change: Partial<Lock> = {}): Promise<Lock> {
  const { pid, processStart, bootId, host, pidNamespace } = await readOwnIdentity();
  const place = { boot_id: bootId, host, pid_namespace: pidNamespace };
  return { run_id: "run-earlier", pid, process_start: processStart, started_at: now(), ...place, ...change };
}

function plant(lock: Lock, at = path): string {
  const content = `${JSON.stringify(lock)}\n`;
  writeFileSync(at, content);
  return content;
}

function guardOf(content: string, number: number): string {
  return `${path}.reclaim-${createHash("sha256").update(content).digest("hex").slice(0, 32)}-${number}`;
}

test("a free lock is taken with everything that names its holder, and given back", async () => {
  const result = await acquire();
  expect(JSON.parse(readFileSync(path, "utf8"))).toEqual(await ourLock({ run_id: "run-00000001" }));
  expect(filesBesideLock()).toEqual(["lock.json"]);
  if (result.kind !== "held") throw new Error(result.kind);
  await result.release();
  expect(filesBesideLock()).toEqual([]);
  await result.release();
});

test("a lock whose holder lives is busy, and nothing is written beside it", async () => {
  const first = await acquire();
  expect(await acquireLock(path, "run-00000002", now)).toEqual({
    kind: "busy",
    holder: await ourLock({ run_id: "run-00000001" }),
  });
  expect(filesBesideLock()).toEqual(["lock.json"]);
  expect(first.kind).toBe("held");
});

test("a lock that is somebody else's by now is not given back in their place", async () => {
  const result = await acquire();
  const content = plant(await ourLock({ run_id: "run-another" }));
  if (result.kind !== "held") throw new Error(result.kind);
  await result.release();
  expect(readFileSync(path, "utf8")).toBe(content);
});

test.each<[string, Partial<Lock>]>([
  ["a process that does not exist", { pid: 2 ** 30 }],
  ["an earlier process that had a living one's pid", { process_start: "1" }],
  ["an earlier boot", { boot_id: "another-boot" }],
  ["an earlier boot in another pid namespace", { boot_id: "another-boot", pid_namespace: "pid:[1]" }],
])("a lock left by %s is taken over", async (_name, change) => {
  plant(await ourLock(change));
  expect((await acquire()).kind).toBe("held");
  expect(JSON.parse(readFileSync(path, "utf8"))).toEqual(await ourLock({ run_id: "run-00000001" }));
  expect(filesBesideLock()).toEqual(["lock.json"]);
});

test.each<[string, Partial<Lock>]>([
  ["another host", { host: "elsewhere", pid: 2 ** 30 }],
  ["another host and boot", { host: "elsewhere", boot_id: "another-boot" }],
  ["another pid namespace", { pid_namespace: "pid:[1]", pid: 2 ** 30 }],
])("a holder on %s cannot be known to be gone, so it is busy", async (_name, change) => {
  const content = plant(await ourLock(change));
  expect(await acquire()).toEqual({ kind: "busy", holder: await ourLock(change) });
  expect(readFileSync(path, "utf8")).toBe(content);
});

test.each([
  ["nothing", ""],
  ["half a lock", '{"run_id": "run-0000'],
  ["something else", '{"pid": 1}'],
  ["too much", " ".repeat(100_000)],
])("a file that holds %s is corrupt and stays as it is", async (_name, content) => {
  writeFileSync(path, content);
  expect(await acquire()).toMatchObject({ kind: "corrupt", path });
  expect(readFileSync(path, "utf8")).toBe(content);
});

test("a link, dangling or not, and a folder are corrupt and never followed", async () => {
  plant(await ourLock({ pid: 2 ** 30 }), join(folder, "stale"));
  for (const target of [join(folder, "stale"), join(folder, "nowhere")]) {
    symlinkSync(target, path);
    expect(await acquire()).toEqual({ kind: "corrupt", path, reason: "it is a link" });
    rmSync(path);
  }
  expect(existsSync(join(folder, "nowhere"))).toBe(false);
  mkdirSync(path);
  expect(await acquire()).toMatchObject({ kind: "corrupt", path });
});

test("guards whose owners died are stepped over and cleared away", async () => {
  const content = plant(await ourLock({ pid: 2 ** 30 }));
  for (const number of [0, 1, 2]) plant(await ourLock({ process_start: "1" }), guardOf(content, number));
  expect((await acquire()).kind).toBe("held");
  expect(filesBesideLock()).toEqual(["lock.json"]);
});

test("what killed processes left beside the lock is cleared away by the next holder, and nothing else", async () => {
  writeFileSync(`${path}.${"0".repeat(24)}.tmp`, "half");
  writeFileSync(`${path}.keep`, "somebody's");
  plant(await ourLock({ process_start: "1" }), guardOf("long gone", 0));
  expect((await acquire()).kind).toBe("held");
  expect(filesBesideLock()).toEqual(["lock.json", "lock.json.keep"]);
});

test("a stale lock that a living process is taking over is busy, and is waited for but not for ever", async () => {
  const content = plant(await ourLock({ pid: 2 ** 30 }));
  plant(await ourLock({ run_id: "run-reclaims" }), guardOf(content, 0));
  expect(await acquire()).toEqual({ kind: "busy", holder: await ourLock({ run_id: "run-reclaims" }) });
  expect(readFileSync(path, "utf8")).toBe(content);
});

test("a damaged guard stops everybody and is named", async () => {
  const content = plant(await ourLock({ pid: 2 ** 30 }));
  writeFileSync(guardOf(content, 0), "");
  expect(await acquire()).toMatchObject({ kind: "corrupt", path: guardOf(content, 0) });
  expect(readFileSync(path, "utf8")).toBe(content);
});

test("of 8 processes that race for a stale lock, one at a time holds it", { timeout: 180_000 }, async () => {
  plant(await ourLock({ process_start: "1" }));
  const fates = Array.from({ length: 8 }, () => "release");
  expect(await race({ folder, path, fates })).toEqual(fates.map(() => RELEASED));
  expect(readFileSync(join(folder, "counter"), "utf8")).toBe("32");
  expect(filesBesideLock()).toEqual([]);
});

test("a holder in another process is busy until it is killed", { timeout: 120_000 }, async () => {
  const program = await bundle("lock-contender.ts", folder);
  writeFileSync(join(folder, "counter"), "0");
  const child = spawn(process.execPath, [program, path, join(folder, "counter"), "1", "stay"]);
  const end = endOf(child);
  try {
    await once(child.stdout, "data");
    expect(await acquire()).toMatchObject({ kind: "busy", holder: { pid: child.pid } });
  } finally {
    child.kill("SIGKILL");
  }
  expect(await end).toEqual(KILLED);
  expect((await acquire()).kind).toBe("held");
});
