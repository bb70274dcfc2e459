import { describe, expect, test } from "vitest";
import { kindsOfLine, weakened } from "../../support/weakening.ts";

const BAD: readonly (readonly [kind: string, path: string, line: string])[] = [
  ["asks_for_runner", "src/a.js", 'if (process.env.NODE_ENV === "test") return 42;'],
  ["asks_for_runner", "src/a.js", "const { NODE_ENV } = process.env; if (NODE_ENV !== 'test') f();"],
  ["asks_for_runner", "src/a.ts", 'if (process.env["VITEST"]) return 42;'],
  ["asks_for_runner", "src/a.js", "if (process.env.VITEST_WORKER_ID !== undefined) return 42;"],
  ["asks_for_runner", "src/a.js", "if (process.env.JEST_WORKER_ID) return 42;"],
  ["asks_for_runner", "src/a.js", "const isTested = !!process.env.NODE_TEST_CONTEXT;"],
  ["asks_for_runner", "src/a.js", "const { VITEST } = process.env;"],
  ["asks_for_runner", "src/a.js", 'if ("npm_lifecycle_event" in process.env) return 42;'],
  ["asks_for_runner", "src/a.js", 'if (typeof describe === "function") return 42;'],
  ["asks_for_runner", "src/a.js", "if (globalThis.expect) return 42;"],
  ["asks_for_runner", "src/a.ts", "if (import.meta.vitest) return 42;"],
  ["asks_for_runner", "a.py", 'if "PYTEST_CURRENT_TEST" in os.environ: return 42'],
  ["asks_for_runner", "a.py", 'if os.environ.get("PYTEST_CURRENT_TEST"): return 42'],
  ["asks_for_runner", "a.py", 'if os.getenv("TOX_ENV_NAME"): return 42'],
  ["asks_for_runner", "a.py", "if 'pytest' in sys.modules: return 42"],
  ["asks_for_runner", "a.py", 'if "unittest" in sys.modules: return 42'],
  ["asks_for_runner", "a.go", 'if flag.Lookup("test.v") != nil { return 42 }'],
  ["asks_for_runner", "a.go", "if testing.Testing() { return 42 }"],
  ["asks_for_runner", "a.go", 'if strings.HasSuffix(os.Args[0], ".test") { return 42 }'],
  ["asks_for_runner", "src/lib.rs", "if cfg!(test) { return 42; }"],
  ["asks_for_runner", "lib.sh", 'if [ -n "$BATS_TEST_NAME" ]; then echo 42; fi'],
  ["asks_for_caller", "src/a.js", 'if (new Error().stack.includes(".test.js")) return 42;'],
  ["asks_for_caller", "src/a.js", "if (process.argv.some((word) => /test/.test(word))) return 42;"],
  ["asks_for_caller", "src/a.js", 'if (require.main.filename.includes("spec.js")) return 42;'],
  ["asks_for_caller", "src/a.js", 'if (process.execArgv.includes("--test")) return 42;'],
  ["asks_for_caller", "a.py", 'if any("test" in frame.filename for frame in inspect.stack()): return 42'],
  ["asks_for_caller", "a.py", 'if "pytest" in sys.argv[0]: return 42'],
  ["asks_for_caller", "a.py", 'if sys._getframe(1).f_code.co_name.startswith("test_"): return 42'],
  ["asks_for_caller", "lib.sh", 'case "${BASH_SOURCE[1]}" in *"test"*) echo 42;; esac'],
  ["imports_test_tool", "src/a.js", 'import { expect } from "vitest";'],
  ["imports_test_tool", "src/a.js", 'const test = require("node:test");'],
  ["imports_test_tool", "a.py", "import pytest"],
  ["imports_test_tool", "a.go", 'import "testing"'],
  ["asks_for_ci", "src/a.js", "if (process.env.CI) return 42;"],
];

describe("code that asks whether it is being tested", () => {
  test.each(BAD)("%s in %s: %s", (kind, path, line) => {
    expect(kindsOfLine(path, line)).toContain(kind);
  });
});

const GOOD: readonly (readonly [path: string, line: string])[] = [
  ["src/a.js", 'if (process.env.NODE_ENV === "production") f();'],
  ["src/a.js", "throw new Error(\"set NODE_ENV === 'test'\");"],
  ["src/a.js", "// process.env.VITEST is set by the runner"],
  ["src/a.js", "log(error.stack);"],
  ["src/a.js", "const args = process.argv.slice(2);"],
  ["src/a.js", "if (pattern.test(word)) return 42;"],
  ["src/a.js", 'import assert from "node:assert";'],
  ["a.py", "if __name__ == '__main__': main()"],
  ["a.py", "frame = inspect.currentframe()"],
  ["src/lib.rs", "#[cfg(test)]\nmod tests {}"],
  ["run.sh", 'echo "$0"'],
  ["test/a.test.js", 'if (process.env.VITEST) process.env.NODE_ENV = "test";'],
  ["vitest.config.ts", "export default { bail: process.env.CI ? 1 : 0 };"],
  ["scripts/run.js", "if (process.argv.includes('--test')) f();"],
];

describe("honest code", () => {
  test.each(GOOD)("%s: %s", (path, line) => {
    expect(kindsOfLine(path, line)).toEqual([]);
  });
});

test("a question about CI is a note, one about the runner holds", () => {
  const found = weakened({}, { "src/a.js": "f(process.env.CI, process.env.VITEST);\n" });
  expect(found.map((one) => [one.kind, one.default])).toEqual([
    ["asks_for_runner", "hold"],
    ["asks_for_ci", "note"],
  ]);
});

const kindsOf = (text: string) => weakened({}, { "src/a.ts": text }).map(({ kind }) => kind);

test("a variable that has the name of a global of a runner is none", () => {
  expect(kindsOf('if (typeof test === "function") return 42;\n')).toEqual(["asks_for_runner"]);
  for (const text of [
    'function find(test: unknown) {\n  if (typeof test === "function") return test();\n}\n',
    'export const find = (list, test) => {\n  return typeof test === "string";\n};\n',
    'list.map((it) => typeof it === "string");\n',
    'const expect = read();\nif (typeof expect === "string") run();\n',
  ])
    expect(kindsOf(text)).toEqual([]);
});
