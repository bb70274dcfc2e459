/** What a prompt needs besides the tree: documents of the workspace, sidecars of the leaf, and the last guard. */
import { join } from "node:path";
import { MeasurementError } from "../base/measurement-error.ts";
import { listGuardSteering } from "./pure/guard-steering.ts";
import { DOCUMENT_BYTES_MAX, MEMORY_DOCUMENTS } from "./pure/iteration-facts.ts";
import type { Materials } from "./pure/tree-work.ts";
import { type LastIteration, findLastIteration, type TreeView } from "./pure/tree-workflow.ts";
import { canonicaliseTree } from "./pure/tree-nodes.ts";
import { selectLeaf } from "./pure/select-leaf.ts";
import type { JournalLine } from "../records/event.ts";
import { listFilesIn, readNow } from "../system/read-now.ts";
import { locateRunDirectory } from "../journal/run-directory.ts";
import { TREE_BYTES_MAX } from "./pure/read-tree.ts";
import { readTreeFile } from "../workspace/tree-file.ts";
import type { Workspace } from "../workspace/workspace.ts";

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
