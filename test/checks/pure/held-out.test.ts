import { expect, test } from "vitest";
import { parseConfig } from "../../../src/config/parse-config.ts";
import { findHeldOutProblems, listHeldOutChecks, listHeldOutFiles } from "../../../src/checks/pure/held-out.ts";

function configure(held: readonly object[], verification: object = {}) {
  const parsed = parseConfig({ verification: { held_out: held, ...verification } });
  if (parsed.kind !== "valid") throw new Error("the fixture is no configuration");
  return parsed.value;
}

const HELD = { id: "hidden", cmd: "node", args: ["held/x.js"], files: { "held/x.js": "~/x.js" } };

test("held-out checks are slow checks whose output is for a person, unless it is shared", () => {
  const { verification } = configure([HELD]);
  const check = { templateId: "hidden", cmd: "node", phase: "slow", stopCode: "STOP_VERIFY_FAILED_SLOW" };
  expect(listHeldOutChecks(verification)).toMatchObject([{ ...check, heldOut: { isShared: false } }]);
  expect(listHeldOutFiles(verification)).toEqual([{ path: "held/x.js", source: "~/x.js" }]);
  const shared = configure([HELD], { held_out_output: "share" }).verification;
  expect(listHeldOutChecks(shared)).toMatchObject([{ heldOut: { isShared: true } }]);
});

test.each([
  ["the id of a template", { ...HELD, id: "test" }, "is also a template"],
  ["a path in git's data", { ...HELD, files: { "a/.git/hooks/x": "~/x" } }, "no file can be put at"],
  ["a path of relais", { ...HELD, files: { "relais/GOAL.md": "~/x" } }, "no file can be put at"],
  ["a path that is not plain", { ...HELD, files: { "src/./x": "~/x" } }, "no file can be put at"],
  ["the configuration", { ...HELD, files: { "relais.config.json": "~/x" } }, "no file can be put at"],
])("%s is a problem", (_, held, words) => {
  expect(findHeldOutProblems(configure([held])).join(" ")).toContain(words);
});

test("two files at one path are a problem, and one file for two checks is none", () => {
  const other = { ...HELD, id: "other" };
  expect(findHeldOutProblems(configure([HELD, other]))).toEqual([]);
  const problems = findHeldOutProblems(configure([HELD, { ...other, files: { "held/x.js": "~/y.js" } }]));
  expect(problems.join(" ")).toContain("two files are put at");
});
