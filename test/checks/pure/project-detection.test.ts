import fc from "fast-check";
import { expect, test } from "vitest";
import { parseConfig } from "../../../src/config/parse-config.ts";
import { isProjectFile, PYTHON_TEST_FILE } from "../../../src/checks/pure/check-sources.ts";
import { validateGlob } from "../../../src/base/glob-validity.ts";
import { detectProject, makeInitialConfig } from "../../../src/checks/pure/project-detection.ts";
import { listJustRecipes, makeTargets } from "../../../src/checks/pure/recipe-names.ts";
import { runs } from "../../support/runs.ts";

/** A root as a listing: a name that ends in a slash is a folder, and a text is the content of a file. */
function detect(entries: Readonly<Record<string, string>>) {
  const names = Object.keys(entries);
  return detectProject({
    tracked: names.filter((name) => !name.endsWith("/")),
    files: new Set(names.filter((name) => !name.includes("/"))),
    testFiles: new Set(names.filter((name) => /\/./.test(name))),
    folders: new Set(names.filter((name) => name.endsWith("/")).map((name) => name.slice(0, -1))),
    texts: new Map(Object.entries(entries).filter(([name]) => isProjectFile(name) || PYTHON_TEST_FILE.test(name))),
  });
}

const commands = (entries: Readonly<Record<string, string>>) =>
  detect(entries).templates.map(({ id, cmd, args }) => `${id}: ${[cmd, ...args].join(" ")}`);
const manifest = (scripts: object, more: object = {}) => JSON.stringify({ name: "x", scripts, ...more });
const ALL = manifest({ build: "b", test: "t", lint: "l", typecheck: "y", start: "s" });

test.each([
  ["npm, where nothing says otherwise", "npm run", {}],
  ["npm by its lockfile", "npm run", { "package-lock.json": "" }],
  ["pnpm by its lockfile", "pnpm run", { "pnpm-lock.yaml": "" }],
  ["yarn by its lockfile", "yarn run", { "yarn.lock": "" }],
  ["bun by its lockfile", "bun run", { "bun.lock": "" }],
  ["bun by its older lockfile", "bun run", { "bun.lockb": "" }],
  ["a pnpm workspace", "pnpm -w run", { "pnpm-lock.yaml": "", "pnpm-workspace.yaml": "packages:\n  - a\n" }],
  ["pnpm settings that make no workspace", "pnpm run", { "pnpm-workspace.yaml": "hoist: false\n" }],
])("scripts are called through %s", (_, call, entries) => {
  const names = ["lint", "typecheck", "test", "build"];
  expect(commands({ "package.json": ALL, ...entries })).toEqual(names.map((name) => `${name}: ${call} ${name}`));
});

test("what the manifest declares wins over the lockfiles", () => {
  const text = manifest({ test: "t" }, { packageManager: "yarn@4.1.0+sha512.abc" });
  expect(commands({ "package.json": text, "pnpm-lock.yaml": "" })).toEqual(["test: yarn run test"]);
  const odd = manifest({ test: "t" }, { packageManager: "pnpmish@1" });
  expect(commands({ "package.json": odd })).toEqual(["test: npm run test"]);
});

test("only scripts that exist become checks, under the names that projects use", () => {
  expect(commands({ "package.json": manifest({ "check-types": "tsc", start: "x" }) })).toEqual([
    "typecheck: npm run check-types",
  ]);
  expect(commands({ "package.json": manifest({ test: 'echo "Error: no test specified" && exit 1' }) })).toEqual([]);
  for (const broken of ["{", "[]", "null", '{"scripts":[]}', '{"scripts":{"test":1}}', ""])
    expect(commands({ "package.json": broken })).toEqual([]);
});

test.each([
  ["just", { justfile: "test:\n  x\nlint:\n" }, ["lint: just lint", "test: just test"]],
  ["just, with a hidden file", { ".justfile": "ci: lint\n" }, ["ci: just ci"]],
  ["make", { Makefile: ".PHONY: test\ntest lint: all\n\tx\n" }, ["lint: make lint", "test: make test"]],
  ["cargo", { "Cargo.toml": "" }, ["typecheck: cargo check", "test: cargo test"]],
  ["go", { "go.mod": "" }, ["lint: go vet ./...", "test: go test ./..."]],
  ["pytest by its settings", { "pyproject.toml": "[tool.pytest.ini_options]\n" }, ["test: pytest"]],
  ["pytest by setup.cfg", { "setup.cfg": "[tool:pytest]\n" }, ["test: pytest"]],
  ["pytest by tox.ini", { "tox.ini": "[tox]\n[pytest]\n" }, ["test: pytest"]],
  ["pytest by its own file", { "pytest.ini": "" }, ["test: pytest"]],
  ["pytest by a folder of tests", { "setup.py": "tests_require=['pytest']", "tests/": "" }, ["test: pytest"]],
  [
    "pytest by a file among the tests",
    { "tests/": "", "tests/conftest.py": "", "tests/test_a.py": "" },
    ["test: pytest"],
  ],
  ["no pytest by tests alone", { "tests/": "", "tests/test_a.py": "" }, []],
  [
    "unittest by its imports",
    {
      "setup.py": "",
      "tests/": "",
      "tests/test_a.py": "import unittest\n",
      "tests/test_b.py": "from unittest import mock\n",
    },
    ["test: python3 -m unittest discover -s tests"],
  ],
  [
    "unittest in a package of tests",
    { "pyproject.toml": "", "test/": "", "test/__init__.py": "", "test/test_a.py": "import unittest\n" },
    ["test: python3 -m unittest discover -s test -t ."],
  ],
  [
    "no unittest beside pytest",
    { "setup.py": "", "tests/": "", "tests/test_a.py": "import unittest\nimport pytest\n" },
    [],
  ],
  [
    "no unittest in a module without it",
    { "setup.py": "", "tests/": "", "tests/test_a.py": "import unittest\n", "tests/test_b.py": "def test(): 1\n" },
    [],
  ],
  [
    "no unittest for a package that must be installed",
    { "setup.py": "", "src/": "", "tests/": "", "tests/test_a.py": "import unittest\n" },
    [],
  ],
  [
    "no unittest in an environment of its own",
    { "pyproject.toml": "", "uv.lock": "", "tests/": "", "tests/test_a.py": "import unittest\n" },
    [],
  ],
  [
    "no unittest where tox runs",
    { "setup.py": "", "tox.ini": "[tox]\n", "tests/": "", "tests/test_a.py": "import unittest\n" },
    [],
  ],
  ["pytest in uv", { "conftest.py": "", "uv.lock": "" }, ["test: uv run pytest"]],
  ["pytest in poetry", { "conftest.py": "", "poetry.lock": "" }, ["test: poetry run pytest"]],
  ["nothing in Python without tests", { "pyproject.toml": "[project]\n" }, []],
  ["nothing in an empty repository", {}, []],
])("checks of %s", (_, entries, expected) => {
  expect(commands(entries)).toEqual(expected);
});

test("a wrapper stands for what it wraps, and two languages keep both of their checks", () => {
  expect(commands({ "Cargo.toml": "", justfile: "test:\n" })).toEqual(["test: just test", "typecheck: cargo check"]);
  expect(commands({ "package.json": manifest({ test: "t" }), Makefile: "test:\nbuild:\n" })).toEqual([
    "test: npm run test",
    "build: make build",
  ]);
  expect(commands({ "package.json": manifest({ test: "t" }), "go.mod": "", "conftest.py": "" })).toEqual([
    "test: npm run test",
    "lint: go vet ./...",
    "go_test: go test ./...",
    "pytest_test: pytest",
  ]);
});

test("what was found is said in words", () => {
  const entries = { "package.json": manifest({}), "yarn.lock": "", "go.mod": "" };
  expect(detect(entries).found).toEqual(["yarn (package.json): no check", "go (go.mod): lint, test"]);
});

test("recipes that need an argument, settings, aliases and bodies are no checks", () => {
  const justfile = [
    'set shell := ["bash", "-c"]',
    "alias t := test",
    "test *words: build",
    "  lint: not a recipe",
    "@build:",
    'bench size="10" *rest:',
    "deploy target:",
    "release +versions:",
    "version := '1'",
    "# ci: a comment",
    "_hidden:",
    "[private]",
    "check:",
    "[no-cd]",
    "[confirm('Really?'), group('a')]",
    "lint:",
    "[windows]",
    "ci:",
    "[windows, linux]",
    "[group: 'x']",
    "# with a comment",
    "typecheck:",
    "[unix]",
    "fmt:",
  ].join("\n");
  expect([...listJustRecipes(justfile)]).toEqual(["test", "build", "bench", "typecheck", "fmt"]);
});

test("variables and bodies of a Makefile are no targets", () => {
  const makefile = "A := b:c\nB ::= x\nC = d\ntest:: dep\n\tlint: x\nbuild lib/x.o : y\nifeq (a,b)\n# ci: z\n";
  expect([...makeTargets(makefile)]).toEqual(["test", "build", "lib/x.o"]);
});

const name = fc.oneof(
  fc.constantFrom(
    "package.json",
    "pnpm-workspace.yaml",
    "JustFile",
    ".justfile",
    "GNUmakefile",
    "Makefile",
    "pyproject.toml",
    "setup.cfg",
    "tox.ini",
    "Cargo.toml",
    "go.mod",
    "conftest.py",
    "pnpm-lock.yaml",
    "package-lock.json",
    "README.md",
  ),
  fc.constantFrom("src/", "tests/", "relais/", "node_modules/", "a b/", "[id]/", "!x/", "-x/", "é/"),
  fc.string({ unit: "binary", minLength: 1, maxLength: 6 }),
);
const content = fc.oneof(
  fc.string({ unit: "binary", maxLength: 40 }),
  fc.constantFrom(ALL, "test:\nlint:\ncheck:\n", "[tool.pytest]\n", "packages:\n"),
  fc.json(),
);

test("whatever lies at the root, the first configuration is valid and allows no unusable glob", () => {
  fc.assert(
    fc.property(fc.dictionary(name, content, { maxKeys: 12 }), (entries) => {
      const detection = detect(entries);
      const parsed = parseConfig(JSON.parse(makeInitialConfig(detection)));
      expect(parsed.kind).toBe("valid");
      if (parsed.kind !== "valid") return;
      expect(parsed.value.verification.templates.map(({ id }) => id)).toEqual(detection.templates.map(({ id }) => id));
      expect(parsed.value.scope.default_allowed_globs.length).toBeGreaterThan(0);
      for (const glob of detection.allowedGlobs) expect(validateGlob(glob)).toBeNull();
    }),
    runs(500),
  );
});
