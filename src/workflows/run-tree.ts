import { join } from "node:path";
import { MeasurementError } from "../base/errors.ts";
import { isGuardThere, listGuardSteering } from "./pure/guard-steering.ts";
import { DOCUMENT_BYTES_MAX, MEMORY_DOCUMENTS } from "./pure/iteration-facts.ts";
import type { Materials } from "./pure/tree-work.ts";
import {
  type LastIteration,
  findLastIteration,
  type TreeView,
  type TreeSeries,
  makeTreeWorkflow,
} from "./pure/tree-workflow.ts";
import { canonicaliseTree, selectLeaf, writeTree } from "./pure/tree-nodes.ts";
import type { JournalLine } from "../records/event.ts";
import { listFilesIn, readNow } from "../system/read-files.ts";
import { locateRunDirectory } from "../journal/run-directory.ts";
import { TREE_BYTES_MAX } from "./pure/read-tree.ts";
import { readTreeFile } from "../workspace/tree-file.ts";
import type { Workspace, Project, WorkspaceRequest } from "../workspace/workspace.ts";
import { createHash } from "node:crypto";
import type { SeriesEnd } from "../base/codes.ts";
import type { Choices } from "../config/choices.ts";
import { applyChoices } from "../checks/pure/apply-choices.ts";
import type { SeriesOptions } from "../records/series.ts";
import { runSeries, type SeriesAnswer } from "./run-series.ts";
import { reportMisuse } from "../workspace/misuse.ts";
import { chooseSeriesConfig } from "./series-config.ts";
import { openSeriesWorkspace } from "../workspace/open-workspace.ts";
import type { SeriesRequest } from "./series-loop.ts";
import { findGuard } from "../checks/find-guard.ts";
import type { MadeFile } from "../records/setup-answers.ts";
import type { Tree } from "../records/tree.ts";
import { WORKSPACE_IGNORE } from "../config/workspace-layout.ts";
import type { CommandFailure, NotReady } from "../records/command-failure.ts";
import { readShippedSchema } from "../workspace/shipped-files.ts";
import { openProject } from "../workspace/read-project.ts";
import { withWorkspace } from "../workspace/with-workspace.ts";
import { createFiles } from "../workspace/create-files.ts";

/** What a prompt needs besides the tree: documents of the workspace, sidecars of the leaf, and the last guard. */

interface TreePlace extends Pick<Workspace, "folder" | "stateDirectory" | "config" | "repository"> {
  readonly guard: readonly string[];
}

const GUARD_TAIL_BYTES = 8 * 1024;

export function readTreeView(place: TreePlace, lines: readonly JournalLine[]): Pick<TreeView, "tree" | "materials"> {
  const tree = readTreeFile(place);
  const selection = tree.kind === "tree" ? selectLeaf(canonicaliseTree(tree.tree)) : null;
  if (selection === null) return { tree, materials: null };
  try {
    return { tree, materials: readMaterials(place, selection.leaf.id, findLastIteration(lines)) };
  } catch (error) {
    // It only matters if another iteration starts.
    if (error instanceof MeasurementError) return { tree, materials: error };
    throw error;
  }
}

function readMaterials(place: TreePlace, leafId: string, last: LastIteration | null): Materials {
  const { folder, config } = place;
  const text = (...path: string[]): string | null =>
    readNow(join(folder, ...path), { bytesMax: DOCUMENT_BYTES_MAX })?.toString("utf8") ?? null;
  const [questions, assumptions, feedback, improvements] = MEMORY_DOCUMENTS.map((name) => text(name) ?? "");
  return {
    goal: text("GOAL.md") ?? "",
    documents: {
      "HUMAN_QUESTIONS.md": questions ?? "",
      "ASSUMPTIONS.md": assumptions ?? "",
      "FEEDBACK_LOG.md": feedback ?? "",
      "IMPROVEMENTS.md": improvements ?? "",
    },
    sidecars: {
      context: text("nodes", leafId, "context.md"),
      tools: text("nodes", leafId, "tools.json"),
      artifacts: listFilesIn(join(folder, "nodes", leafId, "artifacts")).map(
        (name) => `${config.workspace_dir}/nodes/${leafId}/artifacts/${name}`,
      ),
    },
    guardFiles: listGuardFiles(place),
    isGuardThere: isGuardThere(place.guard, (path) => readTextAt(join(place.repository.root, path))),
    guardOutput: last?.guard === "fail" ? readRunFile(place, last, "verify.log") : null,
    brokenTree: last?.unreadable === true ? readRunFile(place, last, "proposal-tree.json") : null,
  };
}

/** None if the configuration allows changes to tests and checks. */
function listGuardFiles({ config, repository, guard }: TreePlace): readonly string[] {
  if (config.verification.oracle === "off") return [];
  return listGuardSteering(guard, (path) => readTextAt(join(repository.root, path)));
}

/** Anything but an ordinary file is protected by its name alone. */
function readTextAt(path: string): string | null {
  try {
    return readNow(path, { bytesMax: DOCUMENT_BYTES_MAX, isTail: true })?.toString("utf8") ?? null;
  } catch (error) {
    if (error instanceof MeasurementError) return null;
    throw error;
  }
}

/** A file of the iteration before. On another machine there is none. */
function readRunFile({ stateDirectory }: TreePlace, { runId }: LastIteration, name: string): string | null {
  const path = join(locateRunDirectory(stateDirectory, runId), name);
  const bytesMax = name === "verify.log" ? GUARD_TAIL_BYTES : TREE_BYTES_MAX;
  return readNow(path, { bytesMax, isTail: true })?.toString("utf8") ?? null;
}

/** `relais tree run` and `relais tree step`: iterations on a branch of their own, each committed. */

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
        isFound: options.config === "found",
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

/** `relais tree init`: writes the tree with its root, its schema, and the documents of the sessions. Existing files stay. */

const DOCUMENTS = {
  "GOAL.md":
    "# Goal\n\n<!-- What is to be reached, for whom, and how one sees that it is. Only people write here. -->\n",
  "HUMAN_QUESTIONS.md": "# Questions for a person\n\n<!-- What somebody has to decide. Work goes on meanwhile. -->\n",
  "ASSUMPTIONS.md": "# Assumptions\n\n<!-- What was assumed in order to go on. -->\n",
  "FEEDBACK_LOG.md": "# Feedback\n\n<!-- What went wrong, and what follows from it. -->\n",
  "IMPROVEMENTS.md": "# Improvements\n\n<!-- What would have helped. -->\n",
} as const;

export function initTree(request: WorkspaceRequest): Promise<MadeTree | CommandFailure> {
  return withWorkspace(request, "write", async (writable) => {
    const project = await openProject(writable);
    return project.kind === "blocked" ? project : makeTree(project);
  });
}

interface MadeTree {
  readonly kind: "made";
  readonly files: readonly MadeFile[];
}

async function makeTree({ config, repository }: Project): Promise<MadeTree | NotReady> {
  const workspace = config.workspace_dir;
  const texts: readonly (readonly [string, string])[] = [
    ...Object.entries(DOCUMENTS),
    // Without it, git would see the files of relais as changes, and no iteration could start.
    [".gitignore", WORKSPACE_IGNORE],
    ["schemas/tree.schema.json", `${JSON.stringify(readShippedSchema("tree"), null, 2)}\n`],
    ["tree.json", writeTree(makeFirstTree(workspace, config.tree.max_attempts))],
  ];
  const files = await createFiles(
    repository.root,
    `${workspace}/schemas`,
    new Map(texts.map(([name, text]) => [`${workspace}/${name}`, text])),
  );
  return "kind" in files ? files : { kind: "made", files };
}

function makeFirstTree(workspace: string, max_attempts: number): Tree {
  const root = {
    id: "root",
    order: 0,
    title: "Root",
    goal: `Satisfy ${workspace}/GOAL.md`,
    acceptance: [],
    passes: false,
    attempts: 0,
    max_attempts,
    children: [],
  };
  return { version: 1, root };
}
