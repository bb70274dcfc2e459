import { expect, test } from "vitest";
import { BUILDER_SLOTS, fillTemplate, findTemplateProblem } from "../../../src/tick/pure/framed-section.ts";
import { ORCHESTRATOR_SLOTS } from "../../../src/tick/pure/orchestrator-prompt.ts";
import { SHIPPED_PROMPTS } from "../../../src/workspace/session-files.ts";

test("slots are filled in one pass", () => {
  const slots = { A: "{{B}} $& $1", B: "b" };
  expect(fillTemplate("{{A}} {{B}} {{A}} { {{ C }}", slots)).toBe("{{B}} $& $1 b {{B}} $& $1 { {{ C }}");
});

test("an unknown slot is named with the one that was meant", () => {
  expect(findTemplateProblem("{{FACT_MD}}", ["FACTS_MD", "ANSWER"])).toBe(
    "it has the unknown slot `{{FACT_MD}}`; did you mean `{{FACTS_MD}}`?",
  );
  expect(findTemplateProblem("{{__proto__}}", ["ANSWER"])).toContain("known are `{{ANSWER}}`");
  expect(findTemplateProblem("{{X}}", [])).toContain("this file has no slots");
  expect(findTemplateProblem("{{ANSWER}} {not} {{{one}", ["ANSWER"])).toBeNull();
});

test.each([
  ["orchestrator.system.txt", []],
  ["orchestrator.user.txt", ORCHESTRATOR_SLOTS],
  ["builder.system.txt", []],
  ["builder.user.txt", BUILDER_SLOTS],
] as const)("%s has every slot once and no other", (name, slots) => {
  const text = SHIPPED_PROMPTS[name] ?? "";
  expect(findTemplateProblem(text, slots)).toBeNull();
  expect([...text.matchAll(/\{\{(\w+)\}\}/g)].map(([, slot]) => slot)).toEqual([...slots]);
});

test("a builder reads once that git's own data may be read-only", () => {
  const mentions = Object.values(SHIPPED_PROMPTS).flatMap((text) => [
    ...text.matchAll(/git's own data may be read-only/g),
  ]);
  expect(mentions).toHaveLength(1);
});
