import * as v from "valibot";
import { expect, test } from "vitest";
import { JournalLine } from "../../../src/records/event.ts";
import { parseConfig } from "../../../src/config/parse-config.ts";
import { Task } from "../../../src/records/task.ts";
import { makeRelay } from "../../../src/workflows/pure/relay.ts";
import { decideNextWork } from "../../../src/workflows/pure/workflow.ts";
import { executeTask } from "../../support/tasks.ts";

function relay(document: object) {
  const config = parseConfig(document);
  if (config.kind === "invalid") throw new Error("the fixture is no configuration");
  return makeRelay(v.parse(Task, executeTask), config.value);
}

const ended = (series_id: string) =>
  v.parse(JournalLine, {
    version: 1,
    seq: 0,
    at: "2026-01-31T23:59:59.000Z",
    run_id: "20260131T235959Z-0123abcd",
    series_id,
    prev: null,
    event: { type: "tick_ended", verdict: "success", code: "SUCCESS", cause: null, counted: true },
  });

const MINE = "20260131T235959Z-0123abcd";

test("a given task is one tick, and then its series is complete", () => {
  const lines = [ended("20260101T000000Z-89abcdef")];
  expect(decideNextWork(relay({}), { lines, seriesId: MINE })).toMatchObject({
    kind: "work",
    work: { task: executeTask, review: null, settle: { onSuccess: "accept", onFailure: "rollback" } },
  });
  expect(decideNextWork(relay({}), { lines: [...lines, ended(MINE)], seriesId: MINE })).toEqual({
    kind: "end",
    end: "complete",
  });
});

test("who reviews and whether it is committed is configured", () => {
  const config = { git: { commit: "always" }, review: { reviewers: ["risk", "tests"], quorum: 1 } };
  expect(decideNextWork(relay(config), { lines: [], seriesId: MINE })).toMatchObject({
    work: {
      review: { quorum: 1, reviewers: [{ name: "risk" }, { name: "tests" }] },
      settle: { onSuccess: "commit", onFailure: "rollback" },
    },
  });
});
