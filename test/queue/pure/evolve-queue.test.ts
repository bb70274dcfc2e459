import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { QUEUE_VERSION, type QueueEvent, type QueueRecord } from "../../../src/queue/pure/queue-record.ts";
import { chooseJob, explainWait } from "../../../src/queue/pure/choose-job.ts";
import { evolveQueue } from "../../../src/queue/pure/evolve-queue.ts";
import {
  emptyQueue,
  ENDED_MAX,
  type QueueState,
  restoreQueue,
  takeSnapshot,
} from "../../../src/queue/pure/queue-state.ts";
import { jobResult, jobSpec, jobTerms, NOTHING } from "../jobs.ts";
import { runs } from "../../support/runs.ts";

const AT = "2026-01-01T00:00:00.000Z";
const WORKER = { id: "w", pid: 1, birth: "1", boot: "b", host: "h", pid_namespace: null };
const { files: _files, config: _config, ...head } = jobSpec();

function record(state: QueueState, event: QueueEvent): QueueRecord {
  return { v: QUEUE_VERSION, seq: state.seq + 1, at: AT, by: "test", event };
}

function apply(state: QueueState, event: QueueEvent): boolean {
  return evolveQueue(state, record(state, event));
}

function submit(job: string, key = "k", after: string[] = []): QueueEvent {
  const terms = jobTerms({ after });
  return { kind: "submitted", job, store: job, head: { ...head, key }, spec: "a".repeat(64), terms };
}

const ids = fc.constantFrom("a", "b", "c", "d", "e");
const job = ids;
const needs = fc.constantFrom([], [], ["gpu"]);
const time = fc.constantFrom(null, null, "2026-01-02T00:00:00.000Z", "2025-01-02T00:00:00Z");
const token = fc.integer({ min: 1, max: 40 });
const outcome = fc.constantFrom("done" as const, "failed" as const, "cancelled" as const);

/** Events of all kinds, many of which do not fit the state. */
const anyEvent: fc.Arbitrary<QueueEvent> = fc.oneof(
  fc
    .record({
      job,
      key: fc.constantFrom("k", "l"),
      after: fc.array(ids, { maxLength: 2 }),
      priority: fc.nat(3),
      needs,
      time,
    })
    .map(({ job: id, key, after, priority, needs: some, time: not_before }): QueueEvent => ({
      kind: "submitted",
      job: id,
      store: id,
      head: { ...head, key, needs: [...some] },
      spec: "a".repeat(64),
      terms: jobTerms({ after, priority, not_before, attempts_max: 2 }),
    })),
  fc.record({ kind: fc.constant("claimed" as const), job, worker: fc.constant(WORKER), lease_ms: fc.constant(1000) }),
  fc.record({ kind: fc.constant("claimed" as const), job, worker: fc.constant(WORKER), lease_ms: fc.constant(1000) }),
  fc.record({
    kind: fc.constant("finished" as const),
    job,
    token,
    result: outcome.map((one) => jobResult({ outcome: one })),
  }),
  fc.record({ kind: fc.constant("lost" as const), job, token, why: fc.constant("gone") }),
  fc.record({
    kind: fc.constant("released" as const),
    job,
    token,
    why: fc.constant("-"),
    not_before: fc.constant(null),
  }),
  fc.record({ kind: fc.constant("spent" as const), job, token, spent: fc.constant({ ...NOTHING, ticks: 1 }) }),
  fc.record({
    kind: fc.constant("asked" as const),
    job,
    what: fc.constantFrom("cancel" as const, "pause" as const, "resume" as const),
  }),
  fc.record({ kind: fc.constant("retried" as const), job }),
  fc.record({ kind: fc.constant("moved" as const), job, priority: fc.nat(3) }),
  fc.record({ kind: fc.constant("held" as const), is_held: fc.boolean() }),
  fc.record({ kind: fc.constant("sealed" as const) }),
);

/** The same choice, by looking at every job. */
function chooseSlowly(state: QueueState, { now, labels }: { now: string; labels: readonly string[] }) {
  const busy = [...state.jobs.values()].filter(({ phase }) => phase === "running").map((row) => row.head.key);
  return [...state.jobs.values()]
    .filter(({ phase, isPaused, blockers }) => phase === "waiting" && !isPaused && blockers.length === 0)
    .filter((row) => !state.isHeld && !busy.includes(row.head.key) && (row.terms.not_before ?? "") <= now)
    .filter((row) => row.head.needs.every((label) => labels.includes(label)))
    .toSorted((one, other) => other.terms.priority - one.terms.priority || one.order - other.order)[0];
}

/** Everything that must be true after any record. */
function check(state: QueueState): void {
  const rows = [...state.jobs.values()];
  const running = rows.filter(({ phase }) => phase === "running");
  expect(new Set(running.map((row) => row.head.key)).size).toBe(running.length);
  expect([...state.running.keys()].toSorted()).toEqual(running.map(({ id }) => id).toSorted());
  expect([...state.holders.values()].toSorted()).toEqual(running.map(({ id }) => id).toSorted());
  for (const now of [AT, "2026-01-03T00:00:00.000Z", AT])
    for (const labels of [[], ["gpu"]])
      expect(chooseJob(state, { now, labels })?.id).toBe(chooseSlowly(state, { now, labels })?.id);
  for (const row of running) expect(row.worker).not.toBeNull();
  for (const row of rows) expect(row.result !== null).toBe(["done", "failed", "cancelled"].includes(row.phase));
}

describe("the queue", () => {
  test("stays consistent, whatever is recorded, and a snapshot is the same queue", () => {
    fc.assert(
      fc.property(fc.array(anyEvent, { maxLength: 40 }), (events) => {
        const state = emptyQueue();
        let tokens = 0;
        for (const event of events) {
          apply(state, event);
          check(state);
          const newest = Math.max(0, ...[...state.jobs.values()].map((row) => row.token));
          expect(newest).toBeGreaterThanOrEqual(tokens);
          tokens = newest;
        }
        const copy = restoreQueue(JSON.parse(JSON.stringify(takeSnapshot(state))));
        expect(takeSnapshot(copy)).toEqual(takeSnapshot(state));
        check(copy);
        expect(copy.dependents).toEqual(state.dependents);
      }),
      runs(500),
    );
  });

  test("a record with an old token has no effect", () => {
    const state = emptyQueue();
    apply(state, submit("a"));
    const claimed: QueueEvent = { kind: "claimed", job: "a", worker: WORKER, lease_ms: 1000 };
    apply(state, claimed);
    const old = state.seq;
    apply(state, { kind: "lost", job: "a", token: old, why: "gone" });
    apply(state, claimed);
    const before = JSON.stringify({ ...takeSnapshot(state), seq: 0 });
    const late: readonly QueueEvent[] = [
      { kind: "finished", job: "a", token: old, result: jobResult() },
      { kind: "lines", job: "a", token: old, bytes: 5 },
      { kind: "spent", job: "a", token: old, spent: { ...NOTHING, ticks: 1 } },
      { kind: "started", job: "a", token: old, process: { pid: 1, birth: "1", boot: "b" } },
      { kind: "released", job: "a", token: old, why: "-", not_before: null },
      { kind: "lost", job: "a", token: old, why: "again" },
    ];
    for (const event of late) expect(apply(state, event)).toBe(false);
    expect(JSON.stringify({ ...takeSnapshot(state), seq: 0 })).toBe(before);
  });

  test("forgets old ends when its log goes on, and never a job that waits", () => {
    const state = emptyQueue();
    apply(state, submit("waiting", "other"));
    for (let number = 0; number < ENDED_MAX + 10; number += 1) {
      apply(state, submit(`job-${number}`));
      apply(state, { kind: "asked", job: `job-${number}`, what: "cancel" });
    }
    apply(state, { kind: "sealed" });
    expect(state.jobs.size).toBe(ENDED_MAX + 1);
    expect(state.jobs.has("job-9")).toBe(false);
    expect(state.jobs.has("job-10")).toBe(true);
    expect([...state.dropped]).toContain("job-9");
    expect(chooseJob(state, { now: AT, labels: [] })?.id).toBe("waiting");
  });

  test("a retried job after a failed one waits and says for what", () => {
    const state = emptyQueue();
    apply(state, submit("a"));
    apply(state, submit("b", "other", ["a"]));
    apply(state, { kind: "asked", job: "a", what: "cancel" });
    expect(state.jobs.get("b")?.phase).toBe("cancelled");
    apply(state, { kind: "retried", job: "b" });
    const row = state.jobs.get("b");
    expect(row === undefined ? null : explainWait(state, row, AT)).toBe("job a, which ended as cancelled");
    expect(chooseJob(state, { now: AT, labels: [] })).toBeNull();
    apply(state, { kind: "retried", job: "a" });
    expect(chooseJob(state, { now: AT, labels: [] })?.id).toBe("a");
  });
});
