/** `relais tree run` and `relais tree step`: iterations on a branch of their own, each committed. */
import { createHash } from "node:crypto";
import { isDeepStrictEqual } from "node:util";
import { makeDefaultConfig } from "../../contract/config/config.ts";
import type { SeriesOptions } from "../../contract/journal/series.ts";
import { canonicaliseTree } from "../../core/tree/tree-nodes.ts";
import { findDefaultGuard } from "../../core/tree/guard-steering.ts";
import { type TreeSeries, makeTreeWorkflow } from "../../core/tree/tree-workflow.ts";
import { findProgram } from "../../io/machine/find-program.ts";
import { type NotReady, refuseNotReady } from "../../contract/answers/command-failure.ts";
import type { Workspace } from "../workspace/workspace.ts";
import { runSeries, type SeriesAnswer } from "../series/run-series.ts";
import { findProject } from "../workspace/find-project.ts";
import { openSeriesWorkspace } from "../workspace/open-workspace.ts";
import type { SeriesRequest } from "../series/series-loop.ts";
import { readTreeView, readTreeFile } from "./tree-materials.ts";

export interface TreeRequest extends Omit<SeriesRequest<TreeSeries>, "options" | "workflow" | "resumes"> {
  readonly isStep: boolean;
  readonly maxIterations: number | null;
}

export async function runTree(request: TreeRequest): Promise<SeriesAnswer> {
  const workspace = await openSeriesWorkspace(request);
  if (workspace.kind === "blocked") return workspace;
  const guard = await findGuard(workspace, request);
  if ("kind" in guard) return guard;
  const options: SeriesOptions = { command: "tree", mode: null, max_ticks: null };
  return runSeries({
    ...request,
    options,
    resumes: ["interrupted", "paused", "needs_human", "max_ticks", "timeout"],
    workflow: ({ config, configText, warnings, seriesId, lines }) =>
      makeTreeWorkflow({
        config,
        configSha256: createHash("sha256").update(configText).digest("hex"),
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

/** The tree at the start of an iteration. */
function emitTree(workspace: Workspace, { emit, maxIterations }: TreeRequest): void {
  const read = readTreeFile(workspace);
  const most = Math.min(workspace.config.tree.max_iterations, maxIterations ?? Number.POSITIVE_INFINITY);
  if (read.kind === "tree") emit?.({ kind: "tree", tree: canonicaliseTree(read.tree), maxIterations: most });
}

/** A guard that cannot start would fail every attempt. */
async function findGuard(
  { config, repository }: Workspace,
  { environment }: TreeRequest,
): Promise<readonly string[] | NotReady> {
  const guard = config.tree.guard ?? (await findProjectGuard({ config, repository }));
  if (guard === null)
    return refuseNotReady(
      "guard_missing",
      "The tree has no guard: this project has no check `ci`, `test` or `check`.",
      "Name a command with tree.guard in relais.config.json.",
    );
  const [program = ""] = guard;
  const found = await findProgram(program, { path: environment["PATH"] ?? "", cwd: repository.root });
  if (found !== null) return guard;
  const message = `The guard \`${guard.join(" ")}\` cannot be started: there is no program "${program}".`;
  return refuseNotReady("guard_missing", message, "Install it, or set tree.guard in relais.config.json.");
}

async function findProjectGuard({
  config,
  repository,
}: Pick<Workspace, "config" | "repository">): Promise<readonly string[] | null> {
  const { templates } = config.verification;
  // The default templates are an example and no part of this project.
  const isExample = isDeepStrictEqual(templates, makeDefaultConfig().verification.templates);
  const configured = isExample ? null : findDefaultGuard(templates);
  return configured ?? findDefaultGuard((await findProject(repository)).templates);
}
