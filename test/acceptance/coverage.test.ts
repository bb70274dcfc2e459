/** What relais promises at the least, and the whole runs that show it. A test that is renamed or removed is missed here. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";

type Shown = Readonly<Record<string, readonly string[]>>;

const SERIES: Readonly<Record<string, Shown>> = {
  "a loop stops at the cap of its budget": {
    "workflows/loop-ends": [
      "the cap of the milestone, where nobody minds the warning",
      "the cap of the series, whatever milestones it passes through",
    ],
  },
  "an interrupt is graceful": {
    "workflows/interrupted": ["%s in the %s phase ends the loop, and the next one goes on with the series"],
    "workflows/waiting": ["%s ends it, and the next one goes on waiting", "%s ends it with what it has"],
  },
  "a patch that leads out of the repository is rejected": {
    "acceptance/loop": ["a loop whose patch leads out of the repository stops before anything is written"],
  },
  "a program that takes too long is killed": {
    "acceptance/loop": [
      "a loop whose builder is a program that takes too long stops, with the program gone and the work put back",
    ],
  },
};

const CRITERIA: Readonly<Record<string, Shown>> = {
  "one tick only, with bounded attempts": {
    "scenarios/judge": ["F001: one builder call and no retry for a task that is done well"],
    "scenarios/orchestrate": ["F001: an answer that is no task is asked for once more, with the reason"],
    "scenarios/patch": ["a patch that git does not take says why, and is not retried"],
  },
  "the runner judges, reports always and leaves the repository clean": {
    "support/scenario-ending": ["export function checkOutcome", "export function checkRepository"],
    "scenarios/plan": [
      "F003: something changes while a question is asked",
      "F004: a verify_only task with a builder that edits",
    ],
    "scenarios/build": ["a program that fails stops the tick with its status"],
  },
  "scope is fenced": {
    "scenarios/judge": [
      "F005: an edit outside the allowed globs",
      "a forbidden path is edited although the task allows it",
      "a glob that the task forbids",
    ],
  },
  "checks run without a shell, untainted and for a bounded time": {
    "scenarios/verify": [
      "a shell is never used, so a template is taken word for word",
      "F010: a parameter with a shell character",
      "a fast check that takes too long",
      "a slow check that takes too long",
    ],
  },
  "two reports, one made from the other": {
    "scenarios/report": [
      "the history holds everything that the tick was decided by",
      "REPORT.md is as short as it is wanted",
    ],
    "cards/report-markdown.test": ["it is made from the report alone, so a report from disk gives the same text"],
  },
  "Claude Code is called as configured": {
    "acceptance/claude-plans": [
      "it is called without a terminal, with the format, turns, permissions and models of the configuration",
    ],
    "agents/claude-arguments": ["every key has its argument"],
    "commands/run-claude": ["a tick built by Claude Code tells what it does, what it cost and what it was denied"],
  },
};

const FIXTURES: Readonly<Record<string, Shown>> = {
  F001: {
    "scenarios/judge": ["F001: the same with a program as the builder"],
    "scenarios/orchestrate": ["F001: a proposed task is built with one call each"],
  },
  F002: { "scenarios/orchestrate": ["F002: no JSON, twice"] },
  F003: { "scenarios/orchestrate-trouble": ["F003: an orchestrator that asks, and writes meanwhile"] },
  F004: {
    "scenarios/plan": ["F004: a verify_only task with a builder that edits"],
    "scenarios/orchestrate-trouble": ["F004: an orchestrator that only wants checks, and writes meanwhile"],
  },
  F005: { "scenarios/judge": ["F005: an edit outside the allowed globs"] },
  F006: {
    "scenarios/judge": ["F006: the runner's own state is forged", "F006: git's configuration is edited"],
  },
  F007: { "scenarios/judge": ["F007: a new file where none may be"] },
  F008: { "scenarios/judge": ["F008: a lockfile is changed"] },
  F009: { "scenarios/judge": ["F009: more lines than the task allows"] },
  F010: { "scenarios/verify": ["F010: a parameter with a shell character"] },
  F011: { "scenarios/verify": ["F011: a fast check fails and no slow one is run"] },
  F012: { "scenarios/preflight": ["F012: a crash left a temporary file and a damaged STATE.json"] },
};

const PLANNING: Readonly<Record<string, Shown>> = {
  "a call that fails, takes too long or has no wrapper": {
    "scenarios/orchestrate-trouble": [
      "an orchestrator that ends with a status",
      "an orchestrator that dies",
      "an orchestrator that is not there",
      "an orchestrator that takes longer than its program may",
    ],
    "acceptance/claude-plans": ["that is no JSON", "without a wrapper", "whose wrapper is cut off"],
  },
  "a wrapper without a result": {
    "acceptance/claude-plans": ["whose wrapper has no result", "whose result is not a text"],
  },
  "a result that is no JSON, after the retry": {
    "acceptance/claude-plans": ["a result that is no task, twice, blocks"],
    "scenarios/orchestrate": ["no second attempt where the configuration wants none", "a task with words after it"],
  },
  "a task that breaks the schema, after the retry": {
    "scenarios/orchestrate": [
      "a task with a key too many and one too few names both",
      "a task that says one thing twice",
      "a key that reaches for a prototype",
    ],
  },
};

const CASES = Object.entries({ ...SERIES, ...CRITERIA, ...FIXTURES, ...PLANNING });

function sourceOf(name: string): string {
  const isTest = /^(workflows|acceptance|agents|commands)\//.test(name);
  return readFileSync(join(import.meta.dirname, `../${name}${isTest ? ".test" : ""}.ts`), "utf8");
}

describe("is shown by whole runs", () => {
  test.each(CASES)("%s", (_criterion, shown) => {
    const missing = Object.entries(shown).flatMap(([file, names]) => {
      const source = sourceOf(file);
      return names.filter((name) => !source.includes(name)).map((name) => `${file}: ${name}`);
    });
    expect(missing).toEqual([]);
  });
});
