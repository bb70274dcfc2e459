/** Settings of tools, compared by key and value. */
import { describe, expect, test } from "vitest";
import { weakened } from "../../support/weakening.ts";

type Files = Readonly<Record<string, string>>;

const found = (before: Files, after: Files) =>
  weakened(before, after).map(({ kind, path, line, default: level }) => `${level} ${kind} ${path}:${line}`);
/** One file that was there. */
const kinds = (path: string, before: string, after: string) => [
  ...new Set(weakened({ [path]: before }, { [path]: after }).map(({ kind }) => kind)),
];

/** A file, what it said, what it says, and the kind that is found; of null nothing. */
const CASES: readonly (readonly [path: string, before: string, after: string, kind: string | null])[] = [
  // JSON, with comments and commas at the end.
  ["tsconfig.json", '{ "compilerOptions": { "strict": true } }', '{ "compilerOptions": {} }', "lowered_threshold"],
  ["tsconfig.json", '{ /* a */ "strict": true, }', '{ "strict": false, // b\n }', "disabled_rule"],
  ["tsconfig.json", '{ "strict": true }', '{ "str\\u0069ct": false }', "disabled_rule"],
  ["tsconfig.json", '{ "strict": true }', '{\n  // "strict": false\n  strict: true\n}', null],
  ["tsconfig.json", '{ "noImplicitAny": true }', '{ "strict": true }', null],
  ["tsconfig.json", '{ "exclude": ["dist"] }', '{ "exclude": ["dist", "node_modules", "build/**"] }', null],
  [
    ".eslintrc.json",
    '{ "rules": { "a": "error" } }',
    '{ "rules": { "a": ["warn", { "b": 1 }] } }',
    "lowered_threshold",
  ],
  [".eslintrc.json", '{ "rules": { "a": 2 } }', '{ "rules": { "a": "error" } }', null],
  [".eslintrc.json", '{ "rules": { "a": 1 } }', '{ "rules": { "a": 0 } }', "disabled_rule"],
  ["biome.json", "{}", '{ "linter": { "rules": { "style": { "noVar": "off" } } } }', "disabled_rule"],
  ["package.json", "{}", '{ "files": ["a"], "exclude": ["src/x.js"], "license": "off" }', null],
  ["package.json", '{ "jest": {} }', '{ "jest": { "coverageThreshold": { "global": { "lines": 90 } } } }', null],
  ["package.json", "{}", '{ "scripts": { "test": "pytest --deselect tests/a.py::b" } }', "disabled_rule"],
  [
    "package.json",
    '{ "scripts": { "l": "x --max-warnings 0" } }',
    '{ "scripts": { "l": "x --max-warnings=9" } }',
    "lowered_threshold",
  ],
  // TOML
  [
    "pyproject.toml",
    "[tool.coverage.report]\nfail_under = 90\n",
    "[tool.coverage.report]\nfail_under = 50\n",
    "lowered_threshold",
  ],
  ["pyproject.toml", "[tool.coverage.report]\nfail_under = 90\n", "[tool.coverage.report]\nfail_under = 95\n", null],
  ["pyproject.toml", '[tool.ruff]\nselect = ["E"]\n', "[tool.ruff]\nselect=[\n 'E', # all\n]\n", null],
  ["pyproject.toml", "[tool.hatch.build]\nexclude = []\n", '[tool.hatch.build]\nexclude = ["src/a.py"]\n', null],
  [
    "pyproject.toml",
    "[tool.mypy]\n",
    '[tool.mypy]\n[[tool.mypy.overrides]]\nmodule = "a"\nignore_errors = true\n',
    "disabled_rule",
  ],
  ["Cargo.toml", "[lints.clippy]\n", '[lints.clippy]\ntodo = { level = "allow", priority = 1 }\n', "disabled_rule"],
  [
    "clippy.toml",
    "cognitive-complexity-threshold = 20\n",
    "cognitive-complexity-threshold = 90\n",
    "lowered_threshold",
  ],
  // INI, with lines that go on.
  ["setup.cfg", "[flake8]\nignore =\n  E501\n", "[flake8]\nignore =\n  E501,\n  W503\n", "ignore_entry"],
  [".flake8", "[flake8]\nignore = E501, W503\n", "[flake8]\nignore =\n  W503\n  E501\n", null],
  ["tox.ini", "[pytest]\naddopts = -q\n", "[pytest]\naddopts = -q\n  --ignore=tests/slow\n", "disabled_rule"],
  [".coveragerc", "[report]\nfail_under: 80\n", "[report]\nfail_under = 70\n", "lowered_threshold"],
  // YAML
  [".golangci.yml", "linters:\n  disable: [lll]\n", 'linters:\n  disable:\n    - "lll"\n', null],
  [".golangci.yml", "linters:\n  disable: []\n", "linters:\n  disable:\n    - errcheck\n", "ignore_entry"],
  [".rubocop.yml", "Metrics/X:\n  Max: 10\n", "Metrics/X:\n  Max: 99\n", "lowered_threshold"],
  [
    ".rubocop.yml",
    "Metrics/X: &a\n  Enabled: true\n",
    "Metrics/X: &a\n  Enabled: false\nMetrics/Y: *a\n",
    "disabled_rule",
  ],
  [
    "codecov.yml",
    "coverage: { status: { project: { default: { target: 80% } } } }\n",
    "coverage: { status: { project: { default: { target: 10% } } } }\n",
    "lowered_threshold",
  ],
  ["phpstan.neon", "parameters:\n\tlevel: 8\n", "parameters:\n\tlevel: 2\n", "lowered_threshold"],
  // XML
  [
    "a.csproj",
    "<Project><PropertyGroup><NoWarn>CS1591</NoWarn></PropertyGroup></Project>",
    "<Project><PropertyGroup><NoWarn>$(NoWarn);1591</NoWarn></PropertyGroup></Project>",
    null,
  ],
  [
    "a.csproj",
    "<Project><PropertyGroup/></Project>",
    "<Project><PropertyGroup><NoWarn>CA1,CA2</NoWarn></PropertyGroup></Project>",
    "ignore_entry",
  ],
  [
    "Directory.Build.props",
    "<P><TreatWarningsAsErrors>true</TreatWarningsAsErrors></P>",
    "<P><TreatWarningsAsErrors>False</TreatWarningsAsErrors></P>",
    "disabled_rule",
  ],
  ["a.csproj", "<P><IsPackable>true</IsPackable></P>", "<P><IsPackable>false</IsPackable></P>", null],
  [
    "checkstyle.xml",
    '<module name="A"><property name="max" value="9"/></module>',
    '<module name="A"><property name="max" value="99"/></module>',
    "lowered_threshold",
  ],
  [
    "pom.xml",
    "<project><properties/></project>",
    "<project><properties><skipTests>true</skipTests></properties></project>",
    "disabled_rule",
  ],
  // .editorconfig
  [".editorconfig", "[*.cs]\n", "[*.cs]\ndotnet_diagnostic.CA1.severity = none\n", "disabled_rule"],
  [".editorconfig", "[*.cs]\na_style = true:error\n", "[*.cs]\na_style = true:suggestion\n", "lowered_threshold"],
  [".editorconfig", "[*]\n", "[*]\ntrim_trailing_whitespace = false\n", null],
  // Programs
  [
    "vitest.config.ts",
    "export default { test: { coverage: { thresholds: { lines: 90 } } } };",
    "export default { test: { coverage: { thresholds: { lines: 70 } } } };",
    "lowered_threshold",
  ],
  [
    "jest.config.cjs",
    "module.exports = { retries: process.env.CI ? 2 : 0 };",
    "module.exports = { retries: process.env.CI ? 5 : 0 };",
    "lowered_threshold",
  ],
  [
    "jest.config.cjs",
    "const MIN = 90;\nmodule.exports = { coverageThreshold: { global: { lines: MIN } } };",
    "const MIN = 9;\nmodule.exports = { coverageThreshold: { global: { lines: MIN } } };",
    "lowered_threshold",
  ],
  [
    "eslint.config.js",
    "export default [{ rules: { a: 'error' } }];",
    "export default [globalIgnores(['src/a.js']), { rules: { a: 'error' } }];",
    "ignore_entry",
  ],
  [
    "eslint.config.js",
    "export default [{ rules: { a: 'error' } }];",
    'export default [{ rules: { "a": ["error"] } }]; // a: "off"',
    null,
  ],
  ["playwright.config.ts", "export default {};", "export default { retries: 3 };", "lowered_threshold"],
  [
    "build.gradle.kts",
    "kotlin { allWarningsAsErrors = true }",
    "kotlin { allWarningsAsErrors = false }",
    "disabled_rule",
  ],
  // Lists
  [".eslintignore", "src/a.js\n", "dist/\ncoverage\n./src/a.js\n", null],
  [".eslintignore", "src/**\n", "src/a/**\n", null],
];

describe("one file", () => {
  test.for(CASES)("%s: %s => %s", ([path, before, after, kind]) => {
    expect(kinds(path, before, after)).toEqual(kind === null ? [] : [kind]);
  });
});

test("what moves to another file, in other words, is not new, and what gets looser on the way is", () => {
  const before = { "setup.cfg": "[flake8]\nignore = E1\n[coverage:report]\nfail_under = 90\n", "pyproject.toml": "" };
  const moved = '[tool.ruff]\nignore = ["E1"]\n[tool.coverage.report]\nfail_under = ';
  expect(found(before, { "setup.cfg": "", "pyproject.toml": `${moved}90\n` })).toEqual([]);
  expect(found(before, { "setup.cfg": "", "pyproject.toml": `${moved}60\n` })).toEqual([
    "hold lowered_threshold pyproject.toml:4",
  ]);
  const deleted = { "jest.config.js": "module.exports = { coverageThreshold: { global: { lines: 90 } } };" };
  expect(found(deleted, { "vitest.config.ts": "export default { coverage: { lines: 50 } };" })).toEqual([
    "hold lowered_threshold vitest.config.ts:1",
  ]);
  const shared = { "a/tsconfig.json": '{ "strict": true }', "b/tsconfig.json": '{ "strict": true }' };
  const base = { "a/tsconfig.json": "{}", "b/tsconfig.json": "{}", "tsconfig.base.json": '{ "strict": true }' };
  expect(found(shared, base)).toEqual([]);
});

test("a new file is compared with those of its kind; where there is none, a tool is new", () => {
  const old = { "a/tsconfig.json": '{ "strict": true, "noImplicitReturns": false, "exclude": ["*.d.ts"] }' };
  const fresh = (text: string) => found(old, { ...old, "b/tsconfig.json": text });
  expect(fresh('{ "strict": true, "noImplicitReturns": false, "exclude": ["*.d.ts"] }')).toEqual([]);
  expect(fresh('{ "strict": false }')).toEqual(["hold disabled_rule b/tsconfig.json:1"]);
  expect(found({}, { "tsconfig.json": '{ "strict": false }' })).toEqual(["note disabled_rule tsconfig.json:1"]);
  const manifest = { "pyproject.toml": "[project]\n" };
  const linted = { "pyproject.toml": '[project]\n[tool.ruff]\nignore = ["E1"]\n' };
  expect(found(manifest, linted)).toEqual(["note ignore_entry pyproject.toml:3"]);
});

test("a runner that leaves out a test of before says much, whatever the custom is", () => {
  const before = { "src/a.js": "", "test/a.test.js": "", "jest.config.js": "module.exports = {};" };
  const leave = (path: string) =>
    found(before, { ...before, "jest.config.js": `module.exports = { testPathIgnorePatterns: ["/${path}"] };` });
  expect(leave("test/a.test.js")).toEqual(["hold ignore_entry jest.config.js:1"]);
  expect(leave("test/b.test.js")).toEqual(["note ignore_entry jest.config.js:1"]);
  const { "jest.config.js": _, ...bare } = before;
  const first = { ...bare, "jest.config.js": 'module.exports = { testPathIgnorePatterns: ["a.test.js"] };' };
  expect(found(bare, first)).toEqual(["hold ignore_entry jest.config.js:1"]);
});

test("an exception says little where it is the custom, names nothing that was, or is of a formatter", () => {
  const ruff = (before: string, after: string) =>
    found({ "ruff.toml": `ignore = [${before}]\n` }, { "ruff.toml": `ignore = [${before}, ${after}]\n` });
  expect(ruff('"E1", "E2"', '"E3"')).toEqual(["hold ignore_entry ruff.toml:1"]);
  expect(ruff('"E1", "E2", "E3"', '"E4"')).toEqual(["note ignore_entry ruff.toml:1"]);
  const eslint = (path: string) =>
    found({ "src/a.js": "", ".eslintignore": "" }, { "src/a.js": "", ".eslintignore": `${path}\n` });
  expect(eslint("src/a.js")).toEqual(["hold ignore_entry .eslintignore:1"]);
  expect(eslint("src/b.js")).toEqual(["note ignore_entry .eslintignore:1"]);
  expect(found({ "a.md": "", ".prettierignore": "" }, { "a.md": "", ".prettierignore": "a.md\n" })).toEqual([
    "note ignore_entry .prettierignore:1",
  ]);
});

test("what git ignores weighs nothing", () => {
  const before = { ".gitignore": "/gen/\n*.tmp\n", "gen/a.js": "", "tsconfig.json": '{ "exclude": [] }' };
  const after = { ...before, "tsconfig.json": '{ "exclude": ["./gen/**", "src/gen/x", "**/*.tmp"] }' };
  expect(found(before, after)).toEqual([]);
});

test("a file that cannot be read is a suspicion, and a note if nobody could read it before", () => {
  const unreadable = ["hold unreadable_settings tsconfig.json:1"];
  expect(found({ "tsconfig.json": "{}" }, { "tsconfig.json": '{ "strict": ' })).toEqual(unreadable);
  expect(found({ "tsconfig.json": "{" }, { "tsconfig.json": "{ {" })).toEqual([
    "note unreadable_settings tsconfig.json:1",
  ]);
  expect(found({ "tsconfig.json": "{" }, { "tsconfig.json": "{}" })).toEqual([]);
});

const HOSTILE: Readonly<Record<string, readonly [path: string, text: string]>> = {
  "brackets of JSON": ["tsconfig.json", "[".repeat(100_000)],
  "brackets of YAML": [".golangci.yml", `a: ${"[".repeat(5000)}`],
  "lists in lists": [".golangci.yml", `${"- ".repeat(5000)}a`],
  "folders of indentation": [".golangci.yml", Array.from({ length: 500 }, (_, at) => `${" ".repeat(at)}a:`).join("\n")],
  "an alias that grows": [
    ".golangci.yml",
    `a0: &a0 [x, x, x, x]\n${Array.from({ length: 12 }, (_, at) => `a${at + 1}: &a${at + 1} [${`*a${at}, `.repeat(9)}x]\n`).join("")}`,
  ],
  "an alias of itself": [".golangci.yml", "a: &a [*a]\n"],
  "brackets of TOML": ["ruff.toml", `a = ${"[".repeat(100_000)}`],
  "elements in elements": ["a.csproj", "<a>".repeat(50_000)],
  "comments that never end": ["a.csproj", "<!--".repeat(50_000) + "<"],
  "attributes that never end": ["a.csproj", `<a ${'b="'.repeat(50_000)}`],
  "more than anybody writes": ["ruff.toml", `# ${"x".repeat(300_000)}`],
  "no text": [".golangci.yml", "a\0b"],
};

test.each(Object.entries(HOSTILE))("%s are refused quickly", (_, [path, text]) => {
  expect(kinds(path, path.endsWith(".csproj") ? "<a/>" : "", text)).toEqual(["unreadable_settings"]);
});

test("a key that comes twice counts twice", () => {
  expect(kinds("tsconfig.json", '{ "strict": true }', '{ "strict": false, "strict": true }')).toEqual([
    "disabled_rule",
  ]);
});

const lines = (path: string, before: string, after: string) =>
  weakened({ [path]: before }, { [path]: after }).map(({ line }) => line);

test("the named line is that of the value", () => {
  const toml = '[tool.mypy]\n[[tool.mypy.overrides]]\nmodule = "a"\nignore_errors = false\n';
  const more = '[[tool.mypy.overrides]]\nmodule = "b"\nignore_errors = true\n';
  expect(lines("pyproject.toml", toml, toml + more)).toEqual([7]);
  expect(lines(".rubocop.yml", "A:\n  Max: 1\n", "# b\nA:\n  Max: 2\n")).toEqual([3]);
  expect(lines("tox.ini", "[flake8]\nignore =\n  E1\n", "[flake8]\nignore =\n  E1\n  E2\n")).toEqual([4]);
});
