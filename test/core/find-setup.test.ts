import { expect, test } from "vitest";
import { findSetup } from "../../src/core/setup/find-setup.ts";

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
  ["no check names the output", { build: "tsc", test: "vitest run" }, "dist", []],
  ["the check builds itself", { build: "tsc", test: "npm run build && node --test dist/" }, "dist", []],
  ["another script builds before it", { build: "tsc", pretest: "tsc", test: "node --test dist/" }, "dist", []],
  ["git does not ignore the output", { build: "tsc", test: "node --test dist/" }, "node_modules", []],
  ["the output is tracked", { build: "tsc", test: "node --test dist/" }, "dist", ["dist"]],
])("there is none where %s", (_, scripts, ignore, folders) => {
  expect(find(scripts, ignore, folders)).toEqual([]);
});
