/** `relais tree run` and `relais tree step`: iterations on a branch of their own, each committed. */
import { createHash } from "node:crypto";
import type { SeriesOptions } from "../../contract/journal/series.ts";
import { canonicalTree } from "../../core/tree/canonical-tree.ts";
import { type TreeSeries, treeWorkflow } from "../../core/tree/tree-workflow.ts";
import { findProgram } from "../../io/machine/find-program.ts";
import { type Ground, type Unready, unready } from "../workspace/ground.ts";
import { runSeries, type SeriesAnswer } from "../series/run-series.ts";
import { protectedBranch } from "../workspace/protected-branch.ts";
import { seriesGround } from "../series/series-place.ts";
import type { SeriesRequest } from "../series/series-sitting.ts";
import { readTreeView, treeOf } from "./tree-materials.ts";

export interface TreeRequest extends Omit<SeriesRequest<TreeSeries>, "options" | "workflow" | "resumes"> {
  /** Whether to stop after one iteration. */
  readonly isStep: boolean;
  readonly maxIterations: number | null;
}

export async function runTree(request: TreeRequest): Promise<SeriesAnswer> {
  const ground = await seriesGround(request.cwd, request.environment);
  if (ground.kind === "blocked") return ground;
  const refusal = (await branchRefusal(ground)) ?? (await missingGuard(ground, request));
  if (refusal !== null) return refusal;
  const options: SeriesOptions = { command: "tree", mode: null, max_ticks: null };
  return runSeries({
    ...request,
    options,
    resumes: ["interrupted", "needs_human", "max_ticks"],
    workflow: ({ config, configText, warnings, seriesId, lines }) =>
      treeWorkflow({
        config,
        configSha256: createHash("sha256").update(configText).digest("hex"),
        seriesId,
        warnings,
        isStep: request.isStep,
        maxIterations: request.maxIterations,
        ...readTreeView(
          { ...ground, config },
          lines.filter(({ series_id }) => series_id === seriesId),
        ),
      }),
    beforeTick: () => emitTree(ground, request),
  });
}

/** Shows the tree that an iteration begins with. */
function emitTree(ground: Ground, { emit, maxIterations }: TreeRequest): void {
  const read = treeOf(ground);
  const most = Math.min(ground.config.tree.max_iterations, maxIterations ?? Number.POSITIVE_INFINITY);
  if (read.kind === "tree") emit?.({ kind: "tree", tree: canonicalTree(read.tree), maxIterations: most });
}

async function branchRefusal(ground: Ground): Promise<Unready | null> {
  const branch = await protectedBranch(ground);
  if (branch === null) return null;
  const message = `The tree workflow does not begin on ${branch}, which is protected.`;
  const remedy = "`git switch -c work`, and start there: the iterations get a branch of their own.";
  return { ...unready("protected_branch", message, remedy), code: "BLOCKED_PROTECTED_BRANCH" };
}

/** A guard that cannot start would be red for every attempt. */
async function missingGuard(
  { config, repository }: Ground,
  { environment }: TreeRequest,
): Promise<Unready | null> {
  const [program = ""] = config.tree.guard;
  const found = await findProgram(program, { path: environment["PATH"] ?? "", cwd: repository.root });
  if (found !== null) return null;
  const message = `The guard \`${config.tree.guard.join(" ")}\` cannot be started: there is no program "${program}".`;
  return unready(
    "guard_missing",
    message,
    "Install it, or name your own with tree.guard in relais.config.json.",
  );
}
