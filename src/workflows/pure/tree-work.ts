import type { Config } from "../../config/config.ts";
import type { Task } from "../../records/task.ts";
import { findConfiguredReview } from "../../checks/pure/configured-review.ts";
import { readConfiguredMode } from "../../tick/pure/task-admission.ts";
import { shorten } from "../../base/shorten.ts";
import type { JudgedFacts } from "../../tick/pure/tick-state.ts";
import type { Check } from "../../checks/pure/verification-plan.ts";
import type { BuilderBrief } from "./builder-brief.ts";
import { makeCeiling, type Work } from "./workflow.ts";
import { writeTree } from "./tree-nodes.ts";
import { endIteration, readIterationWords } from "./end-iteration.ts";
import {
  type IterationFacts,
  type TreeSettings,
  DOCUMENT_BYTES_MAX,
  MEMORY_DOCUMENTS,
  type PromptFacts,
  classify,
} from "./iteration-facts.ts";
import { GUARD } from "../../records/tree.ts";
import { readIteration, TREE_FILE } from "./read-iteration.ts";
import { TREE_BYTES_MAX } from "./read-tree.ts";
import { composeTreePrompt } from "./tree-prompt.ts";

/** Read from the repository and from the files of the last iteration. */
export interface Materials extends Pick<PromptFacts, "goal" | "sidecars" | "guardFiles" | "guardOutput"> {
  readonly documents: IterationFacts["documents"];
  /** The unreadable proposal of the last iteration. */
  readonly brokenTree: string | null;
}

interface WorkFacts extends PromptFacts, Pick<Materials, "brokenTree"> {
  /** Each series has its own account, so that costs of an earlier one do not end it. */
  readonly seriesId: string;
  readonly tools: readonly string[] | null;
}

export function planIteration(facts: WorkFacts, config: Config): Work {
  const { settings } = facts;
  const guard = makeGuardCheck(settings);
  return {
    task: makeTask(facts, config),
    ceiling: makeCeiling(settings.diff_limits),
    brief: makeBrief(facts),
    checks: { max: 1, known: [guard], choose: (change) => (isGuarded(facts, change) ? [guard] : []) },
    review: findConfiguredReview(config.review),
    settle: { onSuccess: "commit", onFailure: "commit" },
    maxSeconds: settings.iteration_timeout_seconds,
    hasOwnBranch: true,
    record: (ended) => endIteration(facts, ended),
  };
}

/** The guard runs only after work that is reported as done. */
function isGuarded(facts: IterationFacts, change: JudgedFacts): boolean {
  return facts.kind === "work" && classify(facts, change) === "execute" && readIterationWords(change).status === "done";
}

/** It has the rest of the iteration's time, so a timeout ends the tick and not the check. */
export function makeGuardCheck({
  guard: [cmd = "", ...args],
  iteration_timeout_seconds,
}: Pick<TreeSettings, "guard" | "iteration_timeout_seconds">): Check {
  return {
    templateId: GUARD,
    phase: "slow",
    cmd,
    args,
    timeoutSeconds: iteration_timeout_seconds,
    stopCode: "STOP_GUARD_FAILED",
  };
}

function makeBrief(facts: WorkFacts): BuilderBrief {
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

function makeTask(facts: WorkFacts, config: Config): Task {
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
