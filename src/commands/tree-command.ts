import type { Tree } from "../records/tree.ts";
import { countNoun } from "../base/words.ts";
import { canonicaliseTree, explainSelection, listTreeNodes, selectLeaf } from "../workflows/pure/tree-nodes.ts";
import { initTree } from "../workflows/run-tree.ts";
import { renderInvalidTree, renderSelection, renderTreeFiles, renderTree } from "../cards/tree-text.ts";
import { findTree } from "../workflows/find-tree.ts";
import { printAnswer } from "../terminal/print-answer.ts";
import { printFailure } from "../terminal/refusal-answer.ts";
import type { CommandEnd, RunCommand, Session } from "../terminal/command.ts";
import type { TreeSelectOptions } from "./tree-spec.ts";

const INVALID_STATUS = 10;

export const initTreeCommand: RunCommand = async (_, session) => {
  const made = await initTree(session);
  if (made.kind !== "made") return printFailure(made, session);
  const { files } = made;
  return printAnswer({ document: { files }, text: () => renderTreeFiles(files, session) }, session);
};

export const showTree: RunCommand = (_, session) =>
  withTree(null, session, ({ tree }) => {
    const selection = selectLeaf(tree);
    const document = { selected: selection?.leaf.id ?? null, tree };
    return printAnswer({ document, text: () => renderTree(tree, selection, session), isAsked: true }, session);
  });

export const validate: RunCommand = ({ positionals: [file] }, session) =>
  withTree(file ?? null, session, ({ tree, path }) => {
    const nodes = listTreeNodes(tree).length;
    const text = () => `${path} is valid: ${countNoun(nodes, "node")}.\n`;
    return printAnswer({ document: { valid: true, path, nodes }, text }, session);
  });

export const select: RunCommand<TreeSelectOptions> = ({ options }, session) =>
  withTree(null, session, ({ tree }) => {
    const isWhy = options.flag("why");
    const selection = selectLeaf(tree);
    const why = selection === null || !isWhy ? [] : explainSelection(selection);
    const path = (selection?.path ?? []).map(({ id }) => id);
    const leaf = selection?.leaf ?? null;
    const document = { selected: leaf?.id ?? null, path, leaf, ...(isWhy ? { why } : {}) };
    return printAnswer({ document, text: () => renderSelection(selection, why, session), isAsked: true }, session);
  });

interface ValidTree {
  readonly path: string;
  readonly tree: Tree;
}

/** Reads the tree of the workspace, or another file; prints why it cannot be used. */
async function withTree(
  file: string | null,
  session: Session,
  use: (found: ValidTree) => CommandEnd,
): Promise<CommandEnd> {
  const found = await findTree(session, file);
  if (found.kind === "blocked") return printFailure(found, session);
  const { path, read } = found;
  if (read.kind === "tree") return use({ path, tree: canonicaliseTree(read.tree) });
  const { problems } = read;
  if (session.json) session.out(`${JSON.stringify({ valid: false, path, problems })}\n`);
  else session.err(renderInvalidTree({ path, problems }, session));
  return { kind: "ended", status: INVALID_STATUS };
}
