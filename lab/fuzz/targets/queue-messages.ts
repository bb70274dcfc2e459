import assert from "node:assert/strict";
import { generateValue } from "../generate-value.ts";
import type { FuzzTarget } from "../target.ts";
import type { Random } from "../../../scripts/random.ts";
import { JobId } from "../../../src/queue/pure/job.ts";
import { QueueEvent } from "../../../src/queue/pure/queue-record.ts";
import { isRecord } from "../../../src/base/quantity.ts";
import { emptyQueue, takeSnapshot } from "../../../src/queue/pure/queue-state.ts";
import { parseJson } from "../../../src/system/parse-json.ts";
import { writeRecordText } from "../../../src/queue/record-text.ts";
import { parseBatch, parseCursor } from "../../../src/fleet/nats-store.ts";
import { takeMessage } from "../../../src/fleet/nats-log.ts";
import { parseBatchId } from "../../../src/fleet/nats-lines.ts";
import { parseLimit } from "../../../src/fleet/open-fleet.ts";

const AT = "2026-01-15T10:00:00.000Z";
const MESSAGES_MAX = 30;
const SEQ = 7;
const LINES = ["", "{}", '{"event":{"type":"tick_started"}}', "a\nb", "\u0000", "é"];
const ROWS = [AT, "2026-01-15", "zzzz", "", null, 5];

/** Messages and rows of a shared queue, as a server delivers them: batches of lines, records, limits of agents. */
export const queueMessages: FuzzTarget = {
  name: "queue-messages",
  seeds: () =>
    [
      '{"job":"job-1","attempt":1,"id":"0123456789abcdef","lines":["{}","{}"]}',
      '{"job":"job-1","attempt":1,"lines":[]}',
      JSON.stringify({ agent: "claude_code", until: AT }),
      '{"kind":"held","is_held":true}\n{"v":2}\n{"kind":"sealed"}\n',
    ].map((text) => Buffer.from(text)),
  words: ["job", "attempt", "lines", "id", "agent", "until", '"v":2', '"sum":"0123456789abcdef"', "sealed", "held"],
  generate: (random) => Buffer.from((random.pick([makeBatch, makeRow, makeLog]) ?? makeLog)(random)),
  check: (data) => {
    const text = data.toString("utf8");
    checkBatch(text);
    checkLimit(text);
    checkLog(text.split("\n").slice(0, MESSAGES_MAX));
  },
};

function makeBatch(random: Random): string {
  const lines = Array.from({ length: random.below(5) }, () => random.pick(LINES));
  const attempt = random.pick([1, 1, 2, 0, 1.5, 1e308]);
  return JSON.stringify({ job: generateValue(JobId, random), attempt, id: random.pick(["a", 1, undefined]), lines });
}

function makeRow(random: Random): string {
  return JSON.stringify({ agent: random.pick(["claude_code", "codex", 3, "__proto__"]), until: random.pick(ROWS) });
}

function makeLog(random: Random): string {
  return Array.from({ length: random.below(12) }, () =>
    JSON.stringify(generateValue(QueueEvent, random)).replace(/"job":"[^"]*"/u, '"job":"a"'),
  ).join("\n");
}

/** Every line has a place of its own, behind which the next one follows; only its writer's own id is an id. */
function checkBatch(text: string): void {
  const lines = parseBatch(text, SEQ);
  const value = parseJson(text);
  const batch = isRecord(value) ? value : {};
  if (lines.length > 0)
    assert.deepEqual(
      lines.map((line) => line.text),
      batch["lines"],
    );
  for (const [at, { job, attempt, cursor }] of lines.entries()) {
    assert.deepEqual([job, attempt], [batch["job"], batch["attempt"]]);
    assert.match(job, /^[\w.-]{1,64}$/u);
    assert(Number.isInteger(attempt) && attempt > 0, "an attempt that is none");
    assert.deepEqual(parseCursor(cursor), { seq: SEQ, count: at + 1 });
  }
  const id = parseBatchId(text);
  assert.equal(id, typeof batch["id"] === "string" ? batch["id"] : null);
}

/** A limit ends at a moment; a row that nobody can read is no limit. */
function checkLimit(text: string): void {
  const limit = parseLimit({ string: () => text });
  if (limit === null) return;
  assert(typeof limit.agent === "string" && !Number.isNaN(Date.parse(limit.until)), "a limit that never ends");
  assert.deepEqual(parseLimit({ string: () => JSON.stringify(limit) }), limit);
}

type Reader = Parameters<typeof takeMessage>[1];

/** A reader that asks no server: another one stands in for the one that would begin anew. */
function openReader() {
  const reader: Reader = { state: emptyQueue(), sum: "", last: 0, first: 1, messages: null, isBehind: false };
  const none = { failure: null, pending: null, reader: null, waiters: new Set(), onRecords: () => null };
  const follower: Parameters<typeof takeMessage>[0] = Object(none);
  return { reader, take: (seq: number, text: string) => takeMessage(follower, reader, { seq, text }) };
}

/** A message that comes twice counts once, and what no record is changes nothing. */
function checkLog(lines: readonly string[]): void {
  const [once, often] = [openReader(), openReader()];
  const sent: string[] = [];
  for (const line of lines) {
    const { state, sum } = once.reader;
    const record = write(parseJson(line), { seq: sent.length + 1, sum });
    const before = JSON.stringify({ ...takeSnapshot(state), seq: 0 });
    sent.push(record ?? line);
    once.take(sent.length, record ?? line);
    for (const seq of [sent.length, 1, sent.length]) often.take(seq, sent[seq - 1] ?? "");
    if (record === null) assert.equal(JSON.stringify({ ...takeSnapshot(state), seq: 0 }), before, "a forged record");
  }
  assert.deepEqual(takeSnapshot(often.reader.state), takeSnapshot(once.reader.state), "another queue");
  assert.equal(often.reader.sum, once.reader.sum);
  checkGap(once, sent.length);
}

/** A record behind a gap is not taken. */
function checkGap({ reader, take }: ReturnType<typeof openReader>, count: number): void {
  const before = takeSnapshot(reader.state);
  take(count + 2, "{}");
  assert.deepEqual(takeSnapshot(reader.state), before, "a record behind a gap");
}

function write(event: unknown, { seq, sum }: { readonly seq: number; readonly sum: string }): string | null {
  try {
    return writeRecordText(Object({ v: 1, seq, at: AT, by: "fuzz", event }), sum).text;
  } catch {
    return null; // It is sent as it is.
  }
}
