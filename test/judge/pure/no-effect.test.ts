import { describe, expect, test } from "vitest";
import {
  asksForProof,
  asksForCode,
  asksForFewerTests,
  asksForMoreThanText,
} from "../../../src/judge/pure/asked-work.ts";
import { findNoEffect } from "../../../src/judge/pure/find-no-effect.ts";

const TASK = "shippingFor(5000) in src/cart.js must be 0. Add a test.";

type Side = string | null;

function kindOf(files: Readonly<Record<string, readonly [Side, Side]>>, task = TASK, others: readonly string[] = []) {
  const changes = Object.entries(files).map(([path, [before, after]]) => ({ path, before, after }));
  const found = findNoEffect(changes, others, task, (path) => path.startsWith("test/"));
  return found.map(([path, { kind, rule }]) => [path, kind, rule]);
}

test.for<[string, string, string, string]>([
  ["a comment in JavaScript", "src/a.js", "f(1);\n", "// Adds one.\nf(1);\n"],
  ["another comment behind code", "src/a.ts", "f(1); // one\n", "f(1); // 1\n\n"],
  [
    "a docstring in Python",
    "a.py",
    'def f():\n    """Old."""\n    return 1\n',
    'def f():\n    """New."""\n    return 1\n',
  ],
  ["a comment in a shell", "bin/a.sh", "#!/bin/sh\nf 1\n", "#!/bin/sh\n# Adds one.\nf 1\n"],
  ["a document", "README.md", "Old.\n", "New.\n"],
])("%s is no work", ([, path, before, after]) => {
  expect(kindOf({ [path]: [before, after] })).toEqual([[path, "text_only", "no_effect"]]);
});

test.for<[string, string, Side, Side]>([
  ["other code", "src/a.js", "f(1);\n", "f(2);\n"],
  ["a text that is printed", "src/a.js", 'print("// old");\n', 'print("// new");\n'],
  ["a text in Python", "a.py", 'x = """old"""\n', 'x = """new"""\n'],
  ["another indentation in Python", "a.py", "if x:\n    a()\nb()\n", "if x:\n    a()\n    b()\n"],
  ["settings", "src/a.json", "{}\n", '{ "a": 1 }\n'],
  ["requirements", "requirements.txt", "a\n", "a\nb\n"],
  ["another first line", "bin/a", "#!/bin/sh\nf\n", "#!/bin/bash\nf\n"],
  ["a new file", "src/b.js", null, "// Later.\n"],
  ["a removed file", "src/b.js", "f();\n", null],
])("%s is work", ([, path, before, after]) => {
  expect(kindOf({ [path]: [before, after], "README.md": ["Old.\n", "New.\n"] })).toEqual([]);
});

test("new tests without other code are no work, unless they were asked for", () => {
  const files = { "test/a.test.js": [null, "test();\n"] as const, "src/a.js": ["f();\n", "// f\nf();\n"] as const };
  expect(kindOf(files)).toEqual([["test/a.test.js", "tests_only", "no_effect"]]);
  expect(kindOf(files, "Add tests for shippingFor() in src/cart.js.")).toEqual([]);
});

test("a file whose text is unknown is work, a large document is not", () => {
  expect(kindOf({}, TASK, ["logo.png"])).toEqual([]);
  expect(kindOf({}, TASK, ["docs/all.md"])).toEqual([["docs/all.md", "text_only", "no_effect"]]);
});

test("where a task names no code, comments alone stop if it asks for something, and are noted otherwise", () => {
  const files = { "src/a.js": ["f();\n", "// f\nf();\n"] as const };
  expect(kindOf(files, "Add a discount for large orders.")).toEqual([["src/a.js", "text_only", "no_effect"]]);
  expect(kindOf(files, "count how many of each item are bought")).toEqual([["src/a.js", "text_alone", "no_effect"]]);
  expect(kindOf(files, "Zähle, wie viele gekauft wurden")).toEqual([["src/a.js", "text_alone", "no_effect"]]);
  expect(kindOf(files, "Clarify the loop.")).toEqual([]);
});

describe("tasks", () => {
  test.each([
    "Shipping must be free from 5000 cents on. Today shippingFor(5000) in src/cart.mjs is 490. Fix it and add a test.",
    "minutes() of units/clock.py must refuse minutes above 59 with a ValueError. Add tests.",
    "The type check refuses src/split.ts. Fix the error behind it.",
    "slugify(text, { max }) cuts the slug at max characters.",
    "Implement extension in lib/names.sh. Update the README as well.",
  ])("asks for code: %s", (task) => {
    expect(asksForCode(task)).toBe(true);
    expect(asksForMoreThanText(task)).toBe(true);
  });

  test.each([
    "Add tests for minutes() of units/clock.py.",
    "total() of src/cart.mjs has no test for an empty list. Add one.",
    "The test of parse() in test/parse.test.js is flaky. Make it wait for the file.",
    "Raise the coverage of src/parse.ts to 100 percent.",
    "Split test/cart.test.mjs in two. No test changes otherwise.",
  ])("asks for tests: %s", (task) => {
    expect(asksForCode(task)).toBe(false);
  });

  test.each([
    "Explain in README.md how slugify() works. It must name the accents.",
    "Users ask what parseArgs() accepts. Add a section to docs/cli.md.",
    "Add JSDoc comments to every function of src/cart.mjs.",
    "Fix the typos in the comments of src/cart.mjs.",
    "Add a CHANGELOG entry for parse().",
    "Document every option of bin/count.mjs.",
    "Erg\u00e4nze die Anleitung um ein Beispiel.",
  ])("asks for a text: %s", (task) => {
    expect(asksForMoreThanText(task)).toBe(false);
  });

  test("a proof is asked for with other behaviour and a test of it", () => {
    expect(asksForProof("minutes() of units/clock.py must refuse 1:60. Add tests.")).toBe(true);
    expect(asksForProof("Rename total() of src/cart.mjs to sumItems(). Add a test.")).toBe(false);
    expect(asksForProof("minutes() of units/clock.py must refuse 1:60.")).toBe(false);
    expect(asksForProof("money() must be faster: keep its results in a cache. Add a test.")).toBe(false);
  });

  test("tests may go where the task says so, or nobody knows the task", () => {
    expect(["Remove total() and its tests.", "Test take() with a table of cases.", ""].every(asksForFewerTests)).toBe(
      true,
    );
    expect(asksForFewerTests("Split test/cart.test.mjs in two. No test changes otherwise.")).toBe(false);
  });
});
