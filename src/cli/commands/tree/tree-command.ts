import type { Tree } from "../../../contract/workflows/tree.ts";
import { countNoun } from "../../../core/words/count-noun.ts";
import { canonicaliseTree } from "../../../core/tree/canonical-tree.ts";
import type { TreeProblem } from "../../../core/tree/read-tree.ts";
import { selectLeaf, explainSelection } from "../../../core/tree/select-leaf.ts";
import { listTreeNodes } from "../../../core/tree/tree-nodes.ts";
import { initTree } from "../../../run/tree/init-tree.ts";
import { renderInvalidTree, renderSelection, renderTreeFiles, renderTree } from "../../../view/series/tree-text.ts";
import { findTree } from "../../../run/tree/find-tree.ts";
import { printFailure } from "../../answers/refusal-answer.ts";
import type { CommandEnd, RunCommand, Session } from "../../framework/command.ts";
import { getCanvas } from "../../framework/session-canvas.ts";
import type { TreeSelectOptions } from "./tree-spec.ts";

const DONE: CommandEnd = { kind: "ended", status: 0 };
const NOT_VALID: CommandEnd = { kind: "ended", status: 10 };

/** `relais tree init`. */
export const initTreeCommand: RunCommand = async (_, session) => {
  const made = await initTree(session);
  if (made.kind !== "made") return printFailure(made, session);
  if (session.json) session.out(`${JSON.stringify({ files: made.files })}\n`);
  else if (session.detail !== "quiet") session.out(renderTreeFiles(made.files, getCanvas(session)));
  return DONE;
};

/** `relais tree show`. */
export const showTree: RunCommand = (_, session) =>
  withTree(null, session, ({ tree }) => {
    const selection = selectLeaf(tree);
    const document = { selected: selection?.leaf.id ?? null, tree };
    return tell(document, () => renderTree(tree, selection, getCanvas(session)), session);
  });

/** `relais tree validate`. */
export const validate: RunCommand = ({ positionals: [file] }, session) =>
  withTree(file ?? null, session, ({ tree, path }) => {
    const nodes = listTreeNodes(tree).length;
    if (session.detail === "quiet" && !session.json) return DONE;
    return tell({ valid: true, path, nodes }, () => `${path} is valid: ${countNoun(nodes, "node")}.\n`, session);
  });

/** `relais tree select`. */
export const select: RunCommand<TreeSelectOptions> = ({ options }, session) =>
  withTree(null, session, ({ tree }) => printSelected(tree, options.flag("why"), session));

interface ValidTree {
  readonly path: string;
  readonly tree: Tree;
}

/** Reads the tree of the workspace, or another file; what keeps from that is said. */
async function withTree(
  file: string | null,
  session: Session,
  use: (found: ValidTree) => CommandEnd,
): Promise<CommandEnd> {
  const found = await findTree(session, file);
  if (found.kind === "blocked") return printFailure(found, session);
  const { path, read } = found;
  if (read.kind === "invalid") return printInvalid(path, read.problems, session);
  return use({ path, tree: canonicaliseTree(read.tree) });
}

function printSelected(tree: Tree, isWhy: boolean, session: Session): CommandEnd {
  const selection = selectLeaf(tree);
  const why = selection === null || !isWhy ? [] : explainSelection(selection);
  const path = (selection?.path ?? []).map(({ id }) => id);
  const leaf = selection?.leaf ?? null;
  const document = { selected: leaf?.id ?? null, path, leaf, ...(isWhy ? { why } : {}) };
  return tell(document, () => renderSelection(selection, why, getCanvas(session)), session);
}

function tell(document: object, text: () => string, session: Session): CommandEnd {
  session.out(session.json ? `${JSON.stringify(document)}\n` : text());
  return DONE;
}

function printInvalid(path: string, problems: readonly TreeProblem[], session: Session): CommandEnd {
  if (session.json) session.out(`${JSON.stringify({ valid: false, path, problems })}\n`);
  else session.err(renderInvalidTree({ path, problems }, getCanvas(session)));
  return NOT_VALID;
}
