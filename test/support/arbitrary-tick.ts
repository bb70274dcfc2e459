/** Arbitrary ticks: events within their schema, as hostile as they can be, folded until there is something to report. */
import fc from "fast-check";
import { CODES, type Code } from "../../src/base/codes.ts";
import { TickEvent } from "../../src/records/event.ts";
import { StopCode } from "../../src/records/judgement.ts";
import type { Report } from "../../src/records/report.ts";
import { parseWith } from "../../src/base/schema-error.ts";
import { evolve } from "../../src/tick/pure/evolve.ts";
import { buildReport } from "../../src/tick/pure/build-report.ts";
import { unreachable } from "../../src/base/errors.ts";
import { START, type StateIn, type TickState } from "../../src/tick/pure/tick-state.ts";
import { controlTask, executeTask, questionTask, verifyOnlyTask } from "./tasks.ts";

/** Text that somebody else chose, with everything that a terminal or a renderer could obey. */
export const hostileText: fc.Arbitrary<string> = fc
  .array(
    fc.oneof(
      fc.constantFrom(
        "# heading",
        "\n## heading",
        "\n\n---\n",
        "\n===\n",
        "- item",
        "\n> quote",
        "\n    code",
        "```\n",
        "~~~",
        "`",
        "``",
        "![x](http://x/y.png)",
        "[a](javascript:b)",
        "[a]: http://b",
        "<script>",
        "<!-- ",
        "&lt;b&gt;",
        "| a | b |\n|---|---|",
        "@everyone",
        "https://example.com",
        "\u001b[2J",
        "\u202e",
        "\u200b",
        "\r\n",
        "\t",
        "\ud83c",
        "\\",
        "**b**",
        "日本語",
        "e\u0301",
        "🎉",
        " ",
      ),
      fc.string({ unit: "binary", maxLength: 12 }),
      fc.string({ maxLength: 12 }),
    ),
    { maxLength: 8 },
  )
  .map((parts) => parts.join(""));

/** Sometimes as long as it may be, sometimes cut in the middle of a character. */
const upTo = (max: number, min = 0): fc.Arbitrary<string> =>
  fc
    .tuple(hostileText, fc.constantFrom(1, 1, 1, 300))
    .map(([text, times]) => text.repeat(times).slice(0, max).padEnd(min, "x"));
const text = upTo(400, 1);
const longText = upTo(4000);
const unbounded = upTo(9000);
const orNull = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: null });

const count = fc.oneof(fc.nat({ max: 9 }), fc.nat());
const commit = fc.constantFrom("a".repeat(40), "b".repeat(64));
const sha256 = fc.constant("c".repeat(64));
const stopCode = fc.constantFrom(...StopCode.options);
const anyCode = fc.constantFrom(...Object.keys(CODES).filter((code): code is Code => code in CODES));

/** A few things, or far more than a report may list. */
const many = <T>(arbitrary: fc.Arbitrary<T>): fc.Arbitrary<T[]> =>
  fc
    .tuple(fc.array(arbitrary, { maxLength: 3 }), fc.constantFrom(1, 1, 1, 300))
    .map(([list, times]) => Array.from({ length: times }, () => list).flat());

const finding = fc.record({
  gate: fc.oneof(fc.constant("allowed-scope"), unbounded),
  code: stopCode,
  subject: unbounded,
  rule: unbounded,
  glob: orNull(unbounded),
});

const run = fc.record(
  {
    template_id: upTo(64, 1),
    phase: fc.constantFrom("fast", "slow"),
    cmd: text,
    args: fc.array(upTo(200), { maxLength: 4 }),
    exit_code: fc.integer({ min: -1, max: 255 }),
    duration_ms: count,
    timed_out: fc.boolean(),
    last_lines: fc.array(upTo(200, 1), { maxLength: 8 }),
  },
  {
    requiredKeys: ["template_id", "phase", "cmd", "args", "exit_code", "duration_ms", "timed_out"],
  },
);

const task = fc
  .record({ intent: upTo(1200, 1), prompt: upTo(2000, 1), choice: upTo(200, 1) })
  .chain((words) =>
    fc.constantFrom(
      { ...executeTask, intent: words.intent, task_id: words.intent.slice(0, 80) },
      { ...executeTask, verification: { fast: [], slow: [] } },
      { ...verifyOnlyTask, intent: words.intent },
      { ...questionTask, question: { prompt: words.prompt, choices: [words.choice, "b"] } },
      questionTask,
      controlTask,
    ),
  );

const usage = fc.record({
  input_tokens: orNull(count),
  cached_input_tokens: orNull(count),
  output_tokens: orNull(count),
  cost_usd: orNull(fc.double({ min: 0, max: 1e6, noNaN: true })),
});

const review = fc.record({
  name: fc.constantFrom("risk", "completion"),
  vote: fc.constantFrom("approve", "refuse", "none"),
  cause: orNull(text),
  decision: orNull(fc.constant({ decision: "approve" })),
  explanation: upTo(1200),
  reasons: fc.array(upTo(400), { maxLength: 20 }),
  wrote: fc.array(unbounded, { maxLength: 20 }),
  duration_ms: count,
  usage: orNull(usage),
});

const eventOf = <T extends TickEvent["type"], U extends object>(type: T, fields: fc.Arbitrary<U>) =>
  fields.map((rest) => ({ type, ...rest }));

const events = {
  tick_started: eventOf(
    "tick_started",
    fc.record({
      workflow: fc.constantFrom("relay", "tree", "goal", "campaign"),
      relais_version: text,
      config_sha256: orNull(sha256),
      worktree: text,
      git_prefix: text,
      on_success: fc.constantFrom("accept", "commit"),
      max_tick_seconds: count,
      baseline: fc.constant(true),
      ask: fc.record({ timeout_seconds: fc.constant(60) }),
      on_failure: fc.constantFrom("rollback", "commit"),
      review: fc.record({
        role: fc.constantFrom("reviewer", "verifier"),
        reviewers: fc.constant(["risk", "completion"]),
        quorum: fc.constantFrom(1, 2),
      }),
    }),
  ),
  review_started: eventOf(
    "review_started",
    fc.record({
      driver: fc.constantFrom("command", "scripted"),
      sessions: fc.constant([{ reviewer: "risk", dispatch: "d" }]),
    }),
  ),
  reviewed: eventOf(
    "reviewed",
    fc.record({
      code: fc.constantFrom(null, "STOP_REVIEW_REFUSED", "STOP_RATE_LIMITED"),
      cause: orNull(text),
      message: orNull(longText),
      reviews: fc.array(review, { maxLength: 12 }),
    }),
  ),
  refused: eventOf("refused", fc.record({ code: anyCode, cause: orNull(text), message: orNull(longText) })),
  preflight_passed: eventOf("preflight_passed", fc.record({ base_commit: commit, head: text, warnings: many(text) })),
  prepared: eventOf(
    "prepared",
    fc.record({ isolation: fc.constantFrom("in_place", "overlay", "clone"), observation_sha256: sha256 }),
  ),
  plan_started: eventOf(
    "plan_started",
    fc.record({
      driver: fc.constantFrom("claude_code", "codex", "command", "scripted"),
      dispatch: text,
      prompt_bytes: fc.record({ system: count, goal: count, total: count }),
      prompt_sha256: fc.record({ "orchestrator.user.txt": sha256 }),
    }),
  ),
  plan_rejected: eventOf(
    "plan_rejected",
    fc.record({ cause: text, message: longText, excerpt: orNull(longText), usage: orNull(usage) }),
  ),
  planned: eventOf("planned", fc.record({ task, orchestrator_calls: count })),
  build_started: eventOf(
    "build_started",
    fc.record({
      driver: fc.constantFrom("claude_code", "codex", "command", "patch", "scripted"),
      sandbox: fc.constantFrom("none", "bubblewrap", "seatbelt"),
      dispatch: text,
    }),
  ),
  build_ended: eventOf(
    "build_ended",
    fc.record({
      failure: orNull(fc.record({ code: fc.constant("STOP_BUILDER_TIMEOUT"), cause: unbounded })),
      builder_output_valid: orNull(fc.boolean()),
      summary: orNull(longText),
      duration_ms: count,
      usage: orNull(usage),
    }),
  ),
  baselined: eventOf(
    "baselined",
    fc.record({
      commit,
      checks_sha256: sha256,
      runs: many(run),
      code: fc.constantFrom(null, null, "BLOCKED_BASELINE_RED"),
      message: orNull(longText),
    }),
  ),
  judged: eventOf(
    "judged",
    fc.record({
      code: fc.oneof(fc.constant("SUCCESS"), stopCode),
      cause: orNull(text),
      evidence_sha256: sha256,
      blast_radius: fc.record(
        {
          files_touched: count,
          lines_added: count,
          lines_deleted: count,
          new_files: count,
          largest: fc.record({ path: unbounded, lines_added: count, lines_deleted: count }),
        },
        { requiredKeys: ["files_touched", "lines_added", "lines_deleted", "new_files"] },
      ),
      findings: many(finding),
      findings_total: count,
      notes: many(unbounded),
      touched_paths: many(unbounded),
      touched_paths_total: count,
    }),
  ),
  verified: eventOf(
    "verified",
    fc.record({ code: orNull(stopCode), cause: orNull(text), runs: many(run), findings: many(finding) }),
  ),
  decided: eventOf(
    "decided",
    fc.record({ decision: fc.constantFrom("accept", "reject", "none"), message: orNull(longText) }),
  ),
  rollback_failed: eventOf("rollback_failed", fc.record({ message: longText, differences: many(unbounded) })),
  interrupted: eventOf(
    "interrupted",
    fc.record({
      code: fc.constantFrom("STOP_INTERRUPTED", "STOP_TICK_TIMEOUT"),
      cause: text,
      message: orNull(longText),
    }),
  ),
} as const;

const course = fc.record({
  ...events,
  refusedAt: fc.constantFrom(null, null, null, "preflight", "plan", "orchestrate"),
  /** How often an orchestrator is asked; never where a task is handed over. */
  plans: fc.nat({ max: 2 }),
  rollbackFails: fc.boolean(),
  interruptedAt: orNull(fc.nat({ max: 12 })),
  salvage: orNull(fc.constant("20260131T235959Z-0123abcd")),
  branch: orNull(unbounded),
  commit: orNull(commit),
});
type Course = typeof course extends fc.Arbitrary<infer C> ? C : never;

/** What happens next on this course; undefined where only a report is left. */
function nextEvent(state: TickState, tick: Course): unknown {
  const isRefused = tick.refusedAt === state.phase;
  switch (state.phase) {
    case "start":
      return tick.tick_started;
    case "preflight":
      return isRefused ? tick.refused : tick.preflight_passed;
    case "prepare":
      return tick.prepared;
    case "plan":
      if (isRefused) return tick.refused;
      return state.orchestratorCalls < tick.plans ? tick.plan_started : tick.planned;
    case "orchestrate":
      if (isRefused) return tick.refused;
      return state.orchestratorCalls < tick.plans ? tick.plan_rejected : tick.planned;
    case "baseline":
      return tick.baselined;
    case "announce_build":
      return tick.build_started;
    case "build":
      return tick.build_ended;
    case "judge":
      return tick.judged;
    case "write":
      return { type: "written" };
    case "verify":
      return tick.verified;
    case "announce_review":
      return tick.review_started;
    case "review":
      return tick.reviewed;
    case "announce_ask":
      return { type: "asked", question: "q", until: "2026-02-01T00:00:00.000Z" };
    case "ask":
      return { ...tick.decided, question: state.asked.question };
    case "announce_settle":
      return { type: "settle_started", action: state.action };
    case "settle": {
      if (state.action === "rollback" && tick.rollbackFails) return tick.rollback_failed;
      const { commit: made, branch, salvage } = tick;
      return { type: "settled", action: state.action, commit: made, branch, salvage };
    }
    case "report":
    case "end":
    case "done":
      return undefined;
    default:
      return unreachable(state);
  }
}

/** Folds a course; an event that breaks its own schema is a mistake of this file. */
function fold(tick: Course): StateIn<"report"> {
  let state = START;
  for (let step = 0; ; step += 1) {
    const isInterrupted = step > 0 && step === tick.interruptedAt;
    if (state.phase === "report") return state;
    const event = isInterrupted ? tick.interrupted : nextEvent(state, tick);
    const parsed = parseWith(TickEvent, event);
    if (parsed.kind === "invalid") throw new Error(parsed.problems.map(({ message }) => message).join("; "));
    state = evolve(state, parsed.value);
  }
}

/** The state of a tick that is about to be reported. */
export const arbitraryTick: fc.Arbitrary<StateIn<"report">> = course.map(fold);

/** What `buildReport` needs besides the state. */
const surroundings = fc.record({
  runId: fc.constant("20260131T235959Z-0123abcd"),
  seriesId: fc.constant("20260131T235959Z-89abcdef"),
  startedAt: fc.constant("2026-01-31T23:59:59.000Z"),
  endedAt: fc.constant("2026-02-01T00:00:11.500Z"),
  durationMs: count,
  budgets: fc.record({
    milestone_id: orNull(upTo(80, 1)),
    ticks: count,
    orchestrator_calls: count,
    builder_calls: count,
    verify_runs: count,
    reviewer_calls: count,
    estimated_cost_usd: fc.double({ min: 0, max: 1e6, noNaN: true }),
    warnings: many(unbounded),
  }),
  paths: fc.record({
    historyDir: orNull(upTo(500)),
    diffPatch: orNull(upTo(500)),
    verifyLog: orNull(upTo(500)),
    reportMd: orNull(upTo(500)),
  }),
});

export const arbitraryReport: fc.Arbitrary<Report> = fc
  .tuple(arbitraryTick, surroundings)
  .map(([state, around]) => buildReport({ ...around, state }));
