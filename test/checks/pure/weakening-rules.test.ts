import { expect, test } from "vitest";
import { makeDefaultConfig } from "../../../src/config/config.ts";
import { makeWeakeningRules } from "../../../src/checks/pure/check-steering.ts";

const { verification } = makeDefaultConfig();

test("by default no rule is set, and tests and settings are known", () => {
  const { weakening } = makeWeakeningRules(verification, []);
  expect(weakening?.rules).toEqual({});
  expect(weakening?.test_globs).toEqual(verification.oracle_globs);
  expect(weakening?.settings_globs).toContain("**/{tsconfig,jsconfig}*.json");
});

test("what a task allows is a note, and stays off where it was off", () => {
  const rules = { suppression: "stop", test_aware: "off" } as const;
  const { weakening } = makeWeakeningRules({ ...verification, rules }, ["suppression", "test_aware", "reads_tests"]);
  expect(weakening?.rules).toEqual({ suppression: "note", test_aware: "off", reads_tests: "note" });
});

test("without an oracle nobody looks", () => {
  expect(makeWeakeningRules({ ...verification, oracle: "off" }, [])).toEqual({});
});

test("rules about the words of a task only make notes for the task of an orchestrator", () => {
  const ask = (isOwn: boolean) => makeWeakeningRules(verification, [], { text: "Fix it.", isOwn }).weakening?.rules;
  expect(ask(true)).toEqual(verification.rules);
  expect(ask(false)).toEqual({ no_effect: "note", passes_without_change: "note", ...verification.rules });
});
