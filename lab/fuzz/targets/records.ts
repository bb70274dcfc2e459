import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import * as v from "valibot";
import type { FuzzTarget } from "../target.ts";
import { JournalLine } from "../../../src/records/event.ts";
import { QueueError } from "../../../src/queue/pure/engine.ts";
import { DecisionRequest, PauseRequest } from "../../../src/records/requests.ts";
import { parseWith } from "../../../src/base/schema-error.ts";
import { parseConfig } from "../../../src/config/parse-config.ts";
import { findConfigProblems } from "../../../src/checks/pure/config-problems.ts";
import { parseJson } from "../../../src/system/parse-json.ts";
import { readJournalText, renderJournalText } from "../../../src/journal/journal-text.ts";
import { readRecordText, writeRecordText } from "../../../src/queue/record-text.ts";
import { makeDefaultConfig } from "../../../src/config/config.ts";
import { journalOf } from "../../../test/support/journals.ts";

const SEAL = /,"sha256":"[0-9a-f]{64}"\}$/u;
const SUM = /,"sum":"[0-9a-f]{16}"\}$/u;
const AT = "2026-01-15T10:00:00.000Z";

/** Lines of the journal and of the queue's log, requests of other terminals and configurations, with good sums. */
export const records: FuzzTarget = {
  name: "records",
  seeds: () => {
    const lines = journalOf([{}, { kept: 3 }]).map((line) => renderJournalText({ ...line, seq: 0, prev: null }).text);
    const events = [
      { kind: "held", is_held: true },
      { kind: "asked", job: "j", what: "cancel" },
      { kind: "blocked", agent: "claude", until: AT },
    ] as const;
    const queue = events.map((event) => writeRecordText({ v: 1, seq: 1, at: AT, by: "x", event }, "").text);
    return [...lines, ...queue, JSON.stringify(makeDefaultConfig())].map((text) => Buffer.from(text));
  },
  repair: (data) => {
    const text = data.toString("utf8");
    if (SEAL.test(text)) {
      const body = text.replace(SEAL, "}");
      return Buffer.from(`${body.slice(0, -1)},"sha256":"${sha256(body)}"}`);
    }
    if (!SUM.test(text)) return data;
    const body = text.replace(SUM, "");
    return Buffer.from(`${body},"sum":"${sha256(body).slice(0, 16)}"}`);
  },
  check: (data) => {
    const read = readJournalText(data, { seq: 0, sha256: null });
    if (read.kind === "line") {
      v.parse(JournalLine, read.line);
      const again = readJournalText(Buffer.from(renderJournalText(read.line).text), { seq: 0, sha256: null });
      assert.equal(again.kind, "line");
    }
    const text = data.toString("utf8");
    try {
      readRecordText(text, { seq: 0, sum: "" });
    } catch (error) {
      assert(error instanceof QueueError, String(error));
    }
    const value = parseJson(text);
    for (const schema of [PauseRequest, DecisionRequest]) parseWith(schema, value);
    const config = parseConfig(value);
    if (config.kind === "valid") {
      findConfigProblems(config.value);
      assert.deepEqual(JSON.parse(JSON.stringify(config.value)), config.value);
    }
  },
};

const sha256 = (text: string): string => createHash("sha256").update(text).digest("hex");
