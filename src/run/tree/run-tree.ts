/** `relais tree run` and `relais tree step`: iterations on a branch of their own, each committed. */
import { createHash } from "node:crypto";
import type { SeriesOptions } from "../../contract/journal/series.ts";
import { canonicalTree } from "../../core/tree/canonical-tree.ts";
import { type TreeSeries, treeWorkflow } from "../../core/tree/tree-workflow.ts";
import { findProgram } from "../../io/machine/find-program.ts";
import { type NotReady, notReady } from "../../contract/answers/command-failure.ts";
import type { Workspace } from "../workspace/workspace.ts";
import { runSeries, type SeriesAnswer } from "../series/run-series.ts";
import { protectedBranch } from "../workspace/protected-branch.ts";
import { openSeriesWorkspace } from "../workspace/open-workspace.ts";
import type { SeriesRequest } from "../series/series-sitting.ts";
import { readTreeView, treeOf } from "./tree-materials.ts";

export interface TreeRequest extends Omit<SeriesRequest<TreeSeries>, "options" | "workflow" | "resumes"> {
  /** Whether to stop after one iteration. */
  readonly isStep: boolean;
  readonly maxIterations: number | null;
}

export async function runTree(request: TreeRequest): Promise<SeriesAnswer> {
  const workspace = await openSeriesWorkspace(request);
  if (workspace.kind === "blocked") return workspace;
  const refusal = (await branchRefusal(workspace)) ?? (await missingGuard(workspace, request));
  if (refusal !== null) return refusal;
  const options: SeriesOptions = { command: "tree", mode: null, max_ticks: null };
  return runSeries({
    ...request,
    options,
    resumes: ["interrupted", "needs_human", "max_ticks", "timeout"],
    workflow: ({ config, configText, warnings, seriesId, lines }) =>
      treeWorkflow({
        config,
        configSha256: createHash("sha256").update(configText).digest("hex"),
        seriesId,
        warnings,
        isStep: request.isStep,
        maxIterations: request.maxIterations,
        ...readTreeView(
          { ...workspace, config },
          lines.filter(({ series_id }) => series_id === seriesId),
        ),
      }),
    beforeTick: () => emitTree(workspace, request),
  });
}

/** Shows the tree that an iteration begins with. */
function emitTree(workspace: Workspace, { emit, maxIterations }: TreeRequest): void {
  const read = treeOf(workspace);
  const most = Math.min(workspace.config.tree.max_iterations, maxIterations ?? Number.POSITIVE_INFINITY);
  if (read.kind === "tree") emit?.({ kind: "tree", tree: canonicalTree(read.tree), maxIterations: most });
}

async function branchRefusal(workspace: Workspace): Promise<NotReady | null> {
  const branch = await protectedBranch(workspace);
  if (branch === null) return null;
  const message = `The tree workflow cannot start on the protected branch ${branch}.`;
  const remedy = "Run `git switch -c work` and start there.";
  return { ...notReady("protected_branch", message, remedy), code: "BLOCKED_PROTECTED_BRANCH" };
}

/** A guard that cannot start would be red for every attempt. */
async function missingGuard(
  { config, repository }: Workspace,
  { environment }: TreeRequest,
): Promise<NotReady | null> {
  const [program = ""] = config.tree.guard;
  const found = await findProgram(program, { path: environment["PATH"] ?? "", cwd: repository.root });
  if (found !== null) return null;
  const message = `The guard \`${config.tree.guard.join(" ")}\` cannot be started: there is no program "${program}".`;
  return notReady("guard_missing", message, "Install it, or set tree.guard in relais.config.json.");
}
