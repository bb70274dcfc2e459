import assert from "node:assert/strict";
import type * as v from "valibot";
import type { FuzzTarget } from "../target.ts";
import { FleetCredentials, Invitation } from "../../../src/queue/pure/fleet.ts";
import { JobHead, JobResult, JobSpec, JobTerms } from "../../../src/queue/pure/job.ts";
import { QueueError } from "../../../src/queue/pure/engine.ts";
import { UserSettings } from "../../../src/queue/pure/user-settings.ts";
import { parseWith } from "../../../src/base/schema-error.ts";
import { parseJson } from "../../../src/system/parse-json.ts";
import { findDueInCron } from "../../../src/queue/open-engine.ts";
import { JobWish } from "../../../src/page/queue-feed.ts";

const SCHEMAS: readonly v.GenericSchema[] = [
  JobHead,
  JobSpec,
  JobTerms,
  JobResult,
  Invitation,
  FleetCredentials,
  UserSettings,
  JobWish,
];
const SPENT = { ticks: 1, sessions: 1, dollars: 0.5, seconds: 3 };
const SEEDS = [
  {
    outcome: "done",
    code: "SUCCESS",
    exit_status: 0,
    branch: "relais/j",
    commit: "a".repeat(40),
    spent: SPENT,
    summary: "x",
  },
  { priority: 1, not_before: "2026-01-15T10:00:00.000Z", after: ["j"], every: "0 9 * * 1-5", attempts_max: 3 },
  {
    version: 1,
    name: "a",
    team: "SU",
    repositories: [{ address: "https://example.invalid/r.git", role: "worker", seed: "SU" }],
  },
  { job: "j", action: "cancel" },
];
const CRONS = ["0 9 * * 1-5", "@daily", "*/7 1-5,9 L 2 MON#2", "61 * * * *", "0 0 30 2 *"];
const UNTIL = "2026-01-15T10:00:00.000Z";

/** What comes from a queue: jobs and results of others, invitations, wishes of the page, and schedules. */
export const queueTexts: FuzzTarget = {
  name: "queue-texts",
  seeds: () => [...SEEDS.map((seed) => JSON.stringify(seed)), ...CRONS].map((text) => Buffer.from(text)),
  words: ["@hourly", "*/5", "L", "#3", "W", "1-5", "-0", "0 0 31 * *", "FRI", "files", "config", "attempts_max"],
  check: (data) => {
    const text = data.toString("utf8");
    for (const schema of SCHEMAS) checkSchema(schema, parseJson(text));
    checkCron(text.slice(0, 200));
  },
};

/** What is taken is written and taken again as the same. */
function checkSchema(schema: v.GenericSchema, value: unknown): void {
  const parsed = parseWith(schema, value);
  if (parsed.kind === "invalid") return;
  const again = parseWith(schema, JSON.parse(JSON.stringify(parsed.value)));
  assert(again.kind === "valid", "a document that is not taken again");
  assert.deepEqual(JSON.stringify(again.value), JSON.stringify(parsed.value));
}

function checkCron(every: string): void {
  try {
    const due = findDueInCron(every, { after: null, until: UNTIL });
    assert(due === null || due <= UNTIL, `a time that is still to come: ${due}`);
  } catch (error) {
    if (!(error instanceof QueueError)) throw error;
  }
}
