/**
 * What the session of an iteration is told.
 *
 * The order never changes, and the same facts give the same bytes. Where everything together is too long, whole parts
 * are left out in an order that is fixed too, and the prompt says which; what a session cannot do without is never
 * left out, only cut at its own bound.
 */
import { countBytes, frameSection } from "../prompt/framed-section.ts";
import type { IterationFacts } from "./iteration-facts.ts";
import type { PromptFacts } from "./prompt-facts.ts";
import { MEMORY_DOCUMENTS } from "./memory-documents.ts";
import { writeContractPart, writeGuardPart, writeInstructions } from "./tree-prompt-words.ts";
import { outlineTree } from "./tree-outline.ts";

interface Part {
  readonly name: string;
  readonly title: string;
  readonly text: string;
  readonly bytesMax: number;
}

const KIB = 1024;
/** All of the prompt. The bounds of the required parts together stay below it. */
const PROMPT_BYTES_MAX = 128 * KIB;

/** What is left out first stands first. */
const DROP_ORDER: readonly string[] = [
  "IMPROVEMENTS.md",
  "FEEDBACK_LOG.md",
  "ASSUMPTIONS.md",
  "HUMAN_QUESTIONS.md",
  "artifacts",
  "outline",
  "tools",
  "context",
  "guard_output",
];

export function composeTreePrompt(facts: PromptFacts, bytesMax: number = PROMPT_BYTES_MAX): string {
  const parts = partsOf(facts).filter(({ text }) => text !== "");
  const rendered = parts.map((part) => ({ part, text: `## ${part.title}\n\n${shown(part)}\n` }));
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

/** Our own words stand as they are; everything else is framed. */
function shown({ name, text, bytesMax }: Part): string {
  return OWN_WORDS.includes(name) ? text : frameSection(text, bytesMax);
}

const OWN_WORDS: readonly string[] = ["contract", "guard", "instructions"];

function partsOf(facts: PromptFacts): readonly Part[] {
  const { goal, feedback, guardOutput, sidecars, settings } = facts;
  return [
    part("contract", "The contract", writeContractPart(facts.settings)),
    part("goal", "The goal (GOAL.md)", goal),
    part("outline", "The tree", outlineTree(facts.tree, facts.selection)),
    part("leaf", "The selected leaf, from the root to it", leafText(facts)),
    part("context", "Context of this leaf", sidecars.context ?? ""),
    part("tools", "Tools for this leaf (tools.json)", sidecars.tools ?? ""),
    part("artifacts", "Artifacts of this leaf", sidecars.artifacts.join("\n")),
    ...MEMORY_DOCUMENTS.map((name) => part(name, name, facts.documents[name])),
    part("feedback", "What happened in the iteration before", feedback ?? ""),
    part("guard_output", "The end of what the guard printed then", guardOutput ?? ""),
    part("guard", "The guard", writeGuardPart(settings.guard, facts.guardFiles)),
    part("instructions", "What to do now", writeInstructions(facts)),
  ];
}

/** Whether it may be left out is decided by its name. */
const part = (name: string, title: string, text: string): Part => ({ name, title, text, bytesMax: 24 * KIB });

function leafText({ selection: { path, leaf } }: IterationFacts): string {
  const way = path.map(({ id, title }, level) => `${"  ".repeat(level)}${id}: ${title}`);
  return [...way, "", JSON.stringify(leaf, null, 2)].join("\n");
}
