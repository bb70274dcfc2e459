import { unreachable } from "../../../contract/values/invariant.ts";
import type { Tree } from "../../../contract/workflows/tree.ts";
import { counted } from "../../../core/words/counted.ts";
import { canonicalTree } from "../../../core/tree/canonical-tree.ts";
import type { TreeProblem } from "../../../core/tree/read-tree.ts";
import { selectLeaf, whySelected } from "../../../core/tree/select-leaf.ts";
import { treeNodes } from "../../../core/tree/tree-nodes.ts";
import type { Unready } from "../../../run/workspace/ground.ts";
import { initTree } from "../../../run/tree/init-tree.ts";
import { findTree, type FoundTree } from "../../../run/tree/tree-place.ts";
import { invalidTreeText, selectionText, treeFilesText, treeText } from "../../../view/series/tree-text.ts";
import type { OptionValues } from "../../framework/arguments.ts";
import type { CommandEnd, RunCommand, Session } from "../../framework/command.ts";
import { chooseAction } from "../../answers/run-choice.ts";
import { canvasOf } from "../../framework/session-canvas.ts";
import { tellBlocked } from "../../answers/tick-answer.ts";
import { iterate } from "./tree-run.ts";

const ACTIONS = ["show", "init", "validate", "select", "step", "run"] as const;
type Action = (typeof ACTIONS)[number];

/** Which actions take which option. */
const OWNERS: Readonly<Record<string, readonly Action[]>> = {
  why: ["select"],
  "max-iterations": ["run"],
  new: ["step", "run"],
};

const DONE: CommandEnd = { kind: "ended", status: 0 };
const NOT_VALID: CommandEnd = { kind: "ended", status: 10 };

/** `relais tree`. */
export const run: RunCommand = async ({ positionals, options }, session) => {
  const choice = chooseAction(positionals, ACTIONS);
  if (choice.kind === "misused") return choice;
  const { action, run: operand } = choice;
  if (operand !== null && action !== "validate")
    return misused(`"${action}" does not know what to do with "${operand}"`);
  const stray = strayOption(action, options);
  if (stray !== null) return misused(stray);
  switch (action) {
    case "init":
      return init(session);
    case "step":
    case "run":
      return iterate(action, options, session);
    case "show":
    case "validate":
    case "select":
      return look(await findTree(session, operand), { action, isWhy: options.flag("why") }, session);
    default:
      return unreachable(action);
  }
};

function strayOption(action: Action, options: OptionValues): string | null {
  for (const [name, owners] of Object.entries(OWNERS)) {
    const isGiven = name === "max-iterations" ? options.text(name) !== null : options.flag(name);
    if (isGiven && !owners.includes(action))
      return `--${name} belongs to ${owners.map((owner) => `\`relais tree ${owner}\``).join(" and ")}`;
  }
  return null;
}

function misused(message: string): CommandEnd {
  return { kind: "misused", message, problems: [] };
}

async function init(session: Session): Promise<CommandEnd> {
  const made = await initTree(session);
  if (made.kind === "blocked") return tellBlocked(made, session);
  if (session.json) session.out(`${JSON.stringify({ files: made.files })}\n`);
  else if (session.detail !== "quiet") session.out(treeFilesText(made.files, canvasOf(session)));
  return DONE;
}

interface Look {
  readonly action: "show" | "validate" | "select";
  readonly isWhy: boolean;
}

function look(found: FoundTree | Unready, { action, isWhy }: Look, session: Session): CommandEnd {
  if (found.kind === "blocked") return tellBlocked(found, session);
  const { path, read } = found;
  if (read.kind === "invalid") return tellInvalid(path, read.problems, session);
  const tree = canonicalTree(read.tree);
  switch (action) {
    case "validate": {
      const nodes = treeNodes(tree).length;
      if (session.detail === "quiet" && !session.json) return DONE;
      return tell(
        { valid: true, path, nodes },
        () => `${path} is valid: ${counted(nodes, "node")}.\n`,
        session,
      );
    }
    case "show": {
      const selection = selectLeaf(tree);
      const document = { selected: selection?.leaf.id ?? null, tree };
      return tell(document, () => treeText(tree, selection, canvasOf(session)), session);
    }
    case "select":
      return select(tree, isWhy, session);
    default:
      return unreachable(action);
  }
}

function select(tree: Tree, isWhy: boolean, session: Session): CommandEnd {
  const selection = selectLeaf(tree);
  const why = selection === null || !isWhy ? [] : whySelected(selection);
  const path = (selection?.path ?? []).map(({ id }) => id);
  const leaf = selection?.leaf ?? null;
  const document = { selected: leaf?.id ?? null, path, leaf, ...(isWhy ? { why } : {}) };
  return tell(document, () => selectionText(selection, why, canvasOf(session)), session);
}

function tell(document: object, text: () => string, session: Session): CommandEnd {
  session.out(session.json ? `${JSON.stringify(document)}\n` : text());
  return DONE;
}

function tellInvalid(path: string, problems: readonly TreeProblem[], session: Session): CommandEnd {
  if (session.json) session.out(`${JSON.stringify({ valid: false, path, problems })}\n`);
  else session.err(invalidTreeText({ path, problems }, canvasOf(session)));
  return NOT_VALID;
}
