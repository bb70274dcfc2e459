/** `relais tree run` and `relais tree step`: iterations on a branch of their own, each committed. */
import { createHash } from "node:crypto";
import type { SeriesEnd } from "../base/codes.ts";
import type { Choices } from "../config/choices.ts";
import type { JournalLine } from "../records/event.ts";
import { applyChoices } from "../checks/pure/apply-choices.ts";
import type { SeriesOptions } from "../records/series.ts";
import { canonicaliseTree } from "./pure/tree-nodes.ts";
import { type TreeSeries, makeTreeWorkflow } from "./pure/tree-workflow.ts";
import type { Workspace } from "../workspace/workspace.ts";
import { runSeries, type SeriesAnswer } from "./run-series.ts";
import { reportMisuse } from "../workspace/misuse.ts";
import { chooseSeriesConfig } from "./series-config.ts";
import { openSeriesWorkspace } from "../workspace/open-workspace.ts";
import type { SeriesRequest } from "./series-loop.ts";
import { findGuard } from "../checks/find-guard.ts";
import { readTreeFile } from "../workspace/tree-file.ts";
import { readTreeView } from "./tree-materials.ts";

export interface TreeRequest extends Omit<SeriesRequest<TreeSeries>, "options" | "workflow" | "resumes"> {
  readonly isStep: boolean;
  readonly maxIterations: number | null;
}

const OPTIONS: SeriesOptions = { command: "tree", mode: null, max_ticks: null };
const RESUMES: readonly SeriesEnd[] = ["interrupted", "paused", "needs_human", "max_ticks", "timeout"];

export async function runTree(request: TreeRequest): Promise<SeriesAnswer> {
  if ((request.choices.checks?.length ?? 0) > 1)
    return reportMisuse("--check: a tree has one guard, so name one check");
  const series = { options: OPTIONS, resumes: RESUMES };
  const complete = await chooseSeriesConfig({ ...request, ...series });
  if (complete.kind !== "complete") return complete;
  const { chosen } = complete;
  const workspace = await openSeriesWorkspace({ ...request, chosen });
  if (workspace.kind === "blocked") return workspace;
  const guard = await findGuard(workspace, request);
  if ("kind" in guard) return guard;
  return runSeries({
    ...request,
    ...series,
    chosen,
    workflow: ({ config, baseText, options, warnings, seriesId, lines }) =>
      makeTreeWorkflow({
        config,
        configSha256: hashAsBegun({ text: baseText, config }, findFirstChoices(lines, seriesId) ?? options.choices),
        seriesId,
        warnings,
        isStep: request.isStep,
        maxIterations: request.maxIterations,
        guard,
        ...readTreeView(
          { ...workspace, config, guard },
          lines.filter(({ series_id }) => series_id === seriesId),
        ),
      }),
    beforeTick: () => emitTree(workspace, request),
  });
}

/** The hash of the configuration with the choices that the series began with: other choices are no change. */
function hashAsBegun(base: Parameters<typeof applyChoices>[0], choices: Choices = {}): string {
  return createHash("sha256").update(applyChoices(base, choices)).digest("hex");
}

/** Undefined before the first tick. */
function findFirstChoices(lines: readonly JournalLine[], seriesId: string): Choices | undefined {
  const first = lines.find(({ series_id, event }) => series_id === seriesId && event.type === "tick_started")?.event;
  return first?.type === "tick_started" ? (first.series?.choices ?? {}) : undefined;
}

/** The tree at the start of an iteration. */
function emitTree(workspace: Workspace, { emit, maxIterations }: TreeRequest): void {
  const read = readTreeFile(workspace);
  const most = Math.min(workspace.config.tree.max_iterations, maxIterations ?? Number.POSITIVE_INFINITY);
  if (read.kind === "tree") emit?.({ kind: "tree", tree: canonicaliseTree(read.tree), maxIterations: most });
}
