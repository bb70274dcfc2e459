import { expect, test } from "vitest";
import { makeDefaultConfig } from "../../../src/config/config.ts";
import type { PromptFacts } from "../../../src/workflows/pure/iteration-facts.ts";
import { composeTreePrompt } from "../../../src/workflows/pure/tree-prompt.ts";
import { node } from "../../support/tree-node.ts";

const leaf = node("leaf", { goal: "The goal of the leaf" });
const root = node("root", { children: [leaf, node("later", { order: 1 })] });

const FACTS: PromptFacts = {
  iterN: 1,
  kind: "work",
  tree: { version: 1, root },
  selection: { leaf, path: [root, leaf] },
  settings: { ...makeDefaultConfig().tree, guard: ["just", "ci"] },
  workspace: "relais",
  goal: "GOAL-WORDS",
  documents: {
    "HUMAN_QUESTIONS.md": "QUESTION-WORDS",
    "ASSUMPTIONS.md": "ASSUMPTION-WORDS",
    "FEEDBACK_LOG.md": "LOG-WORDS",
    "IMPROVEMENTS.md": "IMPROVEMENT-WORDS",
  },
  sidecars: {
    context: "CONTEXT-WORDS",
    tools: '{"TOOL-WORDS": 1}',
    artifacts: ["relais/nodes/leaf/artifacts/a.txt"],
  },
  guardFiles: ["**/justfile"],
  feedback: "FEEDBACK-WORDS",
  guardOutput: "GUARD-WORDS",
};

const ORDER = [
  "## The contract",
  "GOAL-WORDS",
  "`just ci`",
  "## What to do now",
  "later: Do later",
  "QUESTION-WORDS",
  "ASSUMPTION-WORDS",
  "LOG-WORDS",
  "IMPROVEMENT-WORDS",
  "The goal of the leaf",
  "CONTEXT-WORDS",
  "TOOL-WORDS",
  "artifacts/a.txt",
  "FEEDBACK-WORDS",
  "GUARD-WORDS",
];

test("every part stands in its place, and the same facts give the same bytes", () => {
  const prompt = composeTreePrompt(FACTS);
  const places = ORDER.map((words) => prompt.indexOf(words));
  expect(places).not.toContain(-1);
  expect(places).toEqual(places.toSorted((a, b) => a - b));
  expect(composeTreePrompt(structuredClone(FACTS))).toBe(prompt);
});

const DROPPED = [
  "IMPROVEMENT-WORDS",
  "LOG-WORDS",
  "ASSUMPTION-WORDS",
  "QUESTION-WORDS",
  "artifacts/a.txt",
  "later: Do later",
  "TOOL-WORDS",
  "CONTEXT-WORDS",
  "GUARD-WORDS",
];

test("what is left out for its size is always left out in the same order, and the rest never", () => {
  const kept = (bytesMax: number): readonly boolean[] =>
    DROPPED.map((words) => composeTreePrompt(FACTS, bytesMax).includes(words));
  const whole = new TextEncoder().encode(composeTreePrompt(FACTS)).length;
  let seen = 0;
  for (let bytes = whole + 100; bytes > 0; bytes -= 40) {
    const flags = kept(bytes);
    const first = flags.indexOf(true);
    const gone = first === -1 ? flags.length : first;
    expect(flags.slice(gone).every(Boolean)).toBe(true);
    expect(gone).toBeGreaterThanOrEqual(seen);
    seen = gone;
  }
  expect(seen).toBe(DROPPED.length);
  const least = composeTreePrompt(FACTS, 0);
  for (const words of ORDER.filter((one) => !DROPPED.includes(one))) expect(least).toContain(words);
});

test("a leaf without attempts and a broken tree ask for something else", () => {
  expect(composeTreePrompt({ ...FACTS, kind: "demand" })).toContain("has used up its 3 attempts");
  expect(composeTreePrompt({ ...FACTS, kind: "repair" })).toContain("tree.broken.json");
});

test("while the plan stays the same, only what follows it changes", () => {
  const [passed, later] = [{ ...leaf, passes: true }, node("later", { order: 1, attempts: 2 })];
  const next = { ...root, children: [passed, later] };
  const facts = {
    ...FACTS,
    tree: { version: 1 as const, root: next },
    selection: { leaf: later, path: [next, later] },
  };
  const [one, other] = [composeTreePrompt(FACTS), composeTreePrompt(facts)];
  const shared = one.slice(0, one.indexOf("## The selected leaf"));
  expect(other.startsWith(shared)).toBe(true);
  expect(other).toContain("\n[x] leaf\n[ ] later: 2 failed\n");
});
