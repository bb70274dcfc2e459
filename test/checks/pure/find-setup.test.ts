import { expect, test } from "vitest";
import { findSetup } from "../../../src/checks/pure/project-detection.ts";

const TEMPLATES = ["test", "build"].map((id) => ({ id, cmd: "npm", args: ["run", id] }));

function find(scripts: object, ignore: string, folders: readonly string[] = []) {
  const texts = new Map([
    ["package.json", JSON.stringify({ scripts })],
    [".gitignore", ignore],
  ]);
  return findSetup({ texts, folders: new Set(folders) }, TEMPLATES);
}

test("a check that names ignored build output needs the build first", () => {
  const setup = [{ cmd: "npm", args: ["run", "build"] }];
  expect(find({ build: "tsc", test: "node --test dist/test" }, "node_modules\n/dist/\n")).toEqual(setup);
  expect(find({ build: "make", test: "node ./build/run.js" }, "build")).toEqual(setup);
});

test.each([
  ["no check names the output", { scripts: { build: "tsc", test: "vitest run" } }],
  ["the check builds itself", { scripts: { build: "tsc", test: "npm run build && node --test dist/" } }],
  ["another script builds before it", { scripts: { build: "tsc", pretest: "tsc", test: "node --test dist/" } }],
  ["git does not ignore the output", { ignore: "node_modules" }],
  ["the output is tracked", { folders: ["dist"] }],
])("there is none where %s", (_, facts) => {
  const usual = { scripts: { build: "tsc", test: "node --test dist/" }, ignore: "dist", folders: [] };
  const { scripts, ignore, folders } = { ...usual, ...facts };
  expect(find(usual.scripts, usual.ignore, usual.folders)).toHaveLength(1);
  expect(find(scripts, ignore, folders)).toEqual([]);
});
