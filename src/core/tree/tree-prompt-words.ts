import type { TreeSettings, PromptFacts } from "./iteration-facts.ts";

export function writeContractPart({ max_attempts, max_depth, max_children }: TreeSettings): string {
  return [
    "A goal is a tree of nodes. You work on one open leaf of it, in a fresh session; what is to last has to be written down.",
    "",
    "- Never touch a node that passes: neither its fields nor its place.",
    "- `passes`, `attempts` and `max_attempts` are the runner's. A new node has",
    `  \`"passes": false, "attempts": 0, "max_attempts": ${max_attempts}\`.`,
    "- Every node has exactly these fields: id, order, title, goal, acceptance, passes, attempts, max_attempts, children.",
    "  Ids are unique in the whole tree. Siblings are ordered by `order`, then by id.",
    "- The `acceptance` of a node that exists stays as it is. No open node may disappear.",
    `- At most ${max_children} children for a node, and at most ${max_depth} levels below the root.`,
    "- Write only in the drop folder, named in RELAIS_DROP, and in the files that the leaf is about. Never write in the",
    "  runner's folder, its configuration or what the guard is made of. Never commit.",
    "- A proposal that breaks one of these is refused, put back, and costs an attempt.",
  ].join("\n");
}

export function writeGuardPart(guard: readonly string[], files: readonly string[]): string {
  return [
    `After a change outside the runner's folder that you call done, the runner runs \`${guard.join(" ")}\` itself.`,
    "The leaf passes only if it is green. Nobody can pass a leaf by hand.",
    ...(files.length === 0
      ? []
      : [`What decides what it does stays as it is; a change of one of these is put back: ${files.join(", ")}`]),
  ].join("\n");
}

export function writeInstructions(facts: PromptFacts): string {
  return [...writeTaskLines(facts), "", ...ENDING].join("\n");
}

const ENDING = [
  "`$RELAIS_DROP/tree.json` is a copy of the tree: edit it there to change the plan; any open node may be edited.",
  "Copies of HUMAN_QUESTIONS.md, ASSUMPTIONS.md, FEEDBACK_LOG.md and IMPROVEMENTS.md lie beside it: note there what you",
  "assume, what a person has to decide, what went wrong, and what would have helped. Go on with assumptions; do not wait.",
  "",
  'Leave as your result one JSON object: {"status": "done" | "retry" | "decomposed", "summary": "..."}.',
  "`done`: the leaf's goal is reached by what you changed. `retry`: it is not, another attempt is needed. `decomposed`:",
  "you changed the plan.",
] as const;

function writeTaskLines({ kind, selection: { leaf } }: PromptFacts): readonly string[] {
  if (kind === "repair")
    return [
      "The tree that the session before proposed could not be read. It lies in `$RELAIS_DROP/tree.broken.json`, and",
      "what is wrong with it stands above. Work on nothing else: put what it meant into `$RELAIS_DROP/tree.json`, which",
      "is the last valid tree, and answer `decomposed`.",
    ];
  if (kind === "demand")
    return [
      `The leaf "${leaf.id}" has used up its ${leaf.max_attempts} attempts. Change no code. Take it apart into smaller`,
      "children, or rewrite its title and goal so that they can be reached, in `$RELAIS_DROP/tree.json`, and answer",
      "`decomposed`. This is asked once; otherwise the series ends and a person has to look.",
    ];
  return [
    `Work on the leaf "${leaf.id}". If it is small enough to be done now, do it. If it is not, change no code, take it`,
    "apart into children that each are, and answer `decomposed`.",
  ];
}
