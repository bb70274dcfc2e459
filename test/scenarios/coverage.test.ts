/** Nothing that a person can meet or set is without a scenario, unless it is named here with the reason. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { CODES } from "../../src/base/codes.ts";
import { configOf, hasPath } from "../support/scenario-documents.ts";
import { SCENARIOS } from "./scenarios.ts";

/** Codes that no tick with a task of a person's own can end with. */
const CODES_OF_OTHERS: Readonly<Record<string, string>> = {
  BLOCKED_PROTECTED_BRANCH: "the tree workflow refuses where a tick makes a branch",
  BLOCKED_QUEUE_UNAVAILABLE: "only jobs need a queue",
  STOP_BREAKER: "a breaker ends a series",
  STOP_GUARD_FAILED: "the tree workflow has a guard",
  STOP_MAIN_TREE_CHANGED: "only a tick that works elsewhere merges into the main tree",
  STOP_PROOF_MISSING: "`relais judge --require-proof` looks at commits",
  STOP_NO_PROGRESS: "a series of several ticks can stand still",
};

test("every code has a scenario, or cannot occur in a tick with a given task", () => {
  const met = new Set<string>(SCENARIOS.filter(({ known }) => known === undefined).map(({ ends }) => ends.code));
  const expected = Object.keys(CODES).filter((code) => !Object.hasOwn(CODES_OF_OTHERS, code));
  expect([...met].toSorted()).toEqual(expected.toSorted());
});

/** Keys that change nothing about a tick with a given task, by the beginning of their name. */
const KEYS_OF_OTHERS: Readonly<Record<string, string>> = {
  $schema: "editors read it",
  product_name: "pages for people show it",
  claude_code_cli: "the driver for Claude Code",
  "models.orchestrator_fallback": "the drivers for agents",
  "models.builder": "the drivers for agents",
  "orchestrator.max_turns": "the drivers for agents",
  "orchestrator.permission_mode": "the driver for Claude Code",
  "orchestrator.allowed_tools": "the driver for Claude Code",
  "orchestrator.max_budget_usd": "agents that report what they cost",
  "builder.claude_code": "the driver for Claude Code",
  "builder.codex": "the driver for Codex",
  roles: "the drivers for agents, and the other roles",
  "scope.default_allow": "a task brings its own; a judgement without a task takes these, and the orchestrator is told",
  "verification.baseline_max_seconds": "a test that waits for it",
  "verification.held_out": "its own tests",
  "verification.setup": "its own tests",
  "verification.required": "a planner, a goal, a tree and a campaign: test/commands/required-checks.test.ts",
  "verification.rules": "one of them is shown, and the tests of the gate show the others",
  "review.blocker_threshold": "the goal workflow, which takes it where it has none of its own",
  "budgets.per_milestone.max_estimated_cost_usd": "agents that report what they cost",
  "budgets.per_run.max_estimated_cost_usd": "agents that report what they cost",
  ask_timeout_seconds: "a test that waits for it; without it, a scenario would wait for a day",
  "runner.max_new_files": "the hostile builders",
  "runner.max_new_mb": "the hostile builders",
  sandbox_hidden: "the tests of the sandbox",
  network: "the tests of the sandbox",
  network_hosts: "the tests of the sandbox",
  network_registries: "the tests of the sandbox",
  journal: "test/commands/proof.test.ts, with keys of its own",
  loop: "the loop",
  tree: "the tree workflow",
  goal: "the goal workflow",
  campaign: "the campaign workflow",
  "builder.cursor": "the older name of `builder.command`",
  "orchestrator.cursor": "the older name of `orchestrator.command`",
  handoff: "the end of a job or a goal",
  repairs: "the further tries of a sentence",
  project_files: "the prompt of a session",
  notify: "the notifications, which come after the end of a tick",
};

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null;
}

/** Every key of the schema that has no keys below it. */
function leaves(schema: unknown, path: readonly string[] = []): readonly string[] {
  const properties = isRecord(schema) ? schema["properties"] : undefined;
  if (!isRecord(properties) || (isRecord(schema) && schema["deprecated"] === true)) return [path.join(".")];
  return Object.entries(properties).flatMap(([name, inner]) => leaves(inner, [...path, name]));
}

const schemaFile = join(import.meta.dirname, "../../schemas/config.schema.json");
const KEYS = leaves(JSON.parse(readFileSync(schemaFile, "utf8")));
const SHOWN = new Set(SCENARIOS.flatMap(({ keys = [] }) => keys));
const belongsTo = (key: string, start: string): boolean => key.startsWith(start);

test("every key of the configuration has a scenario that it changes, or belongs to somebody else", () => {
  expect(KEYS.length).toBeGreaterThan(150);
  const starts = Object.keys(KEYS_OF_OTHERS);
  expect(KEYS.filter((key) => !SHOWN.has(key) && !starts.some((start) => belongsTo(key, start)))).toEqual([]);
  expect([...SHOWN].filter((key) => !KEYS.includes(key))).toEqual([]);
  expect(starts.filter((start) => !KEYS.some((key) => belongsTo(key, start) && !SHOWN.has(key)))).toEqual([]);
});

test("a scenario sets the keys that it shows", () => {
  const absent = SCENARIOS.flatMap((scenario) =>
    (scenario.keys ?? [])
      .filter((key) => !hasPath(configOf(scenario), key.split(".")))
      .map((key) => `${scenario.shows}: ${key}`),
  );
  expect(absent).toEqual([]);
});

test("no two scenarios have the same name", () => {
  const names = SCENARIOS.map(({ shows }) => shows);
  expect(names.filter((name, place) => names.indexOf(name) !== place)).toEqual([]);
});
