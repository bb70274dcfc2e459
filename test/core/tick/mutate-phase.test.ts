import * as v from "valibot";
import { expect, test } from "vitest";
import { Task } from "../../../src/contract/documents/task.ts";
import type { TickEvent } from "../../../src/contract/journal/event.ts";
import { decide } from "../../../src/core/tick/decide.ts";
import { evolve } from "../../../src/core/tick/evolve.ts";
import { START, type TickState } from "../../../src/core/tick/tick-state.ts";
import { MUTATED } from "../../support/mutated.ts";
import { executeTask } from "../../support/tasks.ts";

const started = {
  type: "tick_started",
  workflow: "relay",
  relais_version: "0",
  config_sha256: null,
  worktree: "/repo",
  git_prefix: "",
  on_success: "accept",
  max_tick_seconds: 900,
} as const;
const asked = { ...started, mutation: { count: 8, seconds: 60 } };
const UNTIL_JUDGED: readonly TickEvent[] = [
  { type: "preflight_passed", base_commit: "a".repeat(40), head: "ref: refs/heads/x", warnings: [] },
  { type: "prepared", isolation: "in_place", observation_sha256: "b".repeat(64) },
  { type: "planned", task: v.parse(Task, executeTask), orchestrator_calls: 0 },
  { type: "build_started", driver: "scripted", sandbox: "none", dispatch: "d" },
  {
    type: "build_ended",
    failure: null,
    builder_output_valid: true,
    summary: null,
    duration_ms: 1,
    usage: null,
  },
];
const judged = (paths: readonly string[]): TickEvent => ({
  type: "judged",
  code: "SUCCESS",
  cause: null,
  evidence_sha256: "c".repeat(64),
  blast_radius: { files_touched: paths.length, lines_added: 1, lines_deleted: 0, new_files: 0 },
  findings: [],
  findings_total: 0,
  notes: [],
  touched_paths: [...paths],
  touched_paths_total: paths.length,
});
const CHANGED = [...UNTIL_JUDGED, judged(["src/x.ts"])];
const verified: TickEvent = { type: "verified", code: null, cause: null, runs: [], findings: [] };
const crash: TickEvent = { type: "interrupted", code: "STOP_INTERRUPTED", cause: "crash", message: null };

const after = (...events: readonly TickEvent[]): TickState => events.reduce(evolve, START);
const KEPT = { phase: "announce_settle", action: "accept" };
const REVERTED = { phase: "announce_settle", action: "rollback" };

test("mutations decide nothing, and a crash while they are tried is reverted like any other", () => {
  const green = after(asked, ...CHANGED, verified);
  expect(decide(green)).toMatchObject({ do: "mutate" });
  expect(evolve(green, MUTATED)).toMatchObject(KEPT);
  expect(evolve(green, crash)).toMatchObject(REVERTED);
});

test("none are tried where nobody asks, a check failed or nothing changed", () => {
  expect(after(started, ...CHANGED, verified)).toMatchObject(KEPT);
  expect(after(asked, ...CHANGED, { ...verified, code: "STOP_VERIFY_FAILED_FAST" })).toMatchObject(REVERTED);
  expect(after(asked, ...UNTIL_JUDGED, judged([]), verified)).toMatchObject(KEPT);
});

test("those of a change that a person edits are void", () => {
  const held = after({ ...asked, ask: { timeout_seconds: 60 } }, ...CHANGED, verified, MUTATED);
  const question: TickEvent = { type: "asked", question: "q", until: "2026-02-01T00:00:00.000Z" };
  const edit: TickEvent = { type: "decided", question: "q", decision: "edit", message: null };
  const edited = [question, edit].reduce(evolve, held);
  expect(edited).toMatchObject({ phase: "judge", isEdited: true });
  expect(edited).not.toHaveProperty("mutated");
});
