import fc from "fast-check";
import * as v from "valibot";
import { describe, expect, test } from "vitest";
import { type CampaignContract } from "../../../src/records/campaign.ts";
import { findContractProblems, findCriterionProblem } from "../../../src/workflows/pure/lint-contract.ts";
import { openContract, readPrd, readTestSpec, testSpecText, writePrd } from "../../../src/workflows/pure/prd.ts";
import { joinCommand, splitCommand } from "../../../src/workflows/pure/split-command.ts";
import { Config } from "../../../src/config/config.ts";
import { recommendUnit, suggestPlan } from "../../../src/workflows/pure/suggestions.ts";
import { CONTRACT } from "../../support/campaign-contract.ts";

const story = (id: string, criteria: readonly string[]) => ({
  id,
  title: "A story",
  criteria: criteria.map((text, index) => ({ id: `AC${index + 1}`, text })),
});

describe("what keeps a contract from being run", () => {
  const [first] = CONTRACT.stories;
  test.each<[string, Partial<CampaignContract>, readonly RegExp[]]>([
    ["nothing", {}, []],
    ["no objective", { objective: "?" }, [/objective is missing/]],
    ["no story", { stories: [] }, [/no story/]],
    [
      "a story twice",
      { stories: [story("US-001", ["prints 1"]), story("US-001", ["prints 2"])] },
      [/US-001 is there twice/],
    ],
    ["a story without criteria", { stories: [story("US-001", [])] }, [/US-001 has no acceptance criteria/]],
    [
      "a criterion twice",
      {
        stories: [
          {
            ...story("US-001", []),
            criteria: [
              { id: "AC1", text: "prints 1" },
              { id: "AC1", text: "prints 2" },
            ],
          },
        ],
      },
      [/US-001 AC1 is there twice/],
    ],
    [
      "a criterion that is an opinion",
      { stories: [story("US-001", ["the code is clean and robust"])] },
      [/Nobody can check US-001 AC1: "clean"/],
    ],
    ["no unit", { iteration_unit: null }, [/iteration unit is not chosen/]],
    ["no command", { commands: [] }, [/no command/]],
    ["a command twice", { commands: [...CONTRACT.commands, ...CONTRACT.commands] }, [/there is there twice/]],
    ["a bad id", { stories: [{ ...(first ?? story("US-001", [])), id: "US-1" }] }, [/US-001/]],
  ])("%s", (_, part, expected) => {
    const problems = findContractProblems({ ...CONTRACT, ...part });
    expect(problems).toEqual(expected.map((words) => expect.stringMatching(words)));
  });

  test("an open contract says everything that is to be decided", () => {
    expect(findContractProblems(openContract("new", null))).toHaveLength(5);
  });
});

test.each([
  ["`add(1, 2)` returns 3", null],
  ["The page answers within 200 ms", null],
  ["Every public function has a test", null],
  ["An empty name is refused with an error", null],
  ["It works", "it says too little"],
  ["The result is correct in all cases", '"correct" is an opinion'],
  ["The page is fast for everybody", '"fast" is an opinion'],
  ["TBD", "it is not written yet"],
  ["<criterion>", "it is not written yet"],
  ["", "it is not written yet"],
])("the criterion %j is checkable unless %j", (text, problem) => {
  expect(`${findCriterionProblem(text)}`).toContain(`${problem}`);
});

test("a contract is read back from its Markdown as it was", () => {
  const line = fc.stringMatching(/^[a-zA-Z0-9][a-zA-Z0-9 .,']{0,40}[a-zA-Z0-9]$/u);
  const word = fc.stringMatching(/^[a-zA-Z0-9 '*$-]{1,12}$/u).filter((text) => text.trim() !== "");
  const contract = fc.record({
    objective: line,
    stories: fc.array(fc.tuple(line, fc.array(line, { maxLength: 3 })), { maxLength: 4 }),
    unit: fc.constantFrom("story" as const, "all" as const, null),
    argv: fc.array(word, { minLength: 1, maxLength: 4 }),
    model: fc.constantFrom("opus", null),
    max: fc.option(fc.integer({ min: 1, max: 999 })),
  });
  fc.assert(
    fc.property(contract, ({ objective, stories, unit, argv, model, max }) => {
      const whole: CampaignContract = {
        ...CONTRACT,
        objective,
        stories: stories.map(([title, criteria], index) => ({
          id: `US-00${index + 1}`,
          title,
          criteria: criteria.map((text, at) => ({ id: `AC${at + 1}`, text })),
        })),
        iteration_unit: unit,
        commands: [{ id: "test", argv }],
        worker_model: model,
        max_iterations: max,
      };
      const { commands, ...rest } = whole;
      expect(readPrd(writePrd(whole), whole.slug)).toEqual({ contract: rest, problems: [] });
      expect(readTestSpec(testSpecText(whole))).toEqual({ commands, problems: [] });
    }),
  );
});

test("a line that looks like part of a contract and is none is told, never skipped", () => {
  const text =
    "## Stories\n### Story one\n- no story yet\n### US-001: One\n- it prints\n## Settings\n- models: opus\n- iteration unit: some\n- max iterations: many\n";
  expect(readPrd(text, "x").problems).toHaveLength(6);
  expect(readTestSpec("## Commands\n- Test: npm test\n- test: npm test && rm\n").problems).toEqual([
    expect.stringContaining("is no command"),
    expect.stringContaining("no shell runs it, so `&` means nothing"),
  ]);
});

test.each([
  ["npm test", ["npm", "test"]],
  ["  node  -e 'process.exit(0)' ", ["node", "-e", "process.exit(0)"]],
  ['grep "two words" file', ["grep", "two words", "file"]],
  ["a'b c'd", ["ab cd"]],
  ["npm test && true", null],
  ["echo $HOME", null],
  ["echo 'open", null],
  ["", null],
])("the command %j is %j", (line, argv) => {
  const split = splitCommand(line);
  expect(split.kind === "argv" ? split.argv : null).toEqual(argv);
  const again = splitCommand(joinCommand(argv ?? ["x"]));
  expect(again).toEqual({ kind: "argv", argv: argv ?? ["x"] });
});

test("suggestions follow from what is known", () => {
  const templates = [
    { id: "test", cmd: "npm", args: ["test"] },
    { id: "lint", cmd: "npm", args: ["run", "lint"] },
  ];
  const config = v.parse(Config, { verification: { templates } });
  const suggested = (description: string | null) => suggestPlan(config, description, null);
  expect(suggested("Build a Calculator, für alle!").slug).toBe("build-a-calculator-fur-alle");
  expect(suggested("a very long description of something that goes on").slug).toBe("a-very-long-description-of");
  expect(suggested(null)).toMatchObject({ slug: "campaign", objective: undefined, stories: [] });
  expect([1, 3].map(recommendUnit)).toEqual(["all", "story"]);
  expect([1, 4].map(suggested("x").iterations)).toEqual([6, 12]);
  const draft = {
    ...CONTRACT,
    stories: [{ title: "One", criteria: ["prints 1"] }],
    commands: [{ id: "unit", argv: ["npm", "test"] }],
    max_iterations: 5,
  };
  expect(suggestPlan(config, "x", draft).commands).toEqual([
    { id: "unit", line: "npm test" },
    { id: "lint", line: "npm run lint" },
  ]);
});
