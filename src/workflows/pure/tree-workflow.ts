/**
 * The tree workflow: the next open leaf until the root passes, a leaf is stuck, or a limit is reached. The tree is in
 * the repository and read again before each iteration; everything else is a fold of the journal. An interrupted
 * iteration has no record, so the next process repeats it.
 */
import { countNoun } from "../../base/words.ts";
import * as v from "valibot";
import { makeChosenChecks } from "../../checks/pure/verification-plan.ts";
import type { Config } from "../../config/config.ts";
import type { JournalLine } from "../../records/event.ts";
import { MeasurementError } from "../../base/errors.ts";
import type { Task } from "../../records/task.ts";
import type { Tree, TreeNode } from "../../records/tree.ts";
import { TreeIteration } from "../../records/tree-iteration.ts";
import { decideAfterTick, type SeriesStep, endSeries, type SeriesOver } from "./after-tick.ts";
import { type FinishedWork, findFinishedWork } from "./left-work.ts";
import { isCutShort } from "./cut-short.ts";
import { foldSeries, NO_TICKS, type UnendedTick, type SeriesTicks } from "./series-tick.ts";
import { findOutcome, findTask } from "../../tick/pure/tick-facts.ts";
import type { NextWork, Workflow, Work } from "./workflow.ts";
import type { IterationFacts } from "./iteration-facts.ts";
import { type ReadTree, readNodeTools } from "./read-tree.ts";
import { canonicaliseTree, isExhausted, selectLeaf } from "./tree-nodes.ts";
import { planIteration, type Materials } from "./tree-work.ts";

export interface TreeSeries {
  readonly ticks: SeriesTicks;
  readonly configSha256: string | null;
  readonly iterations: number;
  /** Plan changes in a row; failures are limited by the attempts of a leaf. */
  readonly planned: number;
  /** Leaves that were already demanded to be split. */
  readonly demanded: readonly string[];
  readonly last: LastIteration | null;
  /** Ticks in a row that were no iteration, without an agent's fault. */
  readonly errors: number;
  readonly isIteration: boolean;
  /** The finished work of an interrupted tick. */
  readonly finished: { readonly task: Task | null; readonly work: FinishedWork } | null;
}

export interface LastIteration extends TreeIteration {
  readonly runId: string;
}

const START: TreeSeries = {
  ticks: NO_TICKS,
  configSha256: null,
  iterations: 0,
  planned: 0,
  demanded: [],
  last: null,
  errors: 0,
  isIteration: false,
  finished: null,
};

export interface TreeView {
  readonly config: Config;
  readonly configSha256: string;
  readonly seriesId: string;
  readonly warnings: readonly string[];
  /** Whether this process ends after one iteration; the next command resumes the series. */
  readonly isStep: boolean;
  readonly maxIterations: number | null;
  readonly guard: readonly string[];
  /** Whether there is no configuration file: then nobody wrote what is required, and the guard is all. */
  readonly isFound: boolean;
  readonly tree: ReadTree;
  /** For the next leaf, or why they cannot be read; null if no leaf is open. */
  readonly materials: Materials | MeasurementError | null;
}

export function makeTreeWorkflow(view: TreeView): Workflow<TreeSeries> {
  return { name: "tree", start: START, reduce, next: (state, first) => endAfterStep(state, first, view) };
}

function endAfterStep(state: TreeSeries, first: TreeSeries, view: TreeView): NextWork {
  const step = chooseNext(state, view);
  if (step.kind !== "work" || !view.isStep || state.iterations === first.iterations) return step;
  return endSeries("max_ticks", { reason: "step", message: "One iteration is done." });
}

function reduce(state: TreeSeries, line: JournalLine): TreeSeries {
  const { event } = line;
  const folded = withFinished({ ...state, ticks: foldSeries(state.ticks, line) }, state.ticks.open, line);
  if (event.type === "tick_started")
    return { ...folded, isIteration: false, configSha256: state.configSha256 ?? event.config_sha256 };
  if (event.type === "series_resumed") return { ...folded, errors: 0 };
  if (event.type === "tick_ended" && event.counted)
    return { ...folded, errors: folded.isIteration ? 0 : folded.errors + 1 };
  const last = readIterationLine(line);
  return last === null ? folded : countIteration(folded, last);
}

export function readIterationLine({ event, run_id: runId }: JournalLine): LastIteration | null {
  const read = event.type === "settled" ? v.safeParse(TreeIteration, event.data) : null;
  return read?.success === true ? { ...read.output, runId } : null;
}

export function findLastIteration(lines: readonly JournalLine[]): LastIteration | null {
  const line = lines.findLast((one) => readIterationLine(one) !== null);
  return line === undefined ? null : readIterationLine(line);
}

/** A finished session is not repeated if recovery kept all of its work. */
function withFinished(state: TreeSeries, open: UnendedTick | null, { event }: JournalLine): TreeSeries {
  const outcome = open === null ? null : findOutcome(open.state);
  if (event.type !== "tick_ended" || open === null || outcome === null) return state;
  if (!isCutShort(outcome)) return { ...state, finished: null };
  const work = findFinishedWork(open.runId, open.state);
  return work === null ? state : { ...state, finished: { task: findTask(open.state), work } };
}

function countIteration(state: TreeSeries, last: LastIteration): TreeSeries {
  const { kind, classification, outcome, selected_leaf_id: id } = last;
  return {
    ...state,
    last,
    isIteration: true,
    iterations: last.iter_n,
    planned: classification === "execute" ? 0 : state.planned + (outcome === "planned" ? 1 : 0),
    demanded: kind === "demand" ? [...state.demanded, id] : state.demanded,
  };
}

/** Two retries after a failure that is not the agent's. */
const ERRORS_MAX = 3;

function chooseNext(state: TreeSeries, view: TreeView): NextWork {
  const step = decideAfterLast(state, view);
  if (step.kind !== "go_on") return step;
  if (state.configSha256 !== null && state.configSha256 !== view.configSha256) return CONFIG_CHANGED;
  if (state.errors >= ERRORS_MAX) {
    const message = `${state.errors} ticks in a row failed before anything could be judged.`;
    const hint = "Run `relais doctor`, fix the problems, and start again.";
    return endSeries("breaker", { reason: "runner_errors", message, hint });
  }
  if (view.tree.kind === "invalid") return endUnusable(view.tree);
  return planNextIteration(state, view, canonicaliseTree(view.tree.tree));
}

/** The guard and the configuration hold for the whole series, so that nobody can weaken them meanwhile. */
const CONFIG_CHANGED = endSeries("blocked", {
  reason: "config_changed",
  message: "relais.config.json is not what it was when the series began.",
  hint: "Restore it, or run the command again: it starts another series with the new configuration.",
});

/** Whether the work was good is in the tree. */
function decideAfterLast({ ticks: { ticks } }: TreeSeries, { config, warnings }: TreeView): SeriesStep {
  const last = ticks.at(-1);
  if (last?.code === "STOP_TICK_TIMEOUT" && last.isPassed !== true) {
    const message = "An iteration has used up its time, the agent's and the guard's together.";
    const hint = "Make the leaf smaller, or raise tree.iteration_timeout_seconds.";
    return endSeries("timeout", { reason: last.code, message, hint });
  }
  const loop = { ...config.loop, on_stop: "continue" } as const;
  return decideAfterTick(last === undefined ? [] : [last], { loop, maxTicks: null, warnings });
}

function endUnusable({ problems }: Extract<ReadTree, { kind: "invalid" }>): SeriesOver {
  const message = `tree.json cannot be used: ${problems[0]?.message ?? "for an unknown reason"}.`;
  const hint = "`relais tree validate` lists all problems: fix them and commit. `relais tree init` creates a new tree.";
  return endSeries("blocked", { reason: "tree_invalid", message, hint });
}

function planNextIteration(state: TreeSeries, view: TreeView, tree: Tree): NextWork {
  const { config, materials } = view;
  const selection = selectLeaf(tree);
  if (selection === null || materials === null)
    return endSeries("complete", { reason: "root_passes", message: "The root passes: every leaf is done." });
  const end = findReachedLimit(state, view, selection.leaf);
  if (end !== null) return end;
  if (materials instanceof MeasurementError) throw materials;
  const read = readNodeTools(materials.sidecars.tools);
  if (read.kind === "invalid") return endUnusableTools(selection.leaf.id, read.problem);
  const facts: IterationFacts = {
    iterN: state.iterations + 1,
    kind: isBroken(state.last) && materials.brokenTree !== null ? "repair" : chooseKind(selection.leaf),
    tree,
    selection,
    settings: { ...config.tree, guard: view.guard },
    workspace: config.workspace_dir,
    documents: materials.documents,
  };
  const feedback = state.last?.feedback ?? null;
  const { tools } = read;
  const { seriesId } = view;
  const required = listRequired(view);
  const work = planIteration({ ...facts, ...materials, feedback, tools, seriesId, required }, config);
  return { kind: "work", work: { ...work, ...findLeftWork(state, work.task) } };
}

function listRequired({ isFound, config }: TreeView) {
  return isFound ? [] : makeChosenChecks(config, config.verification.required ?? []);
}

function endUnusableTools(leafId: string, problem: string): SeriesOver {
  const message = `nodes/${leafId}/tools.json cannot be used: ${problem}.`;
  const hint =
    'It is an object like {"allowed_tools": ["Read", "Edit"]}. Fix it, commit it, and run the command again.';
  return endSeries("blocked", { reason: "tools_invalid", message, hint });
}

/** An unreadable tree is repaired once. */
function isBroken(last: LastIteration | null): boolean {
  return last !== null && last.unreadable && last.kind !== "repair";
}

function chooseKind(leaf: TreeNode): "demand" | "work" {
  return isExhausted(leaf) ? "demand" : "work";
}

function findReachedLimit(
  state: TreeSeries,
  { config: { tree: settings }, maxIterations }: TreeView,
  leaf: TreeNode,
): SeriesOver | null {
  const limit = Math.min(settings.max_iterations, maxIterations ?? Number.POSITIVE_INFINITY);
  if (state.iterations >= limit) return endAtLimit(limit);
  // An unreadable tree is repaired first.
  if (isExhausted(leaf) && state.demanded.includes(leaf.id) && !isBroken(state.last))
    return endStuck(leaf.id, "its attempts are used up");
  if (state.planned < settings.max_consecutive_decompose) return null;
  return endStuck(leaf.id, `the plan was changed ${state.planned} times in a row, and nothing else`);
}

function endAtLimit(limit: number): SeriesOver {
  const message = `The root does not pass yet after ${countNoun(limit, "iteration")}.`;
  const hint = "Continue with a higher --max-iterations, if it was given, or start another series with `--new`.";
  return endSeries("timeout", { reason: "max_iterations", message, hint });
}

function endStuck(leafId: string, why: string): SeriesOver {
  return endSeries("stuck", {
    reason: leafId,
    message: `The leaf "${leafId}" is stuck: ${why}.`,
    hint: "Rewrite or split the leaf in tree.json by hand, commit that, and run `relais tree run` again.",
  });
}

function findLeftWork({ finished, ticks }: TreeSeries, task: Work["task"]): Pick<Work, "finished" | "continues"> {
  const last = ticks.ticks.findLast(({ isCounted }) => isCounted);
  const unfinished = (isSame(last?.task, task) ? last?.unfinished : null) ?? null;
  return {
    finished: finished !== null && isSame(finished.task, task) ? finished.work : null,
    continues: () => unfinished,
  };
}

/** A person may have rewritten the leaf since. */
function isSame(one: Work["task"] | undefined, other: Work["task"]): boolean {
  return one?.task_id === other?.task_id && one?.intent === other?.intent;
}
