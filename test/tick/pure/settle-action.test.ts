import fc from "fast-check";
import * as v from "valibot";
import { expect, test } from "vitest";
import type { Code } from "../../../src/base/codes.ts";
import type { TickEvent } from "../../../src/records/event.ts";
import { unreachable } from "../../../src/base/errors.ts";
import { Task } from "../../../src/records/task.ts";
import type { Step } from "../../../src/tick/pure/find-next.ts";
import { evolve } from "../../../src/tick/pure/evolve.ts";
import { settleAction } from "../../../src/tick/pure/settle-action.ts";
import { findOutcome, findSettled } from "../../../src/tick/pure/tick-facts.ts";
import { START, type TickState } from "../../../src/tick/pure/tick-state.ts";
import { runTick } from "../../../src/tick/tick.ts";
import { executeTask, verifyOnlyTask } from "../../support/tasks.ts";
import { runs } from "../../support/runs.ts";
import { BASELINED } from "../../support/baselined.ts";

type Started = Extract<TickEvent, { type: "tick_started" }>;
type EventOf<T extends TickEvent["type"]> = Extract<TickEvent, { type: T }>;

const GATE: NonNullable<Started["review"]> = {
  role: "reviewer",
  reviewers: ["risk"],
  quorum: 1,
};

function started(policy: Partial<Pick<Started, "on_success" | "on_failure" | "review">>): Started {
  return {
    type: "tick_started",
    workflow: "tree",
    relais_version: "0",
    config_sha256: null,
    worktree: "/repo",
    git_prefix: "",
    on_success: "commit",
    max_tick_seconds: 900,
    ...policy,
  };
}

const judged = (code: EventOf<"judged">["code"]): EventOf<"judged"> => ({
  type: "judged",
  code,
  cause: null,
  evidence_sha256: "c".repeat(64),
  blast_radius: { files_touched: 1, lines_added: 1, lines_deleted: 0, new_files: 0 },
  findings: [],
  findings_total: 0,
  notes: [],
  touched_paths: [],
  touched_paths_total: 0,
});
const verified = (code: EventOf<"verified">["code"]): EventOf<"verified"> => ({
  type: "verified",
  code,
  cause: null,
  runs: [],
  findings: [],
});
const reviewed = (code: EventOf<"reviewed">["code"]): EventOf<"reviewed"> => ({
  type: "reviewed",
  code,
  cause: null,
  message: null,
  reviews: [],
});

interface World {
  readonly policy: Started;
  readonly judge: EventOf<"judged">["code"];
  readonly checks: EventOf<"verified">["code"];
  readonly review: EventOf<"reviewed">["code"];
}

const BUILD_STARTED = {
  type: "build_started",
  driver: "scripted",
  sandbox: "none",
  dispatch: "d",
} as const satisfies TickEvent;
const BUILD_ENDED: TickEvent = {
  type: "build_ended",
  failure: null,
  builder_output_valid: true,
  summary: null,
  duration_ms: 1,
  usage: null,
};
const REVIEW_STARTED: TickEvent = {
  type: "review_started",
  driver: "scripted",
  sessions: [{ reviewer: "risk", dispatch: "d" }],
};

const PREFLIGHT_PASSED: TickEvent = {
  type: "preflight_passed",
  base_commit: "a".repeat(40),
  head: "ref: refs/heads/x",
  warnings: [],
};
const PREPARED: TickEvent = { type: "prepared", isolation: "in_place", observation_sha256: "b".repeat(64) };

/** A world without surprises. */
function answer(step: Step, world: World): TickEvent {
  switch (step.phase) {
    case "preflight":
      return PREFLIGHT_PASSED;
    case "prepare":
      return PREPARED;
    case "plan":
      return { type: "planned", task: v.parse(Task, executeTask), orchestrator_calls: 0 };
    case "orchestrate":
      return { type: "refused", code: "STOP_INTERRUPTED", cause: null, message: null };
    case "baseline":
      return BASELINED;
    case "announce_build":
      return BUILD_STARTED;
    case "build":
      return BUILD_ENDED;
    case "judge":
      return judged(world.judge);
    case "write":
      return { type: "written" };
    case "verify":
      return verified(world.checks);
    case "announce_review":
      return REVIEW_STARTED;
    case "review":
      return reviewed(world.review);
    case "announce_ask":
      return { type: "asked", question: "q", until: "2026-02-01T00:00:00.000Z" };
    case "ask":
      return { type: "decided", question: "q", decision: "accept", message: null };
    case "settle":
      return { type: "settled", action: step.action, commit: null, branch: null, salvage: null };
    case "report":
      return { type: "reported", report_sha256: null };
    default:
      return unreachable(step);
  }
}

const RED = ["STOP_VERIFY_FAILED_FAST", "STOP_VERIFY_FAILED_SLOW", "STOP_GUARD_FAILED"] as const;

/** Some of the worlds that matter are rare. */
const RUNS = runs(2000);

const arbitraryWorld: fc.Arbitrary<World> = fc.record({
  policy: fc
    .record({
      on_success: fc.constantFrom("accept", "commit"),
      on_failure: fc.constantFrom("rollback", "commit"),
      review: fc.constant(GATE),
      isReviewed: fc.boolean(),
    })
    .map(({ isReviewed, review, ...rest }) => started(isReviewed ? { ...rest, review } : rest)),
  judge: fc.constantFrom("SUCCESS", "SUCCESS", "STOP_SCOPE_VIOLATION_FORBIDDEN", "STOP_HEAD_MOVED"),
  checks: fc.constantFrom(null, null, ...RED, "STOP_VERIFY_SIDE_EFFECTS"),
  review: fc.constantFrom(null, "STOP_REVIEW_REFUSED", "STOP_RATE_LIMITED"),
});

async function play(world: World, interruptedAt: number | null): Promise<{ state: TickState; seen: string[] }> {
  const seen: string[] = [];
  let asked = 0;
  const interrupted: TickEvent = {
    type: "interrupted",
    code: "STOP_INTERRUPTED",
    cause: "sigint",
    message: null,
  };
  const state = await runTick(
    {
      perform: async (step) => answer(step, world),
      record: async (event) => (seen.push(event.type), [event]),
      interruption: () => (asked++ === interruptedAt ? interrupted : null),
    },
    [world.policy],
  );
  return { state, seen };
}

test("whatever the policy: nothing against the rules, and no tick that was cut short, is ever kept", async () => {
  await fc.assert(
    fc.asyncProperty(arbitraryWorld, fc.option(fc.nat(12)), async (world, interruptedAt) => {
      const { state, seen } = await play(world, interruptedAt);
      if ((findSettled(state)?.action ?? "rollback") === "rollback") return;
      expect(world.judge).toBe("SUCCESS");
      expect(world.checks).not.toBe("STOP_VERIFY_SIDE_EFFECTS");
      expect(seen).not.toContain("interrupted");
    }),
    RUNS,
  );
});

test("whatever the policy: a tick with a red check or without the approval that it needs is no success", async () => {
  await fc.assert(
    fc.asyncProperty(arbitraryWorld, async (world) => {
      const { state, seen } = await play(world, null);
      const isGreen = world.judge === "SUCCESS" && world.checks === null;
      const isApproved = world.policy.review === undefined || world.review === null;
      const code = findOutcome(state)?.code;
      expect(code === "SUCCESS").toBe(isGreen && isApproved);
      expect(findSettled(state)?.action === "accept" && code !== "SUCCESS").toBe(false);
      expect(seen.includes("reviewed")).toBe(isAsked(world));
    }),
    RUNS,
  );
});

/** Whether the reviewers are to be heard in this world. */
function isAsked({ policy: { review }, judge, checks }: World): boolean {
  return review !== undefined && judge === "SUCCESS" && checks === null;
}

const base = { judged: judged("SUCCESS") };

test.each<[Code, "accept" | "commit" | "rollback"]>([
  ["SUCCESS", "commit"],
  ["STOP_VERIFY_FAILED_FAST", "commit"],
  ["STOP_VERIFY_FAILED_SLOW", "commit"],
  ["STOP_GUARD_FAILED", "commit"],
  ["STOP_REVIEW_REFUSED", "commit"],
  ["STOP_VERIFY_SIDE_EFFECTS", "rollback"],
  ["STOP_RATE_LIMITED", "rollback"],
  ["STOP_INTERRUPTED", "rollback"],
  ["STOP_TICK_TIMEOUT", "rollback"],
  ["STOP_SCOPE_VIOLATION_FORBIDDEN", "rollback"],
])("where attempts are kept, %s is settled by a %s", (code, action) => {
  expect(settleAction({ ...base, started: started({ on_failure: "commit" }) }, code)).toBe(action);
  const otherwise = code === "SUCCESS" ? "commit" : "rollback";
  expect(settleAction({ ...base, started: started({}) }, code)).toBe(otherwise);
});

test("a failure is not committed without a judge who let the change pass", () => {
  const policy = started({ on_failure: "commit" });
  const refused = { type: "refused", code: "STOP_VERIFY_FAILED_FAST", cause: null, message: null } as const;
  expect(begun(policy, executeTask, refused)).toMatchObject({ action: "rollback" });
  const stopped = { started: policy, judged: judged("STOP_HEAD_MOVED") };
  expect(settleAction(stopped, "STOP_REVIEW_REFUSED")).toBe("rollback");
});

/** A tick whose builder is at work, and what comes then. */
const begun = (policy: Started, task: object, ...events: readonly TickEvent[]): TickState =>
  [
    policy,
    PREFLIGHT_PASSED,
    PREPARED,
    { type: "planned", task: v.parse(Task, task), orchestrator_calls: 0 } as const,
    BUILD_STARTED,
    ...events,
  ].reduce(evolve, START);
const until = (policy: Started, task: object, ...events: readonly TickEvent[]): TickState =>
  begun(policy, task, BUILD_ENDED, ...events);

test("nobody reviews a change while a check is red", () => {
  const policy = started({ on_failure: "commit", review: GATE });
  for (const code of RED)
    expect(until(policy, executeTask, judged("SUCCESS"), verified(code))).toMatchObject({
      phase: "announce_settle",
      action: "commit",
      outcome: { code },
    });
});

test("a task that changes nothing has nothing to review", () => {
  const policy = started({ review: GATE });
  const plan = { ...verifyOnlyTask, builder: executeTask.builder };
  expect(until(policy, plan, judged("SUCCESS"), verified(null)).phase).toBe("announce_settle");
});
