import { readFileSync } from "node:fs";
import { transform } from "esbuild";
import { expect, test } from "vitest";
import { chooseMutations } from "../../../src/core/mutation/choose-mutations.ts";
import { applyMutation, listMutations } from "../../../src/core/mutation/list-mutations.ts";

const mutate = (text: string, path = "a.ts"): readonly string[] =>
  listMutations(path, text).map((mutation) => applyMutation(text, mutation));

test.each([
  ["x = a < b;", ["x = a <= b;", "x = a >= b;"]],
  ["x = a >= b;", ["x = a > b;", "x = a < b;"]],
  ["x = a === b;", ["x = a !== b;"]],
  ["x = a != b;", ["x = a == b;"]],
  ["x = a + b;", ["x = a - b;"]],
  ["x = a % b;", ["x = a * b;"]],
  ["x = a / b;", ["x = a * b;"]],
  ["x += a;", ["x -= a;"]],
  ["x ??= a;", ["x = a;"]],
  ["x = a && b;", ["x = a || b;"]],
  ["x = a || b;", ["x = a && b;"]],
  ["x = a ?? b;", ["x = a && b;"]],
  ["x = !a;", ["x = a;"]],
  ["x++;", ["x--;"]],
  ["--x;", ["++x;"]],
  ["x = a?.b;", ["x = a.b;"]],
  ["x = a?.[b];", ["x = a[b];"]],
  ["x = a?.(b);", ["x = a(b);"]],
  ["x = true;", ["x = false;"]],
  ["x = 7;", ["x = 8;", "x = 6;"]],
  ["x = 0;", ["x = 1;"]],
  ["x = 'a';", ["x = '';"]],
  ['x = "";', ['x = "mutated";']],
  ["x = [a, b];", ["x = [];"]],
  ["x = { a, b };", ["x = {};"]],
  ["f(a);", [";"]],
  ["await a.b(c)\nd", ["\nd"]],
  ["function f() {\n  return a.b(c);\n}", ["function f() {\n  return undefined;\n}"]],
  ["const f = () => {\n  return a\n    .b(c)\n}", ["const f = () => {\n  return undefined\n}"]],
  ["if (a) b = c;", ["if (true) b = c;", "if (false) b = c;"]],
  ["while (a) b = c;", ["while (false) b = c;"]],
])("%s", (text, expected) => {
  expect(mutate(text)).toEqual(expected);
});

test.each([
  ["a comment", "// a < b && true\n/* return 1; */"],
  [
    "an import",
    'import { a } from "a";\nimport b from "b" with { type: "json" };\nexport * from "c";\nexport { d } from "d";',
  ],
  ["a loaded module", 'const a = require("a");\nconst b = import("b");'],
  ["a regular expression", "x = /a < b && c + 1/u;"],
  ["the text of a template", "x = `a < 1 && ${b} || true`;"],
  [
    "a type",
    'type A = "a" | 1 | true;\ntype B<T> =\n  | { kind: "b" }\n  | T["c"];\ninterface C { d: "e"; f: [1, 2] }',
  ],
  [
    "an annotation",
    'let a: "b" | 1 = c;\nfunction f(d: 1 | 2, e?: { g: "h" }): { i: true } {}\nconst g = (h: "i"): "j" => k;',
  ],
  ["a cast", 'x = a as "b" | "c";\ny = d satisfies { e: 1 };'],
  ["type arguments", 'x = new Map<"a", 1>();\ny = f<Pick<A, "b">>;'],
  ["a declaration", "declare const a: 1;"],
  ["a key", "x = f[`a`];\ny = class { 1 = a; 'b' = c };"],
  ["a pattern", "const { a, b: { c } } = d;\nconst [e, f] = g;\nconst h = ({ i }, [j]) => k;"],
  ["a member with the name of a statement", "x = class {\n  if(a) {}\n};\nz = y.while(b);"],
  ["a directive", '"use strict";'],
  ["a message", 'throw new TypeError("a");\nconsole.log("b");'],
  ["text that is joined", "x = `a` + b;"],
  ["a generator", "function* f() { yield* g; }"],
  ["a non-null mark", "x = a!.b!;"],
  ["tags", 'x = <A b="c"><D /></A>;'],
])("nothing changes in %s", (_what, text) => {
  expect(mutate(text, text.includes("<A b") ? "a.tsx" : "a.ts")).toEqual([]);
});

test("files of other languages, declarations and generated files are left alone", () => {
  const text = "x = a < 1;";
  for (const path of ["a.py", "a.d.ts", "a.min.js", "dist/a.js", "a.json", "a.md"])
    expect(mutate(text, path)).toEqual([]);
  for (const path of ["a.js", "a.mjs", "a.cts", "a.jsx"]) expect(mutate(text, path).length).toBeGreaterThan(0);
});

/** Without comments and types: what runs. Null if it is not valid. */
async function emit(text: string): Promise<string | null> {
  const options = { loader: "ts", legalComments: "none", logLevel: "silent", target: "esnext" } as const;
  return transform(text, options).then(
    ({ code }) => code,
    () => null,
  );
}

test.each([
  "src/core/mutation/operators.ts",
  "src/core/weakening/scan-source.ts",
  "src/cli/commands/judge/judge-command.ts",
])("each mutation of %s changes one place, is valid, and changes what runs", async (path) => {
  const text = readFileSync(path, "utf8");
  const usual = await emit(text);
  const mutations = listMutations(path, text);
  expect(mutations.length).toBeGreaterThan(50);
  const chosen = chooseMutations(mutations, 100);
  for (const mutation of chosen) {
    const mutated = applyMutation(text, mutation);
    expect(mutated.slice(0, mutation.start)).toBe(text.slice(0, mutation.start));
    expect(mutated.slice(mutation.start + mutation.after.length)).toBe(text.slice(mutation.end));
  }
  const emitted = await Promise.all(chosen.map((mutation) => emit(applyMutation(text, mutation))));
  const wrong = chosen.filter((_mutation, at) => emitted[at] === null || emitted[at] === usual);
  expect(wrong).toEqual([]);
});

test("a sample is spread over lines and operators, and the same each time", () => {
  const text = Array.from({ length: 30 }, (_line, at) => `x${at} = a < ${at} && b + "c" || !d;`).join("\n");
  const mutations = listMutations("a.ts", text);
  const chosen = chooseMutations(mutations, 20);
  expect(chosen).toEqual(chooseMutations(mutations, 20));
  expect(new Set(chosen.map(({ line }) => line)).size).toBe(20);
  expect(new Set(chosen.map(({ operator }) => operator)).size).toBe(5);
  expect(new Set(chooseMutations(mutations, 1000)).size).toBe(mutations.length);
});
