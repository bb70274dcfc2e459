/** A short run of the schedules; `npm run test:simulate -- --queue` tries many more. */
import { expect, test } from "vitest";
import { loadSchedules } from "./schedules/build-schedules.ts";
import { Violation } from "../violation.ts";
import { checkRecords } from "./check-records.ts";
import type { QueueRecord } from "../../../src/queue/pure/queue-record.ts";
import { JOB, LEASE_MS, RESULT, TERMS } from "./schedules/schedule-values.ts";

test("no schedule of either engine has two writers of a branch, or loses a job", async () => {
  const { exploreAtRandom, RANDOM_SIZES } = await loadSchedules();
  for (const engine of ["files", "server"] as const) {
    const sizes = RANDOM_SIZES.filter((size) => size.engine === engine);
    const { failure, schedules } = await exploreAtRandom(sizes, 1, 2);
    expect(failure).toBeNull();
    expect(schedules).toBeGreaterThan(0);
  }
});

test("all schedules of a small size are tried, each once", async () => {
  const { exploreAll } = await loadSchedules();
  const size = { engine: "server", workers: 1, jobs: 1, faults: 1, steps: 4 } as const;
  const [first, again] = [await exploreAll(size, 60), await exploreAll(size, 60)];
  expect(first.failure).toBeNull();
  expect(first.isWhole).toBe(true);
  expect(first.schedules).toBeGreaterThan(10);
  expect(again.schedules).toBe(first.schedules);
});

const { files: _files, config: _config, ...head } = JOB;
const worker = { id: "w", pid: 1, birth: "1", boot: "b", host: "h", pid_namespace: null };
const claimed: QueueRecord["event"] = { kind: "claimed", job: "a", worker, lease_ms: LEASE_MS };
const write = (events: readonly QueueRecord["event"][]): readonly QueueRecord[] =>
  events.map((event, at) => ({ v: 1, seq: at + 1, at: "2026-01-15T10:00:00.000Z", by: "x", event }));
const submitted = (job: string): QueueRecord["event"] => ({
  kind: "submitted",
  job,
  store: job,
  head,
  spec: "0".repeat(64),
  terms: TERMS,
});

test("a log with two writers, or with a late result, is a violation", () => {
  const two = write([submitted("a"), submitted("b"), claimed, { ...claimed, job: "b" }]);
  expect(() => checkRecords(two)).toThrow(Violation);
  const late = write([
    submitted("a"),
    claimed,
    { kind: "lost", job: "a", token: 2, why: "silent" },
    claimed,
    { kind: "finished", job: "a", token: 2, result: RESULT },
  ]);
  expect(() => checkRecords(late)).toThrow("old token");
});
