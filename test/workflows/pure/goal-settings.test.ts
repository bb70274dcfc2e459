import { describe, expect, test } from "vitest";
import { parseConfig } from "../../../src/config/parse-config.ts";
import { findBaseProblem, chooseGoalSettings } from "../../../src/workflows/pure/goal-settings.ts";

function goalOf(goal: object, review: object = {}) {
  const parsed = parseConfig({ goal, review });
  if (parsed.kind === "invalid") throw new Error("the fixture is no configuration");
  return parsed.value;
}

const NOTHING = { maxTurns: null, quorum: null, reviewers: null, blockerThreshold: null };

describe("settings of a goal", () => {
  test.each([
    ["the defaults", {}, { max_turns: 10, review_quorum: 2, blocker_threshold: 3 }],
    ["what was given", { maxTurns: "4", quorum: "3", blockerThreshold: "2" }, { max_turns: 4, review_quorum: 3 }],
    ["a default threshold gives way to few turns", { maxTurns: "2" }, { blocker_threshold: 2 }],
    ["it is two at least, even with a single turn", { maxTurns: "1" }, { blocker_threshold: 2 }],
    [
      "a default quorum gives way to few reviewers",
      { reviewers: "1" },
      { reviewers: ["completion"], review_quorum: 1 },
    ],
  ])("%s", (_, given, chosen) => {
    expect(chooseGoalSettings({ ...NOTHING, ...given }, goalOf({}))).toMatchObject({
      kind: "chosen",
      chosen,
    });
  });

  test.each([
    [1, 2],
    [2, 2],
    [3, 3],
    [10, 3],
  ])("of %i configured turns, a blocker has to be named in %i", (max_turns, blocker_threshold) => {
    const choice = chooseGoalSettings(NOTHING, goalOf({ max_turns }));
    expect(choice).toMatchObject({ chosen: { max_turns, blocker_threshold } });
  });

  test("turns that were given are what the default threshold gives way to, not those of the configuration", () => {
    const choice = chooseGoalSettings({ ...NOTHING, maxTurns: "10" }, goalOf({ max_turns: 2 }));
    expect(choice).toMatchObject({ chosen: { max_turns: 10, blocker_threshold: 3 } });
  });

  test.each([
    ["is that of the review", {}, 5],
    ["of its own wins", { blocker_threshold: 4 }, 4],
    ["of the review gives way to few turns", { max_turns: 3 }, 3],
  ])("the configured threshold %s", (_, goal, blocker_threshold) => {
    const choice = chooseGoalSettings(NOTHING, goalOf(goal, { blocker_threshold: 5 }));
    expect(choice).toMatchObject({ chosen: { blocker_threshold } });
  });

  test("with one configured reviewer, that one is the quorum unless another is asked for", () => {
    const choice = chooseGoalSettings(NOTHING, goalOf({ reviewers: ["risk"] }));
    expect(choice).toMatchObject({ chosen: { reviewers: ["risk"], review_quorum: 1 } });
    expect(parseConfig({ goal: { reviewers: ["risk"], review_quorum: 2 } }).kind).toBe("invalid");
  });

  test.each([
    [{ maxTurns: "0" }, "--max-turns is a whole number from 1 to 1000"],
    [{ maxTurns: "2.5" }, "--max-turns"],
    [{ quorum: "4" }, "--quorum is a whole number from 1 to 3"],
    [{ quorum: "2", reviewers: "1" }, "--quorum is a whole number from 1 to 1"],
    [{ reviewers: "4" }, "--reviewers is a whole number from 1 to 3"],
    [{ reviewers: "-1" }, "--reviewers"],
    [{ blockerThreshold: "1" }, "--blocker-threshold is a whole number from 2 to 10"],
    [{ blockerThreshold: "5", maxTurns: "4" }, "--blocker-threshold is a whole number from 2 to 4"],
    [{ maxTurns: "many" }, 'not "many"'],
  ])("%j is refused with the range", (given, words) => {
    const choice = chooseGoalSettings({ ...NOTHING, ...given }, goalOf({}));
    expect(choice).toEqual({ kind: "refused", message: expect.stringContaining(words) });
  });
});

test.each(["origin/main", "v1.2.3", "HEAD~2", "0123abc", "feature/a+b@c"])("%s can be compared with", (ref) => {
  expect(findBaseProblem(ref)).toBeNull();
});

test.each(["--upload-pack=x", "-n", "a..b", "main@{1}", "a b", "", "x.lock", "a//b", "^main", "a\nb"])(
  "%j cannot be",
  (ref) => {
    expect(findBaseProblem(ref)).toContain("--base is the name of");
  },
);
