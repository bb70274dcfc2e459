import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import type { FuzzTarget } from "../target.ts";
import { generateValue } from "../generate-value.ts";
import type { Random } from "../../../scripts/random.ts";
import { QueueEvent, type QueueRecord } from "../../../src/queue/pure/queue-record.ts";
import { isRecord } from "../../../src/base/quantity.ts";
import { chooseJob } from "../../../src/queue/pure/choose-job.ts";
import { evolveQueue } from "../../../src/queue/pure/evolve-queue.ts";
import { emptyQueue, type QueueState, restoreQueue, takeSnapshot } from "../../../src/queue/pure/queue-state.ts";
import { openNewestLog } from "../../../src/queue/queue-log.ts";
import { readRecordText, readSharedText, writeRecordText } from "../../../src/queue/record-text.ts";
import { parseSnapshotText } from "../../../src/fleet/nats-snapshot.ts";
import { writeSnapshot } from "../../../src/journal/queue-folder.ts";
import { parseJson } from "../../../src/system/parse-json.ts";

const AT = "2026-01-15T10:00:00.000Z";
const EVENTS_MAX = 60;
const SNAPSHOTS = [takeSnapshot(emptyQueue())];

/** The log of a queue that others write to, event by event, and its snapshots: no member can make two writers of a key. */
export const queueRecords: FuzzTarget = {
  name: "queue-records",
  seeds: () => [
    ...SNAPSHOTS.map((queue) => Buffer.from(JSON.stringify({ sum: "", queue }))),
    Buffer.from('{"kind":"held","is_held":true}\n{"kind":"sealed"}\n'),
  ],
  words: ["claimed", "finished", "restored", "lost", '"token":1', '"job":"a"', "blockers", "jobs", "limits", "dropped"],
  generate,
  check: (data) => {
    const text = data.toString("utf8");
    checkSnapshot(text);
    checkLog(text.split("\n").slice(0, EVENTS_MAX));
  },
};

/** Events of two jobs, half of them with the newest token. */
function generate(random: Random): Buffer {
  const lines = Array.from({ length: 1 + random.below(30) }, () => {
    const text = JSON.stringify(generateValue(QueueEvent, random));
    const job = random.pick(["a", "a", "b"]) ?? "a";
    return text
      .replace(/"job":"[^"]*"/u, `"job":"${job}"`)
      .replace(/"token":\d+/u, `"token":${Math.max(0, random.below(12) - 6)}`)
      .replace(/"key":"[^"]*"/u, '"key":"r#main"');
  });
  return Buffer.from(lines.join("\n"));
}

/** Every reader makes the same of them, and nobody crashes over them. */
function checkLog(lines: readonly string[]): void {
  const state = emptyQueue();
  let end = { seq: 0, sum: "" };
  const running = new Map<string, number>();
  for (const line of lines) {
    const written = write(withToken(parseJson(line), running), end);
    if (written === null) continue;
    const shared = readSharedText(written.text, end);
    const own = readRecordText(written.text, end);
    assert(shared.kind === "record" && own !== null, "a record that was written and is not read");
    assert.deepEqual(shared.record.event, own.record.event);
    const hadEffect = evolveQueue(state, shared.record);
    follow(running, state, { record: shared.record, hadEffect });
    checkState(state);
    end = { seq: shared.record.seq, sum: shared.sum };
  }
  if (end.seq > 0) checkRestart(state);
}

/** The token 0, which nobody has, stands for the newest one of the job. */
function withToken(event: unknown, running: ReadonlyMap<string, number>): unknown {
  if (!isRecord(event) || event["token"] !== 0) return event;
  return { ...event, token: running.get(String(event["job"])) ?? 1 };
}

function write(event: unknown, { seq, sum }: { readonly seq: number; readonly sum: string }) {
  try {
    return writeRecordText(Object({ v: 1, seq: seq + 1, at: AT, by: "fuzz", event }), sum);
  } catch {
    return null; // Nobody writes what nobody reads.
  }
}

interface Step {
  readonly record: QueueRecord;
  readonly hadEffect: boolean;
}

/** By a fold of its own: what carries an old token changes nothing, and no two jobs of a key run. */
function follow(running: Map<string, number>, { jobs }: QueueState, { record, hadEffect }: Step): void {
  const { event, seq } = record;
  if ("token" in event) assert.equal(hadEffect, running.get(event.job) === event.token, `${event.kind} at ${seq}`);
  if (event.kind === "claimed" && hadEffect) {
    const key = jobs.get(event.job)?.head.key;
    const others = [...running.keys()].filter((job) => jobs.get(job)?.head.key === key);
    assert.deepEqual(others, [], `two writers of ${key}`);
    running.set(event.job, seq);
  }
  if (["finished", "released", "lost"].includes(event.kind) && hadEffect && "job" in event) running.delete(event.job);
}

function checkState({ jobs, running, holders }: QueueState): void {
  const phases = [...jobs.values()].filter(({ phase }) => phase === "running");
  assert.deepEqual(new Set(phases.map(({ id }) => id)), new Set(running.keys()));
  assert.equal(holders.size, running.size, "a running job without its key");
}

/** A foreign snapshot is refused, or a queue that holds together. */
function checkSnapshot(text: string): void {
  const shared = parseSnapshotText(text);
  if (shared !== null) checkState(restoreQueue(shared.queue));
}

/** Both engines read the snapshot of a queue as the same queue. */
function checkRestart(state: QueueState): void {
  const body = JSON.stringify({ sum: "", queue: takeSnapshot(state) });
  const folder = mkdtempSync(join(tmpdir(), "relais-fuzz-"));
  try {
    writeSnapshot(folder, 1, body);
    const { file, state: own } = openNewestLog(folder);
    file.close();
    const shared = parseSnapshotText(body);
    assert(shared !== null, "a snapshot that the shared engine refuses");
    const want = { labels: [], now: AT };
    for (const again of [own, restoreQueue(shared.queue)]) {
      assert(isDeepStrictEqual(takeSnapshot(again), takeSnapshot(state)), "another queue after a restart");
      assert.deepEqual([...again.holders], [...state.holders]);
      assert.equal(chooseJob(again, want)?.id, chooseJob(state, want)?.id, "another job after a restart");
    }
  } finally {
    rmSync(folder, { recursive: true });
  }
}
