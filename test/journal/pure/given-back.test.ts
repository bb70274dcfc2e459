import { expect, test } from "vitest";
import { GivenBackFold } from "../../../src/journal/pure/given-back.ts";
import type { TickEvent } from "../../../src/records/event.ts";

type Ended = Extract<TickEvent, { type: "build_ended" }>;

const STARTED = { type: "build_started", driver: "codex", sandbox: "none", dispatch: "d" } as const;
const ENDED: Ended = {
  type: "build_ended",
  failure: null,
  builder_output_valid: true,
  summary: null,
  duration_ms: 1,
  usage: null,
};

/** What is counted of these sessions, one a tick; the summary of the journal lies between two of them. */
function count(...sessions: readonly (readonly [start: object, end: Partial<Ended>])[]) {
  let fold = new GivenBackFold();
  for (const [at, [start, end]] of sessions.entries()) {
    for (const event of [
      { ...STARTED, ...start },
      { ...ENDED, ...end },
    ])
      fold.take({ version: 1, seq: at, at: "", run_id: `r${at}`, series_id: "s", prev: null, event });
    const saved = fold.save();
    fold = new GivenBackFold();
    fold.load(saved);
  }
  return fold.list();
}

test("the ways to give a task back are counted for each agent", () => {
  expect(
    count(
      [{}, {}],
      [{}, { failure: { code: "STOP_QUESTION", cause: "cannot" } }],
      [{}, { failure: { code: "STOP_BUILDER_TIMEOUT", cause: "timeout" } }],
      [{}, { data: { status: "retry", tree_changed: false } }],
      [{}, { data: { status: "done", tree_changed: false } }],
      [{ driver: "claude_code" }, { data: { signal: { status: "blocked" } } }],
      [{ driver: "claude_code" }, { data: { signal: { status: "verify" } } }],
    ),
  ).toEqual([
    { agent: "codex", sessions: 5, gaveUp: 2 },
    { agent: "claude_code", sessions: 2, gaveUp: 1 },
  ]);
});

test("a patch, and work that was made before, is no session", () => {
  const landed = { name: "b", tip: null };
  expect(count([{ driver: "patch" }, {}], [{ kept: "r0" }, {}], [{ landed }, {}])).toEqual([]);
});
