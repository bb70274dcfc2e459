import { existsSync, readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { expect, test } from "vitest";
import { readKept } from "./kept-inputs.ts";
import { TARGETS } from "./targets.ts";

const FOLDER = import.meta.dirname;

test("every kept case is tried by the test of its parser", () => {
  const parsers = readdirSync(join(FOLDER, "cases")).map((file) => basename(file, ".txt"));
  expect(parsers.length).toBeGreaterThan(3);
  const searched = new Set(TARGETS.map(({ name }) => name));
  const unused = parsers.filter((parser) => {
    const file = join(FOLDER, `${parser}.test.ts`);
    const isTried =
      searched.has(parser) || (existsSync(file) && readFileSync(file, "utf8").includes(`parser: "${parser}"`));
    return !isTried || readKept("cases", parser).length === 0;
  });
  expect(unused).toEqual([]);
});
