import { expect, test } from "vitest";
import { listCheckPrograms } from "../../../src/checks/pure/check-steering.ts";

const manifest = (scripts: object): [string, string] => ["package.json", JSON.stringify({ scripts })];
const guarded = (line: string, ...texts: [string, string][]): readonly string[] => {
  const [cmd = "", ...args] = line.split(" ");
  return listCheckPrograms([{ cmd, args }], new Map(texts));
};

test.each([
  ["npm test", { test: "node dist/check.js" }],
  ["npm t", { test: "node dist/check.js" }],
  ["npm run -s unit -- --bail", { unit: "NODE_ENV=test node dist/check.js" }],
  ["pnpm unit", { unit: "eslint . && node dist/check.js" }],
  ["yarn test", { test: "yarn run inner", inner: "node dist/check.js" }],
  ["timeout 60 npm test", { test: "tsc --noEmit && node dist/check.js" }],
])("what a script of the package loads: %s", (line, scripts) => {
  expect(guarded(line, manifest(scripts))).toContain("dist/check.js");
});

test.each([
  ["npm test", { test: "tsc && node dist/check.js" }],
  ["npm test", { pretest: "npm run build", build: "tsc", test: "node dist/check.js" }],
  ["npm test", { other: "node dist/check.js" }],
  ["npm test", { loop: "npm test", test: "npm run loop" }],
])("nothing where the check builds it itself, or does not call it: %s %j", (line, scripts) => {
  expect(guarded(line, manifest(scripts))).toEqual([]);
});

test("what a rule of a Makefile loads, and the rules that it needs", () => {
  const text = "FLAGS := -q\nall: test\n\ntest: unit\n\t@echo done\n\nunit:\n\tpython build/run.py $(FLAGS)\n";
  expect(guarded("make", ["Makefile", text])).toContain("build/run.py");
  expect(guarded("make test", ["Makefile", text])).toContain("build/run.py");
  expect(guarded("make clean", ["Makefile", text])).toEqual([]);
});

test("a manifest that is no JSON has no scripts", () => {
  expect(guarded("npm test", ["package.json", "{"])).toEqual([]);
});
