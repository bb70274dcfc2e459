import { expect, test } from "vitest";
import { Config } from "../../src/config/config.ts";
import { parseWith } from "../../src/base/schema-error.ts";
import { colouredStyle, plainStyle } from "../../src/base/style.ts";
import { renderStatus } from "../../src/cards/status-text.ts";
import type { Status } from "../../src/records/status-answers.ts";
import { RUN } from "../support/ticks.ts";

const canvas = { style: plainStyle, columns: 90 };
const parsed = parseWith(Config, {});
if (parsed.kind === "invalid") throw new Error("the defaults are not a configuration");
const caps = {
  ...parsed.value.budgets.per_milestone,
  max_ticks: 200,
  max_orchestrator_calls: 260,
  max_builder_calls: 200,
  max_verify_runs: 600,
  max_reviewer_calls: 600,
};
const used = {
  ticks: 1,
  orchestrator_calls: 0,
  builder_calls: 170,
  verify_runs: 600,
  reviewer_calls: 0,
  estimated_cost_usd: 1.5,
};

const quiet: Status = {
  kind: "status",
  repository: "/home/me/project",
  branch: "topic",
  config: { kind: "usable" },
  damagedLock: null,
  missingLines: 0,
  lost: null,
  running: null,
  unfinished: null,
  notPutBack: null,
  lastTick: {
    runId: RUN,
    verdict: "success",
    code: "SUCCESS",
    intent: "Set x to 2.",
    secondsAgo: 300,
    commit: null,
    isUndone: false,
  },
  openSeries: [],
  question: null,
  accepted: null,
  budgets: { milestoneId: "M-1", used, caps, warnAtFraction: 0.8 },
  planTrouble: null,
  preflight: null,
};
const asked = {
  run_id: RUN,
  asked_at: "2026-01-31T23:59:59.000Z",
  prompt: "Which name?\u001b[2J",
  choices: ["old", "new"],
  answer: null,
};
const show = (overrides: Partial<Status>) => renderStatus({ ...quiet, ...overrides }, canvas);
const next = (overrides: Partial<Status>) => show(overrides).split("\nNext:\n")[1];

test("all is well", () => {
  expect(show({})).toMatchInlineSnapshot(`
    "✓ Last run succeeded.

      repository /home/me/project
      branch     topic
      last tick  ✓ SUCCESS, 5 min ago
                 20260131T235959Z-0123abcd: Set x to 2.
      milestone  M-1
      budget     ░░░░░░░░░░ 1 of 200 ticks
                 ░░░░░░░░░░ 0 of 260 plans
                 ████████▌░ 170 of 200 builds
                 ██████████ 600 of 600 checks
                 ░░░░░░░░░░ 0 of 600 reviews
      cost       $1.50 reported

    Next:
      relais run  plan and run one tick
    "
  `);
});

test("an accepted change, an open question and the outcome of the preflight are told", () => {
  const preflight = {
    kind: "blocked",
    code: "BLOCKED_DIRTY_WORKTREE",
    cause: "dirty",
    message: "src/a.ts is not committed.",
  } as const;
  const accepted = { runId: RUN, files: 2, newFiles: 0 };
  expect(show({ accepted, question: asked, preflight, budgets: null })).toMatchInlineSnapshot(`
    "? A question waits for your answer.

      repository /home/me/project
      branch     topic
      last tick  ✓ SUCCESS, 5 min ago
                 20260131T235959Z-0123abcd: Set x to 2.
      question   ? 20260131T235959Z-0123abcd waits for your answer
                 │ Which name?\\u{1b}[2J
                 │ 1. old
                 │ 2. new
      accepted   ✓ 2 files of 20260131T235959Z-0123abcd, not committed
      preflight  ✗ BLOCKED_DIRTY_WORKTREE: The working tree has uncommitted changes.
                 src/a.ts is not committed.
                 Commit them, or \`git stash -u\`; \`relais run "..." --dirty\` begins with them.

    Next:
      relais answer "..."  answer the question
    "
  `);
});

test("the preflight says what its cause means, and what to do about it", () => {
  const preflight = {
    kind: "blocked",
    code: "BLOCKED_MISSING_CONFIG",
    cause: "branch_in_the_way",
    message: "There is a branch relais.",
  } as const;
  const text = show({ preflight });
  expect(text).toMatch(/BLOCKED_MISSING_CONFIG: Git cannot create the branch for the commits/);
  expect(text).toMatch(/Rename the conflicting branch/);
  expect(show({ preflight: { ...preflight, remedy: "Do this." } })).toMatch(/^ +Do this\.$/m);
});

test("a tick that was cut short comes first", () => {
  const unfinished = { runId: RUN, phase: "announce_build", secondsAgo: 7200 } as const;
  expect(show({ unfinished, question: asked, budgets: null, lastTick: null })).toMatchInlineSnapshot(`
    "✗ A tick was interrupted; recover it first.

      repository /home/me/project
      branch     topic
      unfinished ✗ 20260131T235959Z-0123abcd was interrupted in build, 2 h ago
      last tick  none yet
      question   ? 20260131T235959Z-0123abcd waits for your answer
                 │ Which name?\\u{1b}[2J
                 │ 1. old
                 │ 2. new

    Next:
      relais recover  restore the repository, save the work
    "
  `);
});

test("a rollback that failed is told with what is still different", () => {
  const differences = ["a\u001b[2J", "b", "c", "d", "e", "f", "g"];
  const failed = show({ notPutBack: { runId: RUN, secondsAgo: 60, differences }, budgets: null });
  expect(failed).toMatch(/^ {2}rollback {3}✗ 20260131T235959Z-0123abcd could not be reverted, 1 min ago; /m);
  expect(failed).toContain("still different: a\\u{1b}[2J\n");
  expect(failed).toContain("still different: e\n             and 2 more\n");
  const steps = next({ notPutBack: { runId: RUN, secondsAgo: 60, differences: [] }, question: asked });
  expect(steps).toMatch(/^ {2}relais recover .*\n {2}relais salvage list .*\n {2}relais history show /);
  expect(steps).not.toContain("relais run");
});

test("the next command is the one that matters most", () => {
  const unfinished = { runId: RUN, phase: "build", secondsAgo: 1 } as const;
  const running = { runId: RUN, pid: 4711, secondsAgo: 61, waitsUntil: null };
  const accepted = { runId: RUN, files: 1, newFiles: 1 };
  const missing = { kind: "missing" } as const;
  const unusable = {
    kind: "unusable",
    message: "relais.config.json is not valid.",
    problems: ["x"],
  } as const;
  expect(next({ config: missing, planTrouble: "GOAL.md is empty." })).toMatch(/^ {2}relais run "say what to change" /);
  expect(next({ config: missing, question: asked })).toMatch(/^ {2}relais answer "\.\.\." /);
  expect(next({ config: unusable, question: asked })).toMatch(/^ {2}relais doctor /);
  // Putting things back needs no configuration.
  expect(next({ config: missing, unfinished })).toMatch(/^ {2}relais recover /);
  expect(show({ config: unusable })).toMatch(/^ {2}config {5}✗ relais\.config\.json is not valid\. x$/m);
  expect(next({ running, unfinished })).toMatch(/^ {2}relais status --watch /);
  expect(next({ unfinished, question: asked, accepted })).toMatch(/^ {2}relais recover /);
  expect(next({ question: asked, accepted })).toMatch(/^ {2}relais answer "\.\.\." /);
  expect(next({ question: { ...asked, answer: "new" }, accepted })).toMatch(/relais diff[\s\S]*accept[\s\S]*undo/);
  expect(next({})).toMatch(/^ {2}relais run {2}plan and run one tick/);
  const lastTick = { runId: RUN, intent: null, secondsAgo: 0, commit: null, isUndone: false };
  expect(next({ lastTick: { ...lastTick, verdict: "stop", code: "STOP_UNSAFE_PATH" } })).toMatch(
    new RegExp(`^ {2}relais history show ${RUN} `),
  );
});

const blocked = (code: "BLOCKED_DIRTY_WORKTREE" | "BLOCKED_MISSING_CONFIG") =>
  next({ preflight: { kind: "blocked", code, cause: "x", message: "x" } });

test("what keeps a tick from beginning is what to see to", () => {
  expect(blocked("BLOCKED_DIRTY_WORKTREE")).toMatch(/^ {2}git stash -u /);
  expect(blocked("BLOCKED_MISSING_CONFIG")).toMatch(/^ {2}relais doctor .*\n$/);
});

test("where nobody can plan, that is said and a sentence is asked for", () => {
  const planTrouble = "The program nosuch\u001b was not found; only planning needs it.";
  const text = show({ planTrouble, budgets: null });
  expect(text).toMatch(/^ {2}planning {3}! The program nosuch\\u\{1b\} was not found; only planning/m);
  expect(next({ planTrouble })).toMatch(/^ {2}relais run "say what to change" /);
});

test("what became of the last change is told", () => {
  const last = { runId: RUN, verdict: "success", code: "SUCCESS", intent: null, secondsAgo: 0 } as const;
  const commit = "0123456789abcdef0123";
  expect(show({ lastTick: { ...last, commit, isUndone: false } })).toContain("committed as 0123456789ab\n");
  const undone = show({ lastTick: { ...last, commit, isUndone: true } });
  expect(undone).toContain("undone\n");
  expect(undone).not.toContain("committed");
});

const barOf = (ticks: number, cap: number) => {
  const budgets = {
    milestoneId: null,
    used: { ...used, ticks },
    caps: { ...caps, max_ticks: cap },
    warnAtFraction: 0.8,
  };
  return /[█▉▊▋▌▍▎▏░]+/.exec(show({ budgets }))?.[0];
};

test.each([
  [0, 200, "░░░░░░░░░░"],
  [1, 200, "░░░░░░░░░░"],
  [10, 200, "▌░░░░░░░░░"],
  [100, 200, "█████░░░░░"],
  [199, 200, "█████████▉"],
  [200, 200, "██████████"],
  [300, 200, "██████████"],
  [0, 0, "██████████"],
])("%i of %i is %s", (ticks, cap, bar) => {
  expect(barOf(ticks, cap)).toBe(bar);
});

test("names of others are harmless, and colour follows what is left", () => {
  const text = renderStatus(
    { ...quiet, branch: "evil\u001b[31m", repository: "/x\n/y", budgets: quiet.budgets },
    { style: colouredStyle, columns: 90 },
  );
  expect(text).toContain("evil\\u{1b}[31m");
  expect(text).toContain("/x\\u{a}/y");
  expect(text).toContain("\u001b[31m██████████\u001b[39m 600 of 600 checks");
  expect(text).toContain("\u001b[1m████████▌░\u001b[22m 170 of 200 builds");
  expect(text).toContain("\u001b[32m░░░░░░░░░░\u001b[39m 1 of 200 ticks");
});

const SERIES: Status["openSeries"][number] = {
  seriesId: RUN,
  runId: RUN,
  options: { command: "loop", mode: "milestone", max_ticks: null },
  branch: null,
  commit: null,
  end: "interrupted",
};

test("a series that is not over is named, with how to go on and how to begin another", () => {
  expect(show({ openSeries: [SERIES] })).toContain(`\n  series     … ${RUN} of \`relais loop\` was interrupted\n`);
  expect(next({ openSeries: [SERIES] })).toBe(
    "  relais loop        continue the series\n  relais loop --new  start a new one\n",
  );
  const killed = { ...SERIES, end: null, branch: "relais/x\u001b" };
  const options = { ...SERIES.options, mode: "autonomous" } as const;
  expect(show({ openSeries: [{ ...killed, options }] })).toMatch(
    /`relais loop --mode autonomous` was killed;\n {15}its commits are on relais\/x\S+\n/,
  );
  expect(next({ openSeries: [{ ...killed, options, branch: "topic" }] })).toMatch(
    /^ {2}relais loop --mode autonomous +continue.*\n {2}relais loop --mode autonomous --new +start/,
  );
  expect(next({ openSeries: [killed] })).toMatch(
    /^ {2}git switch relais\/x\S+ +the branch of its commits\n {2}relais loop /,
  );
});

test("each command has its own way to go on, and the newest is offered", () => {
  const tree = { ...SERIES, options: { ...SERIES.options, command: "tree", mode: null } };
  const goal = { ...SERIES, options: { ...SERIES.options, command: "goal", mode: null } };
  expect(next({ openSeries: [goal, tree] })).toMatch(
    /^ {2}relais tree run +continue.*\n {2}relais tree run --new +start/,
  );
  expect(next({ openSeries: [tree, goal] })).toMatch(
    /^ {2}relais goal resume +continue.*\n {2}relais goal "\.\.\." +start/,
  );
});

test("an answer comes before going on, and a tick that was cut short before both", () => {
  const openSeries = [{ ...SERIES, end: "needs_human" }] as const;
  expect(show({ question: asked, openSeries })).toContain("needs your answer");
  expect(next({ question: asked, openSeries })).toMatch(/^ {2}relais answer .*\n {2}relais loop +continue/);
  const unfinished = { runId: RUN, phase: "build", secondsAgo: 1 } as const;
  expect(next({ unfinished, openSeries })).toMatch(/^ {2}relais recover .*\n {2}relais loop +continue/);
});

test("a relais that waits for a rate limit says until when", () => {
  const running = { runId: RUN, pid: 7, secondsAgo: 0, waitsUntil: "2026-02-01T00:00:00.000Z" };
  expect(show({ running }).replaceAll(/\n +/g, " ")).toContain(
    "started just now; waiting for a rate limit until 2026-02-01T00:00:00.000Z",
  );
});

test("a budget that is nearly spent is announced", () => {
  const budgets = { milestoneId: null, used, caps, warnAtFraction: 0.8 };
  const warnings = ["max_ticks of this milestone: 160 of 200 used."];
  expect(show({ budgets: { ...budgets, warnings } })).toContain("! max_ticks of this milestone: 160 of 200 used.");
  expect(show({ budgets })).not.toContain("near a cap");
});
