/** One iteration as a piece of work for the kernel. */
import type { Config } from "../../contract/config/config.ts";
import type { Task } from "../../contract/documents/task.ts";
import { findConfiguredReview } from "../review/configured-review.ts";
import { readConfiguredMode } from "../tick/task-admission.ts";
import { shorten } from "../words/shorten.ts";
import type { JudgedFacts } from "../tick/tick-state.ts";
import type { Check } from "../checks/verification-plan.ts";
import type { BuilderBrief } from "../workflow/builder-brief.ts";
import type { Work } from "../workflow/workflow.ts";
import { writeTree } from "./canonical-tree.ts";
import { classify } from "./classify.ts";
import { endIteration, readIterationWords } from "./end-iteration.ts";
import { GUARD, type IterationFacts, type TreeSettings } from "./iteration-facts.ts";
import { DOCUMENT_BYTES_MAX, MEMORY_DOCUMENTS } from "./memory-documents.ts";
import { readIteration, TREE_FILE } from "./read-iteration.ts";
import { TREE_BYTES_MAX } from "./read-tree.ts";
import type { PromptFacts } from "./prompt-facts.ts";
import { composeTreePrompt } from "./tree-prompt.ts";

/** What lies in the repository and in the files of the iteration before. */
export interface Materials extends Pick<PromptFacts, "goal" | "sidecars" | "guardFiles" | "guardOutput"> {
  readonly documents: IterationFacts["documents"];
  /** The proposal of the iteration before that nobody could read, where it is still there. */
  readonly brokenTree: string | null;
}

interface WorkFacts extends PromptFacts, Pick<Materials, "brokenTree"> {
  /** The series has an account of its own: what an earlier one has spent must not end it. */
  readonly seriesId: string;
  /** What the leaf's tools.json says; null where it says nothing. */
  readonly tools: readonly string[] | null;
}

export function planIteration(facts: WorkFacts, config: Config): Work {
  const { settings } = facts;
  const guard = guardOf(settings);
  return {
    task: taskOf(facts, config),
    ceiling: {
      default_max_files_touched: settings.diff_limits.max_files_touched,
      default_max_lines_changed: settings.diff_limits.max_lines_changed,
    },
    brief: briefOf(facts),
    checks: { max: 1, known: [guard], choose: (change) => (isGuarded(facts, change) ? [guard] : []) },
    review: findConfiguredReview(config.review),
    settle: { onSuccess: "commit", onFailure: "commit" },
    maxSeconds: settings.iteration_timeout_seconds,
    hasOwnBranch: true,
    record: (ended) => endIteration(facts, ended),
  };
}

/** The guard only follows work that is said to be done. */
function isGuarded(facts: IterationFacts, change: JudgedFacts): boolean {
  return facts.kind === "work" && classify(facts, change) === "execute" && readIterationWords(change).status === "done";
}

/** Its time is what is left of the iteration, so running out of it ends the tick and not the check. */
function guardOf({ guard: [cmd = "", ...args], iteration_timeout_seconds }: TreeSettings): Check {
  return {
    templateId: GUARD,
    phase: "slow",
    cmd,
    args,
    timeoutSeconds: iteration_timeout_seconds,
    stopCode: "STOP_GUARD_FAILED",
  };
}

function briefOf(facts: WorkFacts): BuilderBrief {
  const { sidecars, brokenTree, kind } = facts;
  const { context, tools } = sidecars;
  return {
    prompt: composeTreePrompt(facts),
    files: {
      [TREE_FILE]: writeTree(facts.tree),
      ...facts.documents,
      ...(kind === "repair" && brokenTree !== null ? { "tree.broken.json": brokenTree } : {}),
      ...(context === null ? {} : { "context.md": context }),
      ...(tools === null ? {} : { "tools.json": tools }),
    },
    proposals: {
      [TREE_FILE]: TREE_BYTES_MAX,
      ...Object.fromEntries(MEMORY_DOCUMENTS.map((name) => [name, DOCUMENT_BYTES_MAX] as const)),
    },
    ...(facts.tools === null ? {} : { tools: facts.tools }),
    schema: "tree_result",
    isStrict: true,
    read: (left) => readIteration(left, facts),
  };
}

function taskOf(facts: WorkFacts, config: Config): Task {
  const { selection, settings, kind, guardFiles, seriesId } = facts;
  const { leaf } = selection;
  const { scope, diff_limits } = settings;
  const mode = readConfiguredMode(config);
  return {
    task_id: `node:${leaf.id}`,
    milestone_id: shorten(`tree-${seriesId}`, 80),
    task_kind: "execute",
    intent: shorten(kind === "work" ? leaf.title : `${kind}: ${leaf.title}`, 1000),
    scope: {
      ...scope,
      forbidden_globs: [...new Set([...scope.forbidden_globs, ...guardFiles])],
    },
    diff_limits,
    verification: { fast: [], slow: [] },
    builder: {
      mode: mode === "patch" ? "claude_code" : mode,
      instructions: `Work on the node ${leaf.id} of the tree, as the prompt says.`,
    },
  };
}
