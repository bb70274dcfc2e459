/**
 * The prompt of an iteration. The order is fixed, parts that rarely change come first, and the same facts give the
 * same bytes. If it is too long, whole
 * parts are dropped in a fixed order, and the prompt names them; required parts are only cut at their own cap.
 */
import { countBytes, frameSection } from "../../tick/pure/framed-section.ts";
import { CHILDREN_MAX, DEPTH_MAX } from "./check-proposal.ts";
import { type IterationFacts, MEMORY_DOCUMENTS, type PromptFacts, type TreeSettings } from "./iteration-facts.ts";
import type { Tree, TreeNode } from "../../records/tree.ts";
import { compareSiblings, type Selection } from "./tree-nodes.ts";

interface Part {
  readonly name: string;
  readonly title: string;
  readonly text: string;
  readonly bytesMax: number;
}

const KIB = 1024;
/** The caps of the required parts together stay below it. */
const PROMPT_BYTES_MAX = 128 * KIB;

/** The first is dropped first. */
const DROP_ORDER: readonly string[] = [
  "IMPROVEMENTS.md",
  "FEEDBACK_LOG.md",
  "ASSUMPTIONS.md",
  "HUMAN_QUESTIONS.md",
  "artifacts",
  "outline",
  "progress",
  "tools",
  "context",
  "guard_output",
];

export function composeTreePrompt(facts: PromptFacts, bytesMax: number = PROMPT_BYTES_MAX): string {
  const parts = listParts(facts).filter(({ text }) => text !== "");
  const rendered = parts.map((part) => ({ part, text: `## ${part.title}\n\n${renderPart(part)}\n` }));
  let bytes = rendered.reduce((sum, { text }) => sum + countBytes(text) + 1, 0);
  const dropped = new Set<string>();
  for (const name of DROP_ORDER) {
    const one = rendered.find(({ part }) => part.name === name);
    if (bytes <= bytesMax || one === undefined) continue;
    dropped.add(name);
    bytes -= countBytes(one.text);
  }
  return rendered
    .map(({ part, text }) => (dropped.has(part.name) ? `## ${part.title}\n\n(left out for its size)\n` : text))
    .join("\n");
}

/** Only text of others is framed. */
function renderPart({ name, text, bytesMax }: Part): string {
  return OWN_WORDS.includes(name) ? text : frameSection(text, bytesMax);
}

const OWN_WORDS: readonly string[] = ["contract", "guard", "instructions"];

function listParts(facts: PromptFacts): readonly Part[] {
  const { goal, feedback, guardOutput, sidecars, settings } = facts;
  const outlined = outlineTree(facts.tree, facts.selection);
  return [
    makePart("contract", "The contract", writeContractPart(facts.settings)),
    makePart("goal", "The goal (GOAL.md)", goal),
    makePart("guard", "The guard", writeGuardPart(settings.guard, facts.guardFiles)),
    makePart("instructions", "What to do now", writeInstructions(facts)),
    makePart("outline", "The tree", outlined.map(({ line }) => line).join("\n")),
    ...MEMORY_DOCUMENTS.map((name) => makePart(name, name, facts.documents[name])),
    makePart("progress", "What passes in the tree, and what has failed", writeProgress(outlined)),
    makePart("leaf", "The selected leaf, from the root to it", writeLeaf(facts)),
    makePart("context", "Context of this leaf", sidecars.context ?? ""),
    makePart("tools", "Tools for this leaf (tools.json)", sidecars.tools ?? ""),
    makePart("artifacts", "Artifacts of this leaf", sidecars.artifacts.join("\n")),
    makePart("feedback", "What happened in the iteration before", feedback ?? ""),
    makePart("guard_output", "The end of what the guard printed then", guardOutput ?? ""),
  ];
}

const makePart = (name: string, title: string, text: string): Part => ({ name, title, text, bytesMax: 24 * KIB });

function writeLeaf({ selection: { path, leaf } }: IterationFacts): string {
  const way = path.map(({ id, title }, level) => `${"  ".repeat(level)}${id}: ${title}`);
  return [...way, "", JSON.stringify(leaf, null, 2)].join("\n");
}

const LINES_MAX = 300;
const LEVELS_MAX = 4;

interface OutlineLine {
  readonly line: string;
  /** Null for the line that says that there are more. */
  readonly node: TreeNode | null;
}

/**
 * A node that passes is one line, and deep nodes are only counted. Which of them pass is said apart, so that the
 * outline stays the same while the plan does.
 */
function outlineTree({ root }: Tree, { path }: Selection): readonly OutlineLine[] {
  const onPath = new Set(path.map(({ id }) => id));
  const lines: OutlineLine[] = [];
  const visit = (node: TreeNode, level: number): void => {
    if (lines.length > LINES_MAX) return;
    const isOpen = !node.passes && (level < LEVELS_MAX || onPath.has(node.id));
    const hidden = isOpen || node.children.length === 0 ? "" : ` (${countBelow(node)} below)`;
    lines.push({ node, line: `${"  ".repeat(level)}${node.id}: ${node.title}${hidden}` });
    if (isOpen) for (const child of node.children.toSorted(compareSiblings)) visit(child, level + 1);
  };
  visit(root, 0);
  return lines.length > LINES_MAX ? [...lines.slice(0, LINES_MAX), { line: "...", node: null }] : lines;
}

function writeProgress(outlined: readonly OutlineLine[]): string {
  const known = outlined.flatMap(({ node }) => node ?? []);
  return [
    ...known.filter(({ passes }) => passes).map(({ id }) => `[x] ${id}`),
    ...known.filter(({ passes, attempts }) => !passes && attempts > 0).map(writeFailed),
  ].join("\n");
}

const writeFailed = ({ id, attempts }: TreeNode): string => `[ ] ${id}: ${attempts} failed`;

function countBelow({ children }: TreeNode): number {
  return children.reduce((count, child) => count + 1 + countBelow(child), 0);
}

function writeContractPart({ max_attempts }: TreeSettings): string {
  return [
    "A goal is a tree of nodes. You work on one open leaf of it, in a fresh session; what is to last has to be written down.",
    "",
    "- Never touch a node that passes: neither its fields nor its place.",
    "- `passes`, `attempts` and `max_attempts` are the runner's. A new node has",
    `  \`"passes": false, "attempts": 0, "max_attempts": ${max_attempts}\`.`,
    "- Every node has exactly these fields: id, order, title, goal, acceptance, passes, attempts, max_attempts, children.",
    "  Ids are unique in the whole tree. Siblings are ordered by `order`, then by id.",
    "- The `acceptance` of a node that exists stays as it is. No open node may disappear.",
    `- At most ${CHILDREN_MAX} children for a node, and at most ${DEPTH_MAX} levels below the root.`,
    "- Write only in the drop folder, named in RELAIS_DROP, and in the files that the leaf is about. Never write in the",
    "  runner's folder, its configuration or what the guard is made of. Never commit.",
    "- A proposal that breaks one of these is refused and reverted, and costs an attempt.",
  ].join("\n");
}

function writeGuardPart(guard: readonly string[], files: readonly string[]): string {
  return [
    `After a change outside the runner's folder that you call done, the runner runs \`${guard.join(" ")}\` itself.`,
    "The leaf passes only if it is green. Nobody can pass a leaf by hand.",
    ...(files.length === 0
      ? []
      : [`These files decide what it does; a change of one is reverted: ${files.join(", ")}`]),
  ].join("\n");
}

function writeInstructions(facts: PromptFacts): string {
  return [...writeTaskLines(facts), "", ...ENDING].join("\n");
}

const ENDING = [
  "`$RELAIS_DROP/tree.json` is a copy of the tree: edit it there to change the plan; any open node may be edited.",
  "Copies of HUMAN_QUESTIONS.md, ASSUMPTIONS.md, FEEDBACK_LOG.md and IMPROVEMENTS.md lie beside it: note there what you",
  "assume, what a person has to decide, what went wrong, and what would have helped. Go on with assumptions; do not wait.",
  "",
  'Leave as your result one JSON object: {"status": "done" | "retry" | "decomposed", "summary": "..."}.',
  "`done`: the leaf's goal is reached by what you changed. `retry`: it is not, another attempt is needed. `decomposed`:",
  "you changed the plan. If the leaf cannot be done, or a test is wrong, answer `retry`, and ask in HUMAN_QUESTIONS.md with",
  "what shows it. That is a good answer; half a change, or a check that you made pass, is not.",
] as const;

function writeTaskLines({ kind, selection: { leaf } }: PromptFacts): readonly string[] {
  if (kind === "repair")
    return [
      "The tree that the session before proposed could not be read. It lies in `$RELAIS_DROP/tree.broken.json`, and",
      "what is wrong with it stands below. Work on nothing else: put what it meant into `$RELAIS_DROP/tree.json`, which",
      "is the last valid tree, and answer `decomposed`.",
    ];
  if (kind === "demand")
    return [
      `The leaf "${leaf.id}" has used up its ${leaf.max_attempts} attempts. Change no code. Take it apart into smaller`,
      "children, or rewrite its title and goal so that they can be reached, in `$RELAIS_DROP/tree.json`, and answer",
      "`decomposed`. This is asked once; otherwise the series ends and a person has to look.",
    ];
  return [
    "Work on the selected leaf, which is described at the end. If it is small enough to be done now, do it. If it is not,",
    "change no code, take it apart into children that each are, and answer `decomposed`.",
  ];
}
