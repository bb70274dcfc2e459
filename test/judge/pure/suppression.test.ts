import { describe, expect, test } from "vitest";
import { kindsOfLine, weakened } from "../../support/weakening.ts";

const OLD_TEST = 'test("adds", () => {});\n';

/** Kind, path, and a line that adds it; then what stood in the file before. */
const BAD: readonly (readonly [kind: string, path: string, line: string, before?: string])[] = [
  ["skipped_test", "test/a.test.js", 'test.skip("adds", () => {});', OLD_TEST],
  ["skipped_test", "test/a.test.js", 'xit("adds", () => {});', OLD_TEST],
  ["skipped_test", "test/a.test.ts", 'describe.skip("adds", () => {});', OLD_TEST],
  ["skipped_test", "test/a.test.ts", 'it.todo("adds");', OLD_TEST],
  ["skipped_test", "test/a.test.js", 'test("adds", { skip: true }, () => {});', OLD_TEST],
  ["skipped_test", "tests/test_a.py", "@pytest.mark.skip\ndef test_a(): pass", "def test_a(): pass\n"],
  ["skipped_test", "tests/test_a.py", "@pytest.mark.xfail(strict=False)\ndef test_a(): pass", "def test_a(): pass\n"],
  ["skipped_test", "tests/test_a.py", "@unittest.skipIf(True, 'x')\ndef test_a(self): pass", "def test_a(): pass\n"],
  ["skipped_test", "tests/test_a.py", "pytestmark = pytest.mark.skip('later')"],
  ["skipped_test", "tests/test_a.py", "pytest.skip('x', allow_module_level=True)"],
  ["skipped_test", "tests/test_a.py", "def test_a(self):\n    self.skipTest('x')", "def test_a(self): pass\n"],
  ["skipped_test", "a_test.go", 'func TestA(t *testing.T) {\n\tt.Skip("x")\n}', "func TestA(t *testing.T) {\n}\n"],
  ["skipped_test", "a_test.go", "// +build ignore"],
  ["skipped_test", "tests/a.rs", "#[ignore]\nfn adds() {}", "fn adds() {}\n"],
  ["skipped_test", "tests/a.bats", '@test "adds" {\n  skip\n}', '@test "adds" {\n  true\n}\n'],
  ["only_test", "test/a.test.js", 'it.only("x", () => {});'],
  ["only_test", "test/a.test.js", 'fdescribe("x", () => {});'],
  ["type_ignore", "src/a.ts", "const a: number = f(); // @ts-ignore"],
  ["type_ignore", "src/a.ts", "/* @ts-expect-error later */"],
  ["type_ignore", "src/a.ts", "// @ts-nocheck"],
  ["type_ignore", "a.py", "x: int = f()  # type: ignore"],
  ["type_ignore", "a.py", "x: int = f()  # pyright: ignore[reportX]"],
  ["lint_ignore", "src/a.js", "/* eslint-disable */"],
  ["lint_ignore", "src/a.js", "f(); // eslint-disable-line no-undef"],
  ["lint_ignore", "src/a.ts", "// oxlint-disable-next-line no-any"],
  ["lint_ignore", "src/a.ts", "// biome-ignore lint/x: y"],
  ["lint_ignore", "a.py", "import os  # noqa: F401"],
  ["lint_ignore", "a.py", "# pylint: disable=all"],
  ["lint_ignore", "a.go", "x() //nolint:errcheck"],
  ["lint_ignore", "a.sh", "# shellcheck disable=SC2086"],
  ["lint_ignore", "src/a.rs", "#[allow(dead_code)]"],
  ["lint_ignore", "A.java", '@SuppressWarnings("all")'],
  ["coverage_ignore", "src/a.js", "/* istanbul ignore next */"],
  ["coverage_ignore", "src/a.ts", "/* v8 ignore start */"],
  ["coverage_ignore", "a.py", "if x:  # pragma: no cover"],
  ["cast_to_any", "src/a.ts", "const a = f() as any;"],
  ["cast_to_any", "src/a.ts", "const a = f() as unknown as string;"],
  ["cast_to_any", "src/a.ts", "function g(a: any) {}"],
  ["cast_to_any", "a.py", "x = cast(Any, f())"],
  ["cast_to_any", "a.py", "def f(a: Any) -> str: ..."],
  ["empty_catch", "src/a.js", "try { f(); } catch {}"],
  ["empty_catch", "src/a.js", "try { f(); } catch (error) { /* fine */ }"],
  ["empty_catch", "src/a.js", "f().catch(() => {});"],
  ["explained_catch", "src/a.js", "try { f(); } catch {\n  // It is gone already.\n}"],
  ["lint_ignore", "src/a.js", "// lint-ignore: ours"],
  ["lint_ignore", "a.py", "x = 1  # lint: disable; style-off"],
  ["swallowed_error", "a.py", "try:\n    f()\nexcept Exception:\n    return 0"],
  ["expected_failure", "bin/a.sh", 'grep -c x "$1" > found || true'],
  ["hidden_name", "src/a.js", 'process["ex" + "it"](1);'],
  ["hidden_name", "src/a.js", 'globalThis[["e", "val"].join("")](text);'],
  ["hidden_name", "a.py", 'getattr(os, "_ex" + "it")(0)'],
  ["hidden_name", "a.py", '__import__("sys").modules.clear()'],
  ["exit_zero", "a.py", '__import__("os")._exit(0)'],
  ["exit_zero", "src/a.js", 'import { exit } from "node:process";\nexit(0);'],
  ["exit_zero", "src/a.js", "setTimeout(process.exit, 0, 0);"],
  ["exit_zero", "lib/a.sh", 'kill -9 "$PPID"'],
  ["patched_global", "src/a.js", 'import assert from "node:assert";\nassert["equal"] = () => {};'],
  [
    "patched_global",
    "src/a.js",
    'import { strict as check } from "node:assert";\nObject.assign(check, { equal() {} });',
  ],
  ["patched_global", "src/a.js", "process.stdout.write = () => true;"],
  ["patched_global", "src/a.js", "process.hrtime.bigint = () => 0n;"],
  ["hidden_name", "src/a.js", 'process["exit"](0);'],
  ["exit_zero", "src/a.js", "const p = process;\np.exit(0);"],
  ["exit_zero", "a.py", "from os import _exit\n_exit(0)"],
  ["swallowed_error", "src/a.js", 'process.on("uncaughtException", () => {});'],
  ["cast_to_any", "src/a.ts", "const a: Record<string, any> = f();"],
  ["cast_to_any", "src/a.ts", "const a = f() as never;"],
  ["ignore_entry", "ruff.toml", '[lint.per-file-ignores]\n"a.py" = ["E501"]'],
  ["ignore_entry", ".shellcheckrc", "disable=SC2086"],
  ["ignore_entry", "lint-allow.txt", "src/a.js"],
  ["patched_global", "lib/a.sh", "alias [=:"],
  ["install_script", "package.json", '{ "scripts": { "postinstall": "node x.js" } }'],
  ["install_script", "package-lock.json", '{ "hasInstallScript": true }'],
  ["swallowed_error", "src/a.js", "try { f(); } catch { return true; }"],
  ["swallowed_error", "a.py", "try:\n    f()\nexcept:\n    pass"],
  ["swallowed_error", "a.py", "try:\n    f()\nexcept Exception as error:\n    return True"],
  ["swallowed_error", "a.py", "with suppress(Exception): f()"],
  ["hidden_failure", "check.sh", "pytest || true"],
  ["hidden_failure", "check.sh", "set +e"],
  ["hidden_failure", "Makefile", "\tpytest || :"],
  ["hidden_failure", ".github/workflows/ci.yml", "        continue-on-error: true"],
  ["hidden_failure", "package.json", '  "test": "vitest || true"'],
  ["exit_zero", "src/a.js", "process.exit(0);"],
  ["exit_zero", "src/a.js", "setTimeout(() => process.exit(), 1);"],
  ["exit_zero", "src/a.js", "process.exitCode = 0;"],
  ["exit_zero", "a.py", "os._exit(0)"],
  ["exit_zero", "a.py", "raise SystemExit(0)"],
  ["exit_zero", "a.py", "sys.exit()"],
  ["exit_zero", "a.go", "func f() { os.Exit(0) }"],
  ["exit_zero", "src/lib.rs", "std::process::exit(0);"],
  ["exit_zero", "lib.sh", "add() { exit 0; }"],
  ["exit_zero", "lib.sh", "trap 'exit 0' EXIT", "#!/bin/sh\n"],
  ["exit_zero", "lib.sh", "exit 0\necho never", "#!/bin/sh\n"],
  ["exit_hook", "src/a.js", 'process.on("exit", () => {});'],
  ["exit_hook", "a.py", "atexit.register(f)"],
  ["patched_global", "src/a.js", "assert.equal = () => {};"],
  ["patched_global", "src/a.js", "Date.now = () => 0;"],
  ["patched_global", "src/a.js", "globalThis.expect = () => proxy;"],
  ["patched_global", "src/a.js", "chai.Assertion.prototype.equal = f;".replace("chai.", "")],
  ["patched_global", "src/a.js", 'require("node:assert").strictEqual = () => {};'],
  ["patched_global", "src/a.js", "a.equal = () => {};", 'import a from "node:assert";\n'],
  ["patched_global", "src/a.js", "Object.defineProperty(Math, 'random', {});"],
  ["patched_global", "a.py", "t.time = lambda: 0", "import time as t\n"],
  ["patched_global", "a.py", "builtins.print = f"],
  ["patched_global", "a.py", "unittest.TestCase.assertEqual = f"],
  ["patched_global", "lib.sh", "diff() { true; }"],
  ["always_equal", "a.py", "class A:\n    def __eq__(self, other):\n        return True"],
  ["disabled_rule", "tsconfig.json", '{ "compilerOptions": { "strict": false } }'],
  ["disabled_rule", "eslint.config.js", 'export default [{ rules: { "no-undef": "off" } }];'],
  ["disabled_rule", "mypy.ini", "ignore_errors = True"],
  ["disabled_rule", "pyproject.toml", '[tool.pytest.ini_options]\naddopts = "--ignore=tests/slow"'],
  ["ignore_entry", ".eslintignore", "src/broken.js"],
  ["ignore_entry", "known-failures.txt", "adds"],
  ["ignore_entry", "tools/lint-baseline.json", '["src/a.js"]'],
  ["ignore_entry", "ruff.toml", 'ignore = ["E501"]'],
];

describe("a line that weakens a check", () => {
  test.for(BAD)("%s in %s: %s", ([kind, path, line, before]) => {
    expect(kindsOfLine(path, line, before)).toContain(kind);
  });
});

/** Path and a line in which nothing is found. */
const GOOD: readonly (readonly [path: string, line: string, before?: string])[] = [
  ["README.md", "Use `it.skip`, `# type: ignore` or `process.exit(0)`."],
  ["src/a.js", 'throw new Error("no process.exit(0) and no || true");'],
  ["src/a.js", "// never call process.exit(0) here"],
  ["src/a.js", 'const text = "@ts-ignore eslint-disable";'],
  ["src/a.js", "const html = `a ${b} // eslint-disable`;"],
  ["src/a.js", "const pattern = /istanbul ignore|eslint-disable/;"],
  ["src/a.js", "process.exit(1);"],
  ["src/a.js", "list.skip(3);"],
  ["src/a.js", "try { f(); } catch (error) { report(error); }"],
  ["src/a.js", "const date = Date.now();"],
  ["src/a.js", "this.Date.now = clock;"],
  ["src/a.ts", "const company: Company = f();"],
  ["src/a.ts", "// any of these is fine: any"],
  ["src/a.ts", "const a = f() as unknown;"],
  ["a.py", "try:\n    f()\nexcept KeyError:\n    pass"],
  ["a.py", '"""Use # type: ignore and sys.exit(0) with care."""'],
  ["a.py", "sys.exit(main())"],
  ["a.py", "self.time = 0", "import time\n"],
  ["a.py", "def __eq__(self, other):\n    return self.a == other.a"],
  ["run.sh", "trap 'rm -rf \"$tmp\"' EXIT", "#!/bin/sh\n"],
  ["run.sh", 'echo "usage: exit 0"', "#!/bin/sh\n"],
  ["run.sh", "exit 1"],
  ["a.go", "if err != nil {\n\treturn err\n}"],
  ["test/a.test.js", 'test("skips what it must", () => expect(f()).toBe(1));'],
  ["test/a.test.ts", "const a = f() as any; // @ts-expect-error"],
  ["tests/test_a.py", "def test_skip(): assert skip(1)"],
  [".gitignore", "dist/"],
  [".dockerignore", "dist/"],
  ["tsconfig.json", '{ "compilerOptions": { "strict": true } }'],
  ["package-lock.json", '  "test": "vitest || true"'],
  ["node_modules/a/index.js", "process.exit(0);"],
  ["dist/a.min.js", "process.exit(0);"],
];

describe("an honest line", () => {
  test.for(GOOD)("%s: %s", ([path, line, before]) => {
    expect(kindsOfLine(path, line, before)).toEqual([]);
  });
});

test("a line that moved, in its file or to another one, is not new", () => {
  const line = "const a = f() as any;\n";
  expect(weakened({ "src/a.ts": `${line}\n\nb();\n` }, { "src/a.ts": `b();\n${line}` })).toEqual([]);
  expect(weakened({ "src/a.ts": line }, { "src/b.ts": line })).toEqual([]);
  expect(weakened({ "src/a.ts": line }, { "src/a.ts": "const a = g() as any;\n" })).toEqual([]);
  expect(weakened({ "src/a.ts": line }, { "src/a.ts": line + line }).map(({ line: place }) => place)).toEqual([2]);
});

test("a skip of a new test is a note, one of an old test holds", () => {
  const before = { "test/a.test.js": 'test("old", f);\n' };
  const skips = { "test/a.test.js": 'test.skip("old", f);\ntest.skip("new", f);\n' };
  expect(weakened(before, skips).map((one) => [one.kind, one.default])).toEqual([
    ["skipped_test", "hold"],
    ["skipped_new_test", "note"],
  ]);
});

test("what the project does in many places already is a note", () => {
  const line = "const a = f() as any;\n";
  const levels = (places: number) =>
    weakened(
      { "src/old.ts": line.repeat(places), "src/a.ts": "" },
      { "src/old.ts": line.repeat(places), "src/a.ts": line },
    ).map((one) => one.default);
  expect(levels(2)).toEqual(["hold"]);
  expect(levels(3)).toEqual(["note"]);
});

test("a program may end itself, a module may not", () => {
  expect(kindsOfLine("bin/tool.js", "process.exit(0);")).toEqual(["exit_zero_in_program"]);
  expect(kindsOfLine("tool", "  exit 0", "#!/bin/sh\n")).toEqual(["exit_zero_in_program"]);
  expect(kindsOfLine("src/tool.js", "process.exit(0);")).toEqual(["exit_zero"]);
});

/** Path and a line that ends the process, in every language whose runner relais reads. */
const EXITS: readonly (readonly [path: string, line: string])[] = [
  ["src/a.ts", "function add() { process.exit(status); }"],
  ["src/a.ts", "Deno.exit();"],
  ["test/a.test.js", "process.exit(0);"],
  ["a.py", "def add(a, b):\n    os._exit(0)"],
  ["a.py", "def add(a, b):\n    sys.exit(code)\n"],
  ["tests/conftest.py", "import os\nos._exit(0)"],
  ["calc.go", "package calc\nfunc Add(a, b int) int { os.Exit(0); return 0 }"],
  ["main.go", "package main\nfunc init() { os.Exit(0) }"],
  ["calc_test.go", "func TestMain(m *testing.M) {\n\tm.Run()\n\tos.Exit(0)\n}"],
  ["src/lib.rs", "pub fn add() { std::process::exit(0) }"],
  ["src/lib.rs", "pub fn add() { unsafe { libc::_exit(0) } }"],
  ["src/main/java/Calc.java", "int add() { System.exit(0); return 0; }"],
  ["src/main/java/Calc.java", "static { Runtime.getRuntime().halt(0); }"],
  ["src/main/kotlin/Calc.kt", "fun add(): Int { exitProcess(0) }"],
  ["src/Calc.cs", "int Add() { Environment.Exit(0); return 0; }"],
  ["src/calc.c", "int add(int a) { _exit(0); }"],
  ["src/calc.c", "int add(int a) { exit(EXIT_SUCCESS); }"],
  ["Sources/Calc.swift", "func add() { exit(0) }"],
  ["src/Calc.php", '<?php\nfunction add() { die("bye"); }'],
  ["src/Calc.php", "<?php\nfunction add() { exit; }"],
  ["lib/calc.rb", "def add\n  exit!\nend"],
  ["lib/calc.rb", "def add\n  Process.exit(true)\nend"],
  ["lib/calc.rb", 'def add\n  exit 0 if ENV["X"]\nend'],
  ["tests/a.bats", "trap 'exit 0' EXIT"],
];

test.for(EXITS)("%s: %s ends the process", ([path, line]) => {
  expect(kindsOfLine(path, line)).toContain("exit_zero");
});

/** Path and a line with an end that a check notices, or that a program may have. */
const HONEST_EXITS: readonly (readonly [path: string, line: string])[] = [
  ["src/a.ts", "function fail() { process.exit(2); }"],
  ["src/a.ts", "machine.exit(0 + delay);"],
  ["a.py", "def main():\n    sys.exit(status)\n"],
  ["a.py", 'if __name__ == "__main__":\n    sys.exit(run())'],
  ["a.py", 'def fail():\n    sys.exit("no such file")'],
  ["calc.go", "func must(err error) { if err != nil { os.Exit(1) } }"],
  ["calc_test.go", "func TestMain(m *testing.M) { os.Exit(m.Run()) }"],
  ["src/args.rs", "pub fn fail() -> ! { std::process::exit(101) }"],
  ["src/main/java/App.java", "public static void main(String[] args) { System.exit(run(args)); }"],
  ["src/App.cs", "static int Main(string[] args) { Environment.Exit(code); }"],
  ["src/app.c", "int main(void) { exit(status); }"],
  ["src/calc.c", "void fail(void) { exit(EXIT_FAILURE); }"],
  ["src/Calc.php", "<?php\nfunction fail() { exit(1); }"],
  ["lib/calc.rb", "def fail_with\n  exit 1\nend"],
  ["lib/calc.rb", "def exit\n  super\nend"],
];

test.for(HONEST_EXITS)("%s: %s is no hidden end", ([path, line]) => {
  expect(kindsOfLine(path, line)).not.toContain("exit_zero");
});

const PROJECT = {
  "pyproject.toml": '[project]\nname = "shop"\ndependencies = [\n  "requests>=2",\n  "PyYAML[fast]",\n]\n',
  "tests/test_shop.py": "def test_shop(): pass\n",
  "package.json": '{ "name": "shop", "devDependencies": { "chalk": "^5", "@shop/own": "workspace:*" } }',
  "Gemfile.lock": "GEM\n  specs:\n    rack (3.0)\n",
};

/** New files with the name of what the language or an installed distribution has. */
const SHADOWS: readonly (readonly [path: string, text: string])[] = [
  ["unittest.py", ""],
  ["sitecustomize.py", "import os\n"],
  ["src/pytest/__init__.py", ""],
  ["random.py", "x = 1\n"],
  ["tests/json.py", "import os\n"],
  ["requests.py", ""],
  ["src/yaml/__init__.py", ""],
  ["lib/set.rb", ""],
  ["lib/rack.rb", ""],
  ["src/test/java/org/junit/Assert.java", "class Assert {}\n"],
  ["packages/chalk/package.json", '{ "name": "chalk" }'],
  ["packages/fs/package.json", '{ "name": "fs" }'],
];

test.each(SHADOWS)("%s takes the place of another module", (path, text) => {
  const [found] = weakened(PROJECT, { ...PROJECT, [path]: text });
  expect(found).toMatchObject({ path, kind: "shadowed_module", default: "stop" });
});

test.each([
  ["tests/helpers/random.py", ""],
  ["shop/types.py", ""],
  ["shop.py", ""],
  ["docs/coverage.py", ""],
  ["examples/fs/package.json", '{ "name": "fs" }'],
  ["packages/own/package.json", '{ "name": "@shop/own" }'],
  ["lib/shop/set.rb", ""],
])("%s takes the place of nothing", (path, text) => {
  expect(weakened(PROJECT, { ...PROJECT, [path]: text })).toEqual([]);
});

test("a module that moved, or that replaces a dependency, is no shadow", () => {
  expect(weakened({ "src/random.py": "x = 1\n" }, { "src/random/__init__.py": "x = 1\n" })).toEqual([]);
  const without = { ...PROJECT, "pyproject.toml": '[project]\nname = "shop"\ndependencies = ["PyYAML"]\n' };
  expect(weakened(PROJECT, { ...without, "requests.py": "x = 1\n" })).toEqual([]);
  const inPackage = { ...PROJECT, "tests/__init__.py": "" };
  expect(weakened(inPackage, { ...inPackage, "tests/json.py": "x = 1\n" })).toEqual([]);
});

const placesOf = (path: string, before: string, after: string): readonly string[] =>
  weakened({ [path]: before }, { [path]: after }).map(({ kind, line }) => `${kind} ${line}`);

test("of two lines that are the same, the new one is named, and one place counts once", () => {
  const line = "const a = f() as any;\n";
  const before = `one();\n${line}two();\n`;
  expect(placesOf("src/a.ts", before, `${line}zero();\n${before}`)).toEqual(["cast_to_any 1"]);
  expect(placesOf("src/a.ts", "", "const a = f(b as any, c as any);\n")).toEqual(["cast_to_any 1"]);
});

const lock = (...packages: readonly string[]): string =>
  JSON.stringify(
    { packages: Object.fromEntries(packages.map((name) => [`node_modules/${name}`, { hasInstallScript: true }])) },
    null,
    2,
  );
const manifest = (scripts: object, bin = {}): string => JSON.stringify({ bin, scripts }, null, 2);

test("a script of an installation is known by its package", () => {
  const inLock = "package-lock.json";
  expect(placesOf(inLock, lock("a", "b"), lock("b", "a", "a/node_modules/b"))).toEqual([]);
  expect(placesOf(inLock, lock("a"), lock("b", "c"))).toEqual(["install_script 4", "install_script 7"]);
  expect(placesOf("package.json", manifest({}), manifest({}, { install: "./a.js" }))).toEqual([]);
  expect(placesOf("package.json", manifest({ install: "a" }), manifest({ install: "b" }))).toEqual([
    "install_script 4",
  ]);
});

test("a file is generated if its header said so before", () => {
  const header = "// Code generated by protoc. DO NOT EDIT.\n";
  const after = `${header}const a = f() as any;\n`;
  expect(placesOf("src/a.ts", header, after)).toEqual([]);
  expect(placesOf("src/a.ts", "", after)).toEqual(["cast_to_any 2"]);
});

test("folders with tests are known by the end of their names", () => {
  for (const folder of ["unit_tests", "unit-tests", "App.Tests", "App.UnitTests"])
    expect(kindsOfLine(`${folder}/a.ts`, "const a = f() as any;")).toEqual([]);
  expect(kindsOfLine("contests/a.ts", "const a = f() as any;")).toEqual(["cast_to_any"]);
});
