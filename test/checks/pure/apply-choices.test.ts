import { expect, test } from "vitest";
import { parseConfig } from "../../../src/config/parse-config.ts";
import type { Choices } from "../../../src/config/choices.ts";
import { applyChoices, namesAgent } from "../../../src/checks/pure/apply-choices.ts";
import { makeDefaultConfig } from "../../../src/config/config.ts";

function apply(document: object, choices: Choices): unknown {
  const parsed = parseConfig(document);
  if (parsed.kind === "invalid") throw new Error(JSON.stringify(parsed.problems));
  return JSON.parse(applyChoices({ text: JSON.stringify(document), config: parsed.value }, choices));
}

test("without choices the text stays, byte for byte", () => {
  const text = ' {"git": {}}\n\n';
  expect(applyChoices({ text, config: makeDefaultConfig() }, {})).toBe(text);
});

test("the same choices twice are the same text, whatever keys are there already", () => {
  const choices: Choices = {
    agent: "codex",
    model: "m",
    allow: ["a/**"],
    checks: ["test"],
    max_lines: 3,
    new_files: true,
  };
  const config = makeDefaultConfig();
  const once = applyChoices({ text: '{"goal":{"max_turns":3}}', config }, choices);
  expect(applyChoices({ text: once, config }, choices)).toBe(once);
  expect(parseConfig(JSON.parse(once)).kind).toBe("valid");
});

test("an agent brings the orchestrator along, unless the configuration names one", () => {
  expect(apply({}, { agent: "codex" })).toEqual({
    roles: { builder: { driver: "codex" }, orchestrator: { driver: "codex" } },
  });
  const named = { roles: { orchestrator: { driver: "claude_code", model: "opus" }, reviewer: { model: "x" } } };
  expect(apply(named, { agent: "codex" })).toEqual({ roles: { ...named.roles, builder: { driver: "codex" } } });
});

test("settings in the words of one program are not handed to another one", () => {
  const roles = { builder: { model: "opus", effort: "high", timeout_seconds: 5 } };
  expect(apply({ roles }, { agent: "codex" })).toMatchObject({
    roles: { builder: { driver: "codex", timeout_seconds: 5 } },
  });
  expect(apply({ roles }, { agent: "codex" })).not.toMatchObject({ roles: { builder: { model: "opus" } } });
  expect(apply({ roles }, { agent: "claude_code" })).toMatchObject({ roles: { builder: { model: "opus" } } });
  expect(apply({ roles }, { agent: "codex", model: "gpt" })).toMatchObject({ roles: { builder: { model: "gpt" } } });
});

test("scope and limits are those of every workflow, and forbidden globs stay", () => {
  const config = { scope: { default_forbidden_globs: ["secret/**"] }, goal: { scope: { forbidden_globs: ["x"] } } };
  const scope = { allowed_globs: ["lib/**", "a.md"], allow_new_files: false };
  expect(apply(config, { only: ["lib/**"], allow: ["a.md", "lib/**"], new_files: false, max_lines: 9 })).toMatchObject({
    scope: { default_allowed_globs: ["lib/**", "a.md"], default_allow_new_files: false },
    diff_limits: { default_max_lines_changed: 9 },
    goal: { scope: { ...scope, forbidden_globs: ["x"] }, diff_limits: { max_lines_changed: 9 } },
    tree: { scope, diff_limits: { max_lines_changed: 9 } },
    campaign: { scope, diff_limits: { max_lines_changed: 9 } },
  });
});

test("a glob is added to the scope that each workflow has", () => {
  const config = { scope: { default_allowed_globs: ["src/**"] }, tree: { scope: { allowed_globs: ["lib/**"] } } };
  expect(apply(config, { allow: ["docs/**"] })).toMatchObject({
    scope: { default_allowed_globs: ["src/**", "docs/**"] },
    tree: { scope: { allowed_globs: ["lib/**", "docs/**"] } },
    goal: { scope: { allowed_globs: ["**", "docs/**"] } },
  });
});

test("a named check is the guard of a tree and the checks of a goal", () => {
  const verification = { templates: [{ id: "unit", cmd: "make", args: ["unit"] }] };
  expect(apply({ verification }, { checks: ["unit"] })).toMatchObject({
    goal: { checks: ["unit"] },
    tree: { guard: ["make", "unit"] },
  });
});

test("only a written agent is named", () => {
  expect(namesAgent("{}")).toBe(false);
  expect(namesAgent('{"builder":{"command":{"command":"x"}}}')).toBe(false);
  expect(namesAgent('{"builder":{"default_mode":"cursor"}}')).toBe(true);
  expect(namesAgent('{"roles":{"builder":{"driver":"codex"}}}')).toBe(true);
});
