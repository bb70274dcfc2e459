/** Many processes that race for one lock, which is free, stale or held by somebody who is killed. */
import { mkdirSync, readFileSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { readOwnIdentity } from "../../src/process/process-identity.ts";
import { KILLED, race, RELEASED } from "../support/lock-race.ts";
import { scratchFolder } from "../support/scratch-repository.ts";

const RACERS = 24;

/** A place for a lock, with one in it whose holder is gone where that is asked for. */
async function placeForLock(isStale: boolean): Promise<{ readonly folder: string; readonly path: string }> {
  const folder = scratchFolder();
  const path = join(folder, "lock", "lock.json");
  mkdirSync(join(folder, "lock"));
  const { pid, bootId, host, pidNamespace } = await readOwnIdentity();
  const lock = {
    run_id: "run-earlier",
    pid,
    process_start: "1",
    started_at: "2026-01-31T12:00:00.000Z",
    boot_id: bootId,
    host,
    pid_namespace: pidNamespace,
  };
  if (isStale) writeFileSync(path, `${JSON.stringify(lock)}\n`);
  return { folder, path };
}

test.each([
  ["a free lock", false],
  ["a stale lock", true],
])("of 24 processes that race for %s, one at a time holds it", { timeout: 180_000 }, async (_name, isStale) => {
  const { folder, path } = await placeForLock(isStale);
  const fates = Array.from({ length: RACERS }, () => "release");
  expect(await race({ folder, path, fates })).toEqual(fates.map(() => RELEASED));
  expect(readFileSync(join(folder, "counter"), "utf8")).toBe(String(RACERS * 4));
  expect(readdirSync(join(folder, "lock"))).toEqual([]);
});

test("holders that are killed are succeeded in every race", { timeout: 180_000 }, async () => {
  const { folder, path } = await placeForLock(false);
  const fates = Array.from({ length: RACERS }, (_, index) => (index % 2 === 0 ? "die" : "release"));
  expect(await race({ folder, path, fates })).toEqual(fates.map((fate) => (fate === "die" ? KILLED : RELEASED)));
  expect(readFileSync(join(folder, "counter"), "utf8")).toBe(String(12 + 12 * 4));
});
