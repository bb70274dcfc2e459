import fc from "fast-check";
import * as v from "valibot";
import { expect, test } from "vitest";
import { CODES } from "../../../src/base/codes.ts";
import type { TickEvent } from "../../../src/records/event.ts";
import { InvariantError, unreachable } from "../../../src/base/errors.ts";
import { findNext, type Step } from "../../../src/tick/pure/find-next.ts";
import { evolve } from "../../../src/tick/pure/evolve.ts";
import { findOutcome, findSettled } from "../../../src/tick/pure/tick-facts.ts";
import { type EventOf, START, type TickState } from "../../../src/tick/pure/tick-state.ts";
import { runTick } from "../../../src/tick/tick.ts";
import { Task } from "../../../src/records/task.ts";
import { executeTask, questionTask } from "../../support/tasks.ts";
import { BASELINED } from "../../support/baselined.ts";

const started: TickEvent = {
  type: "tick_started",
  workflow: "relay",
  relais_version: "0",
  config_sha256: null,
  worktree: "/repo",
  git_prefix: "",
  on_success: "accept",
  max_tick_seconds: 900,
};
const passed: TickEvent = { type: "preflight_passed", base_commit: "a".repeat(40), head: "x", warnings: [] };
const prepared: TickEvent = { type: "prepared", isolation: "in_place", observation_sha256: "b".repeat(64) };
const planned = { type: "planned", task: v.parse(Task, executeTask), orchestrator_calls: 0 } as const;
const announced: TickEvent = { type: "build_started", driver: "scripted", sandbox: "none", dispatch: "d" };
const built: TickEvent = {
  type: "build_ended",
  failure: null,
  builder_output_valid: true,
  summary: null,
  duration_ms: 1,
  usage: null,
};
const crash: TickEvent = { type: "interrupted", code: "STOP_INTERRUPTED", cause: "crash", message: null };

function judged(code: "SUCCESS" | "STOP_UNSAFE_PATH"): EventOf<"judged"> {
  return {
    type: "judged",
    code,
    cause: null,
    evidence_sha256: "c".repeat(64),
    blast_radius: { files_touched: 0, lines_added: 0, lines_deleted: 0, new_files: 0 },
    findings: [],
    findings_total: 0,
    notes: [],
    touched_paths: [],
    touched_paths_total: 0,
  };
}

const after = (...events: readonly TickEvent[]): TickState => events.reduce(evolve, START);

test("a refusal before anybody was called is reported, and nothing has to be put back", () => {
  const refused: TickEvent = { type: "refused", code: "BLOCKED_DIRTY_WORKTREE", cause: "dirty", message: null };
  expect(after(started, refused)).toMatchObject({ phase: "report", settlement: null });
  expect(after(started, passed, prepared, { ...refused, code: "STOP_VERIFY_TAINTED" })).toMatchObject({
    phase: "report",
  });
});

test("a builder that was not found is put back like any other, because it was announced", () => {
  const refused: TickEvent = { type: "refused", code: "BLOCKED_BUILDER_COMMAND_NOT_FOUND", cause: "x", message: null };
  const state = after(started, passed, prepared, planned, announced, refused);
  expect(state).toMatchObject({ phase: "announce_settle", action: "rollback", outcome: { code: refused.code } });
});

test("a stop of the judge skips the checks and rolls back", () => {
  const state = after(started, passed, prepared, planned, announced, built, judged("STOP_UNSAFE_PATH"));
  expect(state).toMatchObject({ phase: "announce_settle", action: "rollback", outcome: { code: "STOP_UNSAFE_PATH" } });
});

test("a patch is written only once it was judged, and checked only once it was written", () => {
  const before = [started, passed, prepared, planned, { ...announced, driver: "patch" }, built] as const;
  const refused = after(...before, judged("STOP_UNSAFE_PATH"));
  expect(refused).toMatchObject({ phase: "announce_settle", action: "rollback" });
  expect(() => evolve(refused, { type: "written" })).toThrow(InvariantError);
  const green = after(...before, judged("SUCCESS"));
  expect(findNext(green)).toEqual({ step: green });
  expect(green.phase).toBe("write");
  expect(evolve(green, { type: "written" })).toMatchObject({ phase: "verify" });
  expect(evolve(green, crash)).toMatchObject({ phase: "announce_settle", action: "rollback" });
});

test("a question without side effects ends as a question", () => {
  const asked: TickEvent = { type: "planned", task: v.parse(Task, questionTask), orchestrator_calls: 0 };
  const state = after(started, passed, prepared, asked, judged("SUCCESS"));
  expect(state).toMatchObject({ action: "rollback", outcome: { code: "STOP_QUESTION" } });
});

test("a crash during a commit is undone, and during a rollback the rollback is done again for its own reason", () => {
  const green = [started, passed, prepared, planned, announced, built, judged("SUCCESS")] as const;
  const verified: TickEvent = { type: "verified", code: null, cause: null, runs: [], findings: [] };
  const committing = after(...green, verified, { type: "settle_started", action: "commit" }, crash);
  expect(committing).toMatchObject({ phase: "announce_settle", action: "rollback", outcome: { cause: "crash" } });
  const failed: TickEvent = { ...verified, code: "STOP_VERIFY_FAILED_FAST", cause: "exit_1" };
  const rolling = after(...green, failed, { type: "settle_started", action: "rollback" }, crash);
  expect(rolling).toMatchObject({ phase: "announce_settle", outcome: { code: "STOP_VERIFY_FAILED_FAST" } });
});

test("nothing is undone once it is settled", () => {
  const settled: TickEvent = { type: "settled", action: "accept", commit: null, branch: null, salvage: null };
  const verified: TickEvent = { type: "verified", code: null, cause: null, runs: [], findings: [] };
  const green = [started, passed, prepared, planned, announced, built, judged("SUCCESS"), verified] as const;
  const state = after(...green, { type: "settle_started", action: "accept" }, settled);
  expect(evolve(state, crash)).toBe(state);
});

test("an answer that is sent back leads to one more session, and what was asked is put back in the end", () => {
  const rejected: TickEvent = {
    type: "plan_rejected",
    cause: "answer_not_json",
    message: "no",
    excerpt: null,
    usage: null,
  };
  const again = after(started, passed, prepared, opened, rejected);
  expect(again).toMatchObject({ phase: "plan", orchestratorCalls: 1, rejection: { message: "no" } });
  const state = evolve(again, opened);
  expect(state).toMatchObject({ phase: "orchestrate", orchestratorCalls: 2 });
  const refused: TickEvent = {
    type: "refused",
    code: "BLOCKED_ORCHESTRATOR_OUTPUT_INVALID",
    cause: "answer_not_json",
    message: null,
  };
  expect(evolve(state, refused)).toMatchObject({ phase: "announce_settle", action: "rollback" });
  expect(evolve(state, crash)).toMatchObject({ phase: "announce_settle", action: "rollback" });
});

/** How a tick ends that was judged and, where it succeeded, checked. */
const end = (code: "STOP_QUESTION" | "SUCCESS"): readonly TickEvent[] => [
  { type: "settle_started", action: code === "SUCCESS" ? "accept" : "rollback" },
  {
    type: "settled",
    action: code === "SUCCESS" ? "accept" : "rollback",
    commit: null,
    branch: null,
    salvage: null,
  },
  { type: "reported", report_sha256: null },
  {
    type: "tick_ended",
    verdict: code === "SUCCESS" ? "success" : "stop",
    code,
    cause: null,
    counted: true,
  },
];

test("only a question can be answered", () => {
  const question: TickEvent = {
    type: "planned",
    task: v.parse(Task, questionTask),
    orchestrator_calls: 1,
  };
  const answered: TickEvent = { type: "answered", text: "yes" };
  const begun = [started, passed, prepared] as const;
  const asking = after(...begun, opened, question, judged("SUCCESS"), ...end("STOP_QUESTION"));
  expect(evolve(asking, answered)).toEqual(asking);
  const green: TickEvent = { type: "verified", code: null, cause: null, runs: [], findings: [] };
  const other = after(...begun, planned, announced, built, judged("SUCCESS"), green, ...end("SUCCESS"));
  expect(() => evolve(other, answered)).toThrow(InvariantError);
});

test("an event out of its phase is a bug", () => {
  expect(() => after(built)).toThrow(InvariantError);
  expect(() => after(started, judged("SUCCESS"))).toThrow(InvariantError);
});

const held: TickEvent = { ...judged("SUCCESS"), touched_paths: ["a.ts"], touched_paths_total: 1 };
const question: TickEvent = { type: "asked", question: "q", until: "2026-02-01T00:00:00.000Z" };
const decided = (
  decision: "accept" | "reject" | "edit" | "none",
  message: string | null = null,
): EventOf<"decided"> => {
  return { type: "decided", question: "q", decision, message };
};
const asking: TickEvent = { ...started, ask: { timeout_seconds: 60 } };

interface Verdicts {
  readonly judge: boolean;
  readonly checks: boolean;
  readonly rollback: boolean;
  readonly asksForPlan?: boolean;
  /** Whether there is a change to decide about, and how a person decides. */
  readonly isHeld?: boolean;
  readonly isAccepted?: boolean;
}

const opened: TickEvent = {
  type: "plan_started",
  driver: "scripted",
  dispatch: "d",
  prompt_bytes: { total: 1 },
  prompt_sha256: {},
};

/** A world that answers each step, with the outcome of the judge and the checks as given. */
function answer(step: Step, verdicts: Verdicts): TickEvent {
  switch (step.phase) {
    case "preflight":
      return passed;
    case "prepare":
      return prepared;
    case "plan":
      return verdicts.asksForPlan === true ? opened : planned;
    case "orchestrate":
      return { ...planned, orchestrator_calls: 1 };
    case "baseline":
      return BASELINED;
    case "announce_build":
      return announced;
    case "build":
      return built;
    case "judge":
      if (verdicts.judge && verdicts.isHeld === true) return held;
      return judged(verdicts.judge ? "SUCCESS" : "STOP_UNSAFE_PATH");
    case "write":
      return { type: "written" };
    case "verify":
      return {
        type: "verified",
        code: verdicts.checks ? null : "STOP_VERIFY_FAILED_FAST",
        cause: null,
        runs: [],
        findings: [],
      };
    case "announce_review":
      return { type: "review_started", driver: "scripted", sessions: [{ reviewer: "risk", dispatch: "d" }] };
    case "review":
      return { type: "reviewed", code: null, cause: null, message: null, reviews: [] };
    case "announce_ask":
      return question;
    case "ask":
      return decided(verdicts.isAccepted === true ? "accept" : "reject");
    case "settle":
      return step.action === "rollback" && !verdicts.rollback
        ? { type: "rollback_failed", message: "no", differences: [] }
        : { type: "settled", action: step.action, commit: null, branch: null, salvage: null };
    case "report":
      return { type: "reported", report_sha256: null };
    default:
      return unreachable(step);
  }
}

test("a tick that crashes anywhere, any number of times, is settled exactly once and as its journal says", async () => {
  const world = fc.record({
    judge: fc.boolean(),
    checks: fc.boolean(),
    rollback: fc.boolean(),
    asksForPlan: fc.boolean(),
    isHeld: fc.boolean(),
    isAccepted: fc.boolean(),
  });
  await fc.assert(
    fc.asyncProperty(world, fc.array(fc.nat(12), { maxLength: 4 }), async (verdicts, crashes) => {
      const journal: TickEvent[] = [verdicts.isHeld ? asking : started];
      for (const survives of crashes) {
        let left = survives;
        const record = async (event: TickEvent) => {
          if (left === 0) throw new InvariantError("power cut");
          left -= 1;
          journal.push(event);
          return [event];
        };
        const perform = async (step: Step): Promise<TickEvent> => answer(step, verdicts);
        const done = await runTick({ perform, record, interruption: () => null }, journal.slice()).catch(() => null);
        if (done !== null) break;
        if (!["report", "end"].includes(journal.reduce(evolve, START).phase)) journal.push(crash);
      }
      const record = async (event: TickEvent) => (journal.push(event), [event]);
      const perform = async (step: Step): Promise<TickEvent> => answer(step, verdicts);
      const state = await runTick({ perform, record, interruption: () => null }, journal.slice());
      expect(journal.filter(({ type }) => type === "settled" || type === "rollback_failed").length).toBeLessThanOrEqual(
        1,
      );
      expect(journal.filter(({ type }) => type === "tick_ended")).toHaveLength(1);
      const code = findOutcome(state)?.code ?? "SUCCESS";
      expect(findSettled(state)?.action === "accept").toBe(code === "SUCCESS");
      expect(CODES[code]).toBeDefined();
    }),
  );
});

test("a signal interrupts what can be interrupted, and never a settlement", async () => {
  for (let at = 0; at < 12; at += 1) {
    const seen: string[] = [];
    let asked = 0;
    const state = await runTick(
      {
        perform: async (step) => answer(step, { judge: true, checks: true, rollback: true }),
        record: async (event) => (seen.push(event.type), [event]),
        interruption: () => (asked++ === at ? crash : null),
      },
      [started],
    );
    expect(state.phase).toBe("done");
    expect(seen.indexOf("interrupted")).toBeLessThan(seen.includes("settled") ? seen.indexOf("settled") : seen.length);
  }
});

/** A tick in which one step throws. */
const runBroken = (broken: Step["phase"]) =>
  runTick(
    {
      perform: async (step) => {
        if (step.phase === broken) throw new Error("disk");
        return answer(step, { judge: false, checks: true, rollback: true });
      },
      record: async (event) => [event],
      interruption: () => null,
    },
    [started],
  );

test("what threw becomes an event: a failed measurement stops, a failed rollback blocks, a failed report changes nothing", async () => {
  expect(findOutcome(await runBroken("judge"))).toMatchObject({
    code: "STOP_INTERRUPTED",
    cause: "judge_failed",
    message: "disk",
  });
  expect(findOutcome(await runBroken("settle"))).toMatchObject({
    code: "BLOCKED_ROLLBACK_FAILED",
    message: "disk",
  });
  expect(findOutcome(await runBroken("report"))).toMatchObject({ code: "STOP_UNSAFE_PATH" });
});

test("there is nothing to decide before a tick begins or after it ended", () => {
  expect(() => findNext(START)).toThrow(InvariantError);
});

test("every event in every phase leads to a state or is refused as a bug, and never to anything else", () => {
  const verified: TickEvent = { type: "verified", code: null, cause: null, runs: [], findings: [] };
  const reviewing: TickEvent = { type: "review_started", driver: "scripted", sessions: [] };
  const reviewed: TickEvent = { type: "reviewed", code: null, cause: null, message: null, reviews: [] };
  const gate = { role: "reviewer", reviewers: ["risk"], quorum: 1 } as const;
  const whole: readonly TickEvent[] = [
    { ...started, review: { ...gate, reviewers: [...gate.reviewers] }, ask: { timeout_seconds: 60 } },
    passed,
    prepared,
    opened,
    { type: "plan_rejected", cause: "x", message: "no", excerpt: null, usage: null },
    { ...planned, orchestrator_calls: 1 },
    { ...announced, driver: "patch" },
    built,
    held,
    { type: "written" },
    verified,
    reviewing,
    { type: "review_answered", reviews: [] },
    reviewed,
    question,
    decided("accept"),
    ...end("SUCCESS"),
    { type: "accepted", commit: "a".repeat(40), branch: "x" },
    { type: "undone" },
    { type: "pruned" },
  ];
  const others: readonly TickEvent[] = [
    crash,
    { type: "refused", code: "STOP_INTERRUPTED", cause: null, message: null },
    { type: "rollback_failed", message: "no", differences: [] },
    { type: "abandoned", message: "given up" },
    decided("edit"),
    decided("reject"),
    decided("none"),
    { type: "answered", text: "yes" },
    { type: "series_resumed" },
  ];
  const path = whole.map((_, at) => after(...whole.slice(0, at)));
  const states = [...path, ...path.slice(1).map((state) => evolve(state, crash))];
  expect(new Set(states.map(({ phase }) => phase)).size).toBe(19);
  const results = states.flatMap((state) => [...whole, ...others].map((event) => tried(state, event)));
  expect(results.filter((result) => !result)).toEqual([]);
});

/** Whether the phase takes the event, or refuses it as it should. */
function tried(state: TickState, event: TickEvent): boolean {
  try {
    const next = evolve(state, event);
    return "facts" in next === "outcome" in next;
  } catch (error) {
    return error instanceof InvariantError;
  }
}
