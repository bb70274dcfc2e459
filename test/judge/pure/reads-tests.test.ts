import { describe, expect, test } from "vitest";
import { isImported } from "../../../src/judge/pure/find-test-reads.ts";
import { weakened } from "../../support/weakening.ts";

const REPOSITORY = {
  "src/a.js": "",
  "lib/a.py": "",
  "lib.sh": "",
  "tests/cases.json": "[]",
  "tests/test_a.py": "",
  "test/a.test.js": "",
  "test/data/input.txt": "",
  "packages/b/src/b.js": "",
  "packages/b/test/b.test.js": "",
};

const kindsOf = (path: keyof typeof REPOSITORY, line: string) =>
  weakened(REPOSITORY, { ...REPOSITORY, [path]: `${line}\n` }).map(({ kind }) => kind);

const BAD: readonly (readonly [keyof typeof REPOSITORY, string])[] = [
  ["src/a.js", 'const cases = readFileSync("tests/cases.json");'],
  ["src/a.js", 'const cases = readFileSync(new URL("../tests/cases.json", import.meta.url));'],
  ["src/a.js", 'const cases = readFileSync(join(root, "tests", "cases.json"));'],
  ["src/a.js", 'import { cases } from "../test/a.test.js";'],
  ["src/a.js", 'const all = readdirSync(join(root, "test"));'],
  ["src/a.js", "const text = readFileSync(`${root}/test/data/input.txt`);"],
  ["lib/a.py", 'cases = json.load(open("tests/cases.json"))'],
  ["lib/a.py", 'cases = Path(__file__).parent.parent / "tests" / "cases.json"'],
  ["lib/a.py", "from tests.test_a import CASES"],
  ["lib/a.py", 'for name in os.listdir("tests"): pass'],
  ["lib.sh", "cat tests/cases.json"],
  ["lib.sh", 'grep x "$ROOT"/test/data/input.txt'],
  ["packages/b/src/b.js", 'readFileSync("test/b.test.js");'],
  ["packages/b/src/b.js", 'readFileSync("../test/b.test.js");'],
];

describe("code that names a test file", () => {
  test.each(BAD)("%s: %s", (path, line) => {
    expect(kindsOf(path, line)).toContain("reads_tests");
  });
});

const GOOD: readonly (readonly [keyof typeof REPOSITORY, string])[] = [
  ["src/a.js", 'type Role = "test" | "source";'],
  ["src/a.js", "// see tests/cases.json"],
  ["src/a.js", 'const globs = ["**/test/**", "**/*.test.*"];'],
  ["src/a.js", 'import { a } from "./data/input.js";'],
  ["src/a.js", 'fetch("https://example.org/test/data");'],
  ["src/a.js", 'if (word === "test") run();'],
  ["lib/a.py", "from latest.models import Model"],
  ["lib.sh", "echo done > out/test"],
  ["test/a.test.js", 'readFileSync("tests/cases.json");'],
];

describe("honest code", () => {
  test.each(GOOD)("%s: %s", (path, line) => {
    expect(kindsOf(path, line)).toEqual([]);
  });
});

test("scripts around the code and settings may name tests", () => {
  const after = {
    ...REPOSITORY,
    "scripts/run.js": 'run("tests/cases.json");\n',
    "package.json": '{"test": "node test/a.test.js"}',
  };
  expect(weakened(REPOSITORY, after)).toEqual([]);
});

test("a module that is imported already is known by the line that does", () => {
  const line = 'import { makeClient } from "../testing/client.test-util.js";';
  expect(isImported(line, 'import { makeClient } from "./testing/client.test-util.js";\n')).toBe(true);
  expect(isImported(line, "// See testing/client.test-util.js.\n")).toBe(false);
  expect(isImported("from tests.util import A", "from .tests.util import B\n")).toBe(true);
});
