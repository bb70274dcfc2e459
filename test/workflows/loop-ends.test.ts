/** Every way in which `relais loop` can end by itself, through the executable. */
import { describe, expect, test } from "vitest";
import { SERIES_ENDS, type SeriesEnd } from "../../src/base/codes.ts";
import { partOf } from "../support/part-of.ts";
import { inTurn } from "../support/scenario.ts";
import { QUESTION } from "../support/planning.ts";
import { laidOver } from "../support/scenario-documents.ts";
import {
  checkAfterSeries,
  control,
  goodStep,
  inLoopWorld,
  type LoopRan,
  type LoopWorld,
  readLoop,
  RED,
  stepOf,
  STOP,
} from "../support/loop-world.ts";
import { node } from "../support/tree-node.ts";
import { treeWorld } from "../support/tree-world.ts";

interface Ending {
  readonly shows: string;
  readonly plans: readonly (object | string)[];
  readonly config?: object;
  readonly files?: Readonly<Record<string, string>>;
  readonly branch?: string;
  readonly ownProcess?: boolean;
  readonly args?: readonly string[];
  readonly end: SeriesEnd;
  readonly reason: string;
  readonly exit?: number;
  readonly codes: readonly string[];
  /** How many commits the series made. */
  readonly commits?: number;
  readonly after?: (world: LoopWorld, ran: LoopRan) => void;
}

const CONTINUE = { loop: { on_stop: "continue" } };
const per = (name: "per_milestone" | "per_run", caps: object) => ({ budgets: { [name]: caps } });
const milestone = (id: string) => ({ milestone_id: id });
const red = (): object => stepOf([RED]);
const outside = (): object => stepOf([{ do: "append", path: "README.md", text: "more\n" }]);
const failing = (): object => stepOf([{ do: "exit", status: 3 }]);
const idle = (): object => stepOf([], { verification: { fast: [], slow: [] } });
const question = (): object => laidOverTask(goodStep(), QUESTION);

function laidOverTask(task: object, over: object): object {
  const laid = laidOver(task, over);
  return typeof laid === "object" && laid !== null ? laid : {};
}

/** The lock names the process that holds it. */
const signalling = (signal: string): string =>
  `kill -${signal} "$(sed -n 's/.*"pid": *\\([0-9]*\\).*/\\1/p' relais/lock.json | head -n 1)"; sleep 20\n`;

const ENDINGS: readonly Ending[] = [
  {
    shows: "the orchestrator says that all is done",
    plans: [goodStep(), control("continue"), goodStep(), STOP],
    end: "complete",
    reason: "control_stop",
    codes: ["SUCCESS", "SUCCESS", "SUCCESS", "SUCCESS"],
    commits: 2,
    after: ({ git }, { summary }) => {
      expect(summary).toMatchObject({ message: "All is done.", branch: "work", milestone_id: "M-1" });
      expect(summary.ticks).toEqual({ total: 4, success: 4, attempts: 0, stop: 0, blocked: 0 });
      expect(summary.budgets).toMatchObject({ ticks: 4, orchestrator_calls: 4, builder_calls: 2 });
      expect(git("rev-parse", "HEAD")).toBe(summary.commits.at(-1));
      expect(git("log", "-1", "--format=%B")).toContain("Relais-Run:");
    },
  },
  {
    shows: "a protected branch is left alone, and the series has one branch of its own",
    plans: [goodStep(), goodStep(), STOP],
    branch: "main",
    end: "complete",
    reason: "control_stop",
    codes: ["SUCCESS", "SUCCESS", "SUCCESS"],
    commits: 2,
    after: ({ git }, { summary }) => {
      const branch = `relais/loop-${summary.series_id.slice(-4)}`;
      expect(summary).toMatchObject({ branch, began_on: "main" });
      expect(git("branch", "--format=%(refname:short)").split("\n").toSorted()).toEqual(
        ["main", branch, "work"].toSorted(),
      );
      expect(git("rev-list", "--count", `main..${branch}`)).toBe("2");
    },
  },
  {
    shows: "as many ticks as were asked for",
    plans: [goodStep(), goodStep(), goodStep()],
    args: ["--max-ticks", "2"],
    end: "max_ticks",
    reason: "max_ticks",
    codes: ["SUCCESS", "SUCCESS"],
    commits: 2,
  },
  {
    shows: "the first stop halts it",
    plans: [goodStep(), red(), goodStep()],
    end: "stopped",
    reason: "STOP_VERIFY_FAILED_FAST",
    codes: ["SUCCESS", "STOP_VERIFY_FAILED_FAST"],
    commits: 1,
  },
  {
    shows: "a stop does not halt it where the configuration says so",
    plans: [red(), goodStep(), outside(), STOP],
    config: CONTINUE,
    end: "complete",
    reason: "control_stop",
    codes: ["STOP_VERIFY_FAILED_FAST", "SUCCESS", "STOP_SCOPE_VIOLATION_OUTSIDE_ALLOWED", "SUCCESS"],
    commits: 1,
  },
  {
    shows: "two ticks in a row that only say go on",
    plans: [control("continue"), control("continue")],
    end: "breaker",
    reason: "STOP_NO_PROGRESS",
    codes: ["SUCCESS", "STOP_NO_PROGRESS"],
  },
  {
    shows: "a question",
    plans: [goodStep(), question()],
    end: "needs_human",
    reason: "STOP_QUESTION",
    codes: ["SUCCESS", "STOP_QUESTION"],
    commits: 1,
  },
  {
    shows: "another milestone, before anybody builds for it",
    plans: [goodStep(), goodStep(milestone("M-2"))],
    config: CONTINUE,
    end: "milestone_changed",
    reason: "milestone_changed",
    codes: ["SUCCESS", "STOP_INTERRUPTED"],
    commits: 1,
    after: ({ read }, { reports, summary }) => {
      expect(reports[1]).toMatchObject({ cause: "milestone_changed", task: null });
      expect(summary.budgets).toMatchObject({ orchestrator_calls: 2, builder_calls: 1 });
      expect(summary.message).toContain("M-2");
      expect(JSON.parse(read("relais/STATE.json"))).toMatchObject({ milestone_id: "M-1" });
    },
  },
  {
    shows: "autonomously it goes on into the next milestone, with counters of its own",
    plans: [goodStep(), goodStep(milestone("M-2")), goodStep(milestone("a/b")), { ...STOP, milestone_id: "a/b" }],
    args: ["--mode", "autonomous"],
    end: "complete",
    reason: "control_stop",
    codes: ["SUCCESS", "SUCCESS", "SUCCESS", "SUCCESS"],
    commits: 3,
    after: ({ read }, { summary }) => {
      expect(JSON.parse(read("relais/history/milestones/M-1.json"))).toMatchObject({
        milestone_id: "M-1",
        times_left: 1,
        budgets: { ticks: 1, builder_calls: 1 },
      });
      expect(JSON.parse(read("relais/history/milestones/M-2.json"))).toMatchObject({ budgets: { ticks: 1 } });
      expect(JSON.parse(read("relais/STATE.json"))).toMatchObject({
        milestone_id: "a/b",
        budgets: { ticks: 2 },
      });
      expect(summary.budgets.ticks).toBe(4);
    },
  },
  {
    shows: "the warning mark of the budget",
    plans: [goodStep(), goodStep(), goodStep(), goodStep(), goodStep()],
    config: per("per_milestone", { max_ticks: 5 }),
    end: "budget_warning",
    reason: "soft_stop_at_warning",
    codes: ["SUCCESS", "SUCCESS", "SUCCESS", "SUCCESS"],
    commits: 4,
    after: ({ read }) => expect(JSON.parse(read("relais/STATE.json"))).toMatchObject({ budget_warning: true }),
  },
  {
    shows: "the cap of the milestone, where nobody minds the warning",
    plans: [goodStep(), goodStep(), goodStep()],
    config: { ...per("per_milestone", { max_ticks: 2 }), loop: { soft_stop_at_warning: false } },
    end: "blocked",
    reason: "BLOCKED_BUDGET_CAP",
    exit: 12,
    codes: ["SUCCESS", "SUCCESS", "BLOCKED_BUDGET_CAP"],
    commits: 2,
  },
  {
    shows: "the next milestone, where the one before is at its cap",
    plans: [goodStep(), goodStep(), goodStep(milestone("M-2")), STOP],
    config: { ...per("per_milestone", { max_ticks: 2 }), loop: { soft_stop_at_warning: false } },
    args: ["--mode", "autonomous"],
    end: "complete",
    reason: "control_stop",
    codes: ["SUCCESS", "SUCCESS", "SUCCESS", "SUCCESS"],
    commits: 3,
    after: ({ prompt }) => expect(prompt(3)).toContain("This milestone has reached a cap"),
  },
  {
    shows: "the cap of the series, whatever milestones it passes through",
    plans: [goodStep(), goodStep(milestone("M-2")), goodStep(milestone("M-3"))],
    config: per("per_run", { max_ticks: 2 }),
    args: ["--mode", "autonomous"],
    end: "blocked",
    reason: "BLOCKED_BUDGET_CAP",
    exit: 12,
    codes: ["SUCCESS", "SUCCESS", "BLOCKED_BUDGET_CAP"],
    commits: 2,
    after: (_, { summary }) => expect(summary.message).toContain("per_run"),
  },
  {
    shows: "an orchestrator that talks",
    plans: [goodStep(), "echo No.; exit 0\n", "echo No.; exit 0\n"],
    end: "blocked",
    reason: "BLOCKED_ORCHESTRATOR_OUTPUT_INVALID",
    codes: ["SUCCESS", "BLOCKED_ORCHESTRATOR_OUTPUT_INVALID"],
    commits: 1,
  },
  {
    shows: "a tick that runs out of time",
    plans: [goodStep(), stepOf([{ do: "sleep", ms: 60_000 }])],
    config: { runner: { max_tick_seconds: 15 } },
    end: "timeout",
    reason: "STOP_TICK_TIMEOUT",
    codes: ["SUCCESS", "STOP_TICK_TIMEOUT"],
    commits: 1,
  },
  {
    shows: "breaker: the same task after it failed, before it is built again",
    plans: [stepOf([RED], { intent: "Try it." }), stepOf([RED], { intent: " try  IT." })],
    config: CONTINUE,
    end: "breaker",
    reason: "same_task",
    codes: ["STOP_VERIFY_FAILED_FAST", "STOP_BREAKER"],
    after: (_, { summary, reports }) => {
      expect(summary.budgets.builder_calls).toBe(1);
      expect(summary.hint).toContain("FACTS.md");
      expect(reports[1]).toMatchObject({ cause: "same_task", task: null });
    },
  },
  {
    shows: "breaker: ticks that change nothing",
    plans: [goodStep(), idle(), idle()],
    config: CONTINUE,
    end: "breaker",
    reason: "STOP_NO_PROGRESS",
    codes: ["SUCCESS", "STOP_NO_CHANGE", "STOP_NO_CHANGE"],
    commits: 1,
  },
  {
    shows: "an agent that cannot do it, again and again, also where a stop halts",
    plans: [idle(), goodStep(), stepOf([], { intent: "The same." }), stepOf([], { intent: "The same." })],
    args: ["--max-ticks", "12"],
    end: "breaker",
    reason: "STOP_NO_PROGRESS",
    codes: ["STOP_NO_CHANGE", "SUCCESS", "STOP_NO_CHANGE", "STOP_NO_CHANGE"],
    commits: 1,
    after: ({ prompt }, { reports, summary }) => {
      expect(reports[0]?.message).toContain("It is done.");
      expect(prompt(2)).toContain("STOP_NO_CHANGE");
      expect(summary.message).toContain("empty_ticks");
    },
  },
  {
    shows: "breaker: ticks that only say go on",
    plans: [control("continue"), control("continue")],
    config: CONTINUE,
    end: "breaker",
    reason: "STOP_NO_PROGRESS",
    codes: ["SUCCESS", "STOP_NO_PROGRESS"],
  },
  {
    shows: "breaker: failures of the machinery",
    plans: [failing(), failing(), failing()],
    config: { loop: { on_stop: "continue", breakers: { infrastructure_failures: 2 } } },
    end: "breaker",
    reason: "infrastructure_failures",
    codes: ["STOP_INTERRUPTED", "STOP_INTERRUPTED"],
  },
  {
    shows: "breaker: the same code again and again",
    plans: [outside(), outside(), outside(), outside()],
    config: CONTINUE,
    end: "breaker",
    reason: "same_code",
    codes: Array.from({ length: 3 }, () => "STOP_SCOPE_VIOLATION_OUTSIDE_ALLOWED"),
  },
  {
    shows: "a signal",
    plans: [goodStep(), signalling("INT")],
    ownProcess: true,
    end: "interrupted",
    reason: "STOP_INTERRUPTED",
    codes: ["SUCCESS", "STOP_INTERRUPTED"],
    commits: 1,
  },
];

test("every end of the table has a whole run here, with the status of the table", () => {
  const usual = ENDINGS.filter(({ exit }) => exit === undefined).map(({ end }) => end);
  // Only a tree has attempts at one piece of work, and its run is below; pause.test.ts has the runs that a person pauses.
  expect([...new Set([...usual, "paused", "stuck"])].toSorted()).toEqual(Object.keys(SERIES_ENDS).toSorted());
});

test("the attempts at one piece of work are used up", async () => {
  const one = { max_attempts: 1 };
  const world = treeWorld({
    root: node("root", { ...one, attempts: 1 }),
    config: { tree: one },
    turns: ["result retry"],
  });
  const { status, summary } = readLoop(await world.relais("run", "--json"));
  expect({ status, end: summary.end }).toEqual({ status: SERIES_ENDS.stuck.exit, end: "stuck" });
});

describe.concurrent("a loop ends as it must", () => {
  test.each(partOf(ENDINGS, { kindOf: ({ end }) => end, oneIn: 40 }))(
    "$shows",
    async (ending) => {
      await expect(inTurn(() => play(ending))).resolves.toBeUndefined();
    },
    120_000,
  );
});

async function play(ending: Ending): Promise<void> {
  const { args = [], end, reason, codes, commits = 0, after } = ending;
  await inLoopWorld(ending, async (world) => {
    const before = world.git("rev-list", "--count", "HEAD");
    const ran = await world.loop(args);
    expect(ran.reports.map(({ code }) => code)).toEqual(codes);
    expect(ran.summary).toMatchObject({ end, reason, exit_status: ending.exit ?? SERIES_ENDS[end].exit });
    checkAfterSeries(world, ran);
    expect(ran.summary.commits_total).toBe(commits);
    expect(Number(world.git("rev-list", "--count", "HEAD")) - Number(before)).toBe(commits);
    after?.(world, ran);
  });
}
