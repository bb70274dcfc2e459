/**
 * The tree workflow: the next open leaf, again and again, until the root passes, a leaf is stuck, or a limit is reached.
 *
 * The tree itself lies in the repository and is read anew for each iteration, before this decides; what a series has to
 * know besides is a fold of its journal. What was cut short left no record, so the next process begins the same
 * iteration again.
 */
import * as v from "valibot";
import type { Config } from "../../contract/config/config.ts";
import type { JournalLine } from "../../contract/journal/event.ts";
import { MeasurementError } from "../../contract/values/measurement-error.ts";
import type { Task } from "../../contract/documents/task.ts";
import type { Tree, TreeNode } from "../../contract/workflows/tree.ts";
import { TreeIteration } from "../../contract/workflows/tree-iteration.ts";
import { decideAfterTick, type SeriesStep, endSeries, type SeriesOver } from "../series/after-tick.ts";
import { type FinishedWork, findFinishedWork } from "../series/left-work.ts";
import { foldSeries, isCutShort, NO_TICKS, type OpenTick, type SeriesTicks } from "../series/series-tick.ts";
import { findOutcome, findTask } from "../tick/tick-facts.ts";
import type { NextWork, Workflow } from "../workflow/workflow.ts";
import { canonicaliseTree } from "./canonical-tree.ts";
import type { IterationFacts } from "./iteration-facts.ts";
import { readNodeTools } from "./read-node-tools.ts";
import type { ReadTree } from "./read-tree.ts";
import { countLeftFor } from "./count-left.ts";
import { selectLeaf } from "./select-leaf.ts";
import { isExhausted } from "./tree-nodes.ts";
import { planIteration, type Materials } from "./tree-work.ts";

export interface TreeSeries {
  readonly ticks: SeriesTicks;
  /** The configuration that its first tick began with; null before that. */
  readonly configSha256: string | null;
  /** How many iterations are over. */
  readonly iterations: number;
  /** How often the plan was changed since anything else was; what failed is bounded by its attempts. */
  readonly planned: number;
  /** The leaves that had to be taken apart once already. */
  readonly demanded: readonly string[];
  readonly last: LastIteration | null;
  /** How many ticks in a row were no iteration, through no fault of an agent. */
  readonly errors: number;
  readonly isIteration: boolean;
  /** What a session had finished in a tick that was cut short before it was settled. */
  readonly finished: { readonly task: Task | null; readonly work: FinishedWork } | null;
}

/** The iteration before, and where its files are. */
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

/** What the workflow has to look at in the repository. */
export interface TreeView {
  readonly config: Config;
  readonly configSha256: string;
  readonly seriesId: string;
  readonly warnings: readonly string[];
  /** Whether this process ends after one iteration; the next command goes on with the series. */
  readonly isStep: boolean;
  /** The most iterations that a person asked for; null leaves it to the settings. */
  readonly maxIterations: number | null;
  /** What has to be green before a leaf passes. */
  readonly guard: readonly string[];
  readonly tree: ReadTree;
  /** For the leaf that is next: what is there to read, or why it cannot be read; null where no leaf is open. */
  readonly materials: Materials | MeasurementError | null;
}

export function makeTreeWorkflow(view: TreeView): Workflow<TreeSeries> {
  return { name: "tree", start: START, reduce, next: (state, first) => stepOrNext(state, first, view) };
}

function stepOrNext(state: TreeSeries, first: TreeSeries, view: TreeView): NextWork {
  const step = next(state, view);
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
  const last = iterationIn(line);
  return last === null ? folded : iterated(folded, last);
}

function iterationIn({ event, run_id: runId }: JournalLine): LastIteration | null {
  const read = event.type === "settled" ? v.safeParse(TreeIteration, event.data) : null;
  return read?.success === true ? { ...read.output, runId } : null;
}

/** The last iteration in the lines of a series. */
export function findLastIteration(lines: readonly JournalLine[]): LastIteration | null {
  const line = lines.findLast((one) => iterationIn(one) !== null);
  return line === undefined ? null : iterationIn(line);
}

/** A session that had come to its end is not called again, if recovery could keep all that it had done. */
function withFinished(state: TreeSeries, open: OpenTick | null, { event }: JournalLine): TreeSeries {
  const outcome = open === null ? null : findOutcome(open.state);
  if (event.type !== "tick_ended" || open === null || outcome === null) return state;
  if (!isCutShort(outcome)) return { ...state, finished: null };
  const work = findFinishedWork(open.runId, open.state);
  return work === null ? state : { ...state, finished: { task: findTask(open.state), work } };
}

function iterated(state: TreeSeries, last: LastIteration): TreeSeries {
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

/** Two retries after the first time that something failed which is nobody's work. */
const ERRORS_MAX = 3;

function next(state: TreeSeries, view: TreeView): NextWork {
  const step = afterLast(state, view);
  if (step.kind !== "go_on") return step;
  if (state.configSha256 !== null && state.configSha256 !== view.configSha256) return CONFIG_CHANGED;
  if (state.errors >= ERRORS_MAX) {
    const message = `${state.errors} ticks in a row failed before anything could be judged.`;
    const hint = "Run `relais doctor`, mend what fails there, and start again.";
    return endSeries("breaker", { reason: "runner_errors", message, hint });
  }
  if (view.tree.kind === "invalid") return unusable(view.tree);
  return nextIteration(state, view, canonicaliseTree(view.tree.tree));
}

/** The guard and everything else hold for a whole series, so that nobody can make them easier on the way. */
const CONFIG_CHANGED = endSeries("blocked", {
  reason: "config_changed",
  message: "relais.config.json is not what it was when the series began.",
  hint: "Put it back, or run the command again: it begins another series with the configuration as it is now.",
});

/** What the last tick says about the series; whether its own work was good is told by the tree. */
function afterLast({ ticks: { ticks } }: TreeSeries, { config, warnings }: TreeView): SeriesStep {
  const last = ticks.at(-1);
  if (last?.code === "STOP_TICK_TIMEOUT" && last.isPassed !== true) {
    const message = "An iteration has used up its time, the agent's and the guard's together.";
    const hint = "Make the leaf smaller, or raise tree.iteration_timeout_seconds.";
    return endSeries("timeout", { reason: last.code, message, hint });
  }
  const loop = { ...config.loop, on_stop: "continue" } as const;
  return decideAfterTick(last === undefined ? [] : [last], { loop, maxTicks: null, warnings });
}

function unusable({ problems }: Extract<ReadTree, { kind: "invalid" }>): SeriesOver {
  const message = `tree.json cannot be used: ${problems[0]?.message ?? "for an unknown reason"}.`;
  const hint = "`relais tree validate` lists everything; mend it and commit it. `relais tree init` makes a new one.";
  return endSeries("blocked", { reason: "tree_invalid", message, hint });
}

function nextIteration(state: TreeSeries, view: TreeView, tree: Tree): NextWork {
  const { config, materials } = view;
  const selection = selectLeaf(tree);
  if (selection === null || materials === null)
    return endSeries("complete", { reason: "root_passes", message: "The root passes: every leaf is done." });
  const end = limitReached(state, view, selection.leaf);
  if (end !== null) return end;
  if (materials instanceof MeasurementError) throw materials;
  const read = readNodeTools(materials.sidecars.tools);
  if (read.kind === "invalid") return unusableTools(selection.leaf.id, read.problem);
  const facts: IterationFacts = {
    iterN: state.iterations + 1,
    kind: isBroken(state.last) && materials.brokenTree !== null ? "repair" : kindFor(selection.leaf),
    tree,
    selection,
    settings: { ...config.tree, guard: view.guard },
    workspace: config.workspace_dir,
    documents: materials.documents,
  };
  const feedback = state.last?.feedback ?? null;
  const { tools } = read;
  const { seriesId } = view;
  const work = planIteration({ ...facts, ...materials, feedback, tools, seriesId }, config);
  return { kind: "work", work: { ...work, ...countLeftFor(state, work.task) } };
}

function unusableTools(leafId: string, problem: string): SeriesOver {
  const message = `nodes/${leafId}/tools.json cannot be used: ${problem}.`;
  const hint = 'It is an object like {"allowed_tools": ["Read", "Edit"]}. Mend it, commit it, and go on.';
  return endSeries("blocked", { reason: "tools_invalid", message, hint });
}

/** What nobody could read is repaired once. */
function isBroken(last: LastIteration | null): boolean {
  return last !== null && last.unreadable && last.kind !== "repair";
}

function kindFor(leaf: TreeNode): "demand" | "work" {
  return isExhausted(leaf) ? "demand" : "work";
}

function limitReached(
  state: TreeSeries,
  { config: { tree: settings }, maxIterations }: TreeView,
  leaf: TreeNode,
): SeriesOver | null {
  const limit = Math.min(settings.max_iterations, maxIterations ?? Number.POSITIVE_INFINITY);
  if (state.iterations >= limit) return atLimit(limit);
  // What was demanded and cannot be read is repaired first.
  if (isExhausted(leaf) && state.demanded.includes(leaf.id) && !isBroken(state.last))
    return stuck(leaf.id, "its attempts are used up");
  if (state.planned < settings.max_consecutive_decompose) return null;
  return stuck(leaf.id, `the plan was changed ${state.planned} times in a row, and nothing else`);
}

function atLimit(limit: number): SeriesOver {
  const message = `The ${limit} iterations of this series are done, and the root does not pass yet.`;
  const hint = "Go on with a higher --max-iterations, if it was given, or begin another series with `--new`.";
  return endSeries("timeout", { reason: "max_iterations", message, hint });
}

function stuck(leafId: string, why: string): SeriesOver {
  return endSeries("stuck", {
    reason: leafId,
    message: `The leaf "${leafId}" is stuck: ${why}.`,
    hint: "Rewrite or split the leaf in tree.json by hand, commit that, and run `relais tree run` again.",
  });
}
