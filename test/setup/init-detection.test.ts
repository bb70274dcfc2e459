import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { initialise } from "../../src/setup/init.ts";
import { scratchRepository } from "../support/scratch-repository.ts";

const manifest = (fields: object) => `${JSON.stringify({ name: "sample", ...fields })}\n`;
const SCRIPTS = { lint: "eslint .", test: "node --test", start: "node ." };
const PLACEHOLDER = 'echo "Error: no test specified" && exit 1';

const ASK_MAKE = '! command -v make || make --dry-run "$@"';

interface Sample {
  readonly files: Readonly<Record<string, string>>;
  readonly checks: readonly string[];
  /** What is said of it, where that matters. */
  readonly found?: readonly string[];
}

const MAKEFILE = [
  "OBJECTS := main.o other.o",
  "lint: FLAGS = -Wall",
  "%.o: %.c",
  "\tcc -c $<",
  "$(OBJECTS) build: main.c",
  "\tcc $^",
  "define RECIPE",
  "check: nothing",
  "endef",
  "LIST = one \\",
  "  ci: two",
  ".PHONY: test",
  "test: build",
  "\t./run",
  "",
].join("\n");

/** Small projects of every kind, and of those kinds where a careless look goes wrong. */
const SAMPLES: Readonly<Record<string, Sample>> = {
  npm: {
    files: { "package.json": manifest({ scripts: SCRIPTS }), "package-lock.json": "{}\n" },
    checks: ["lint: npm run lint", "test: npm run test"],
  },
  "npm with workspaces": {
    files: { "package.json": manifest({ scripts: SCRIPTS, workspaces: ["packages/*"] }) },
    checks: ["lint: npm run lint", "test: npm run test"],
  },
  "pnpm without a workspace": {
    files: { "package.json": manifest({ scripts: SCRIPTS }), "pnpm-lock.yaml": "lockfileVersion: '9.0'\n" },
    checks: ["lint: pnpm run lint", "test: pnpm run test"],
  },
  "a pnpm workspace": {
    files: {
      "package.json": manifest({ scripts: SCRIPTS }),
      "pnpm-workspace.yaml": "packages:\n  - packages/*\n",
    },
    checks: ["lint: pnpm -w run lint", "test: pnpm -w run test"],
  },
  yarn: {
    files: { "package.json": manifest({ scripts: SCRIPTS }), "yarn.lock": "" },
    checks: ["lint: yarn run lint", "test: yarn run test"],
  },
  bun: {
    files: { "package.json": manifest({ scripts: SCRIPTS }), "bun.lock": "" },
    checks: ["lint: bun run lint", "test: bun run test"],
  },
  "several lockfiles": {
    files: { "package.json": manifest({ scripts: SCRIPTS }), "yarn.lock": "", "package-lock.json": "{}\n" },
    checks: ["lint: yarn run lint", "test: yarn run test"],
    found: ["yarn (package.json; package-lock.json is there too): lint, test"],
  },
  "a declared package manager among several lockfiles": {
    files: {
      "package.json": manifest({ scripts: SCRIPTS, packageManager: "npm@10.9.0" }),
      "yarn.lock": "",
      "package-lock.json": "{}\n",
    },
    checks: ["lint: npm run lint", "test: npm run test"],
  },
  "a package manager among the engines": {
    files: {
      "package.json": manifest({ scripts: SCRIPTS, devEngines: { packageManager: { name: "bun" } } }),
    },
    checks: ["lint: bun run lint", "test: bun run test"],
  },
  "no scripts": {
    files: { "package.json": manifest({}) },
    checks: [],
    found: ["npm (package.json): no check"],
  },
  "npm's own placeholder": {
    files: { "package.json": manifest({ scripts: { test: PLACEHOLDER } }) },
    checks: [],
  },
  "just, in unusual case": {
    files: {
      JustFile: "set shell := ['sh', '-c']\n\ntest *args: build\n  ./run\n\nbuild:\n  cc\n\nlint path:\n  x\n",
    },
    checks: ["test: just test", "build: just build"],
    found: ["just (JustFile): test, build"],
  },
  "just, hidden": { files: { ".justfile": "@ci: \n  ./run\n" }, checks: ["ci: just ci"] },
  "make with variables, patterns and definitions": {
    files: { Makefile: MAKEFILE, "main.c": "int main(void) { return 0; }\n" },
    checks: ["test: make test", "build: make build"],
  },
  cargo: {
    files: { "Cargo.toml": '[package]\nname = "x"\n', "src/main.rs": "fn main() {}\n" },
    checks: ["typecheck: cargo check", "test: cargo test"],
  },
  "a cargo workspace": {
    files: { "Cargo.toml": '[workspace]\nmembers = ["a"]\n', "a/Cargo.toml": '[package]\nname = "a"\n' },
    checks: ["typecheck: cargo check --workspace", "test: cargo test --workspace"],
  },
  go: {
    files: { "go.mod": "module x\n", "main.go": "package main\n" },
    checks: ["lint: go vet ./...", "test: go test ./..."],
  },
  "go in a folder below, where the root has no module": { files: { "api/go.mod": "module x\n" }, checks: [] },
  "pytest by pyproject.toml": {
    files: { "pyproject.toml": '[tool.pytest.ini_options]\naddopts = "-q"\n' },
    checks: ["test: pytest"],
  },
  "pytest by pytest.ini": { files: { "pytest.ini": "[pytest]\n" }, checks: ["test: pytest"] },
  "pytest by a folder of tests, run by pdm": {
    files: {
      "pyproject.toml": '[project]\n[dependency-groups]\ndev = ["pytest>=8"]\n',
      "tests/test_x.py": "",
      "pdm.lock": "",
    },
    checks: ["test: pdm run pytest"],
    found: ["pytest (tests/): test"],
  },
  "pytest among the requirements": {
    files: { "requirements-dev.txt": "ruff\npytest==8.0\n", "test/test_x.py": "" },
    checks: ["test: pytest"],
  },
  "pytest that has nothing to run": {
    files: { "pyproject.toml": '[dependency-groups]\ndev = ["pytest>=8"]\n', "x.py": "" },
    checks: [],
  },
  "Python with tests for another runner": {
    files: { "pyproject.toml": '[project]\nname = "x"\n', "tests/test_x.py": "import nose\n" },
    checks: [],
  },
  "Python with its own tests": {
    files: { "pyproject.toml": '[project]\nname = "x"\n', "tests/test_x.py": "import unittest\n" },
    checks: ["test: python3 -m unittest discover -s tests"],
    found: ["unittest (tests/): test"],
  },
  "a package.json that is not JSON": {
    files: { "package.json": '{ "scripts": { "test": "x", } }\n', Makefile: "test:\n\ttrue\n" },
    checks: ["test: make test"],
    found: ["npm (package.json, which is not valid JSON): no check", "make (Makefile): test"],
  },
  "a package.json with a byte order mark": {
    files: { "package.json": `\uFEFF${manifest({ scripts: SCRIPTS })}` },
    checks: ["lint: npm run lint", "test: npm run test"],
  },
  "yarn of a later age": {
    files: {
      "package.json": manifest({
        scripts: SCRIPTS,
        packageManager: "yarn@4.5.0",
        workspaces: ["packages/*"],
      }),
      "yarn.lock": "__metadata:\n  version: 8\n",
      ".yarnrc.yml": "nodeLinker: node-modules\n",
    },
    checks: ["lint: yarn run lint", "test: yarn run test"],
  },
  "a Makefile without a test": {
    files: { Makefile: ".PHONY: test\nall:\n\ttrue\nclean:\n\ttrue\n" },
    checks: [],
    found: ["make (Makefile): no check"],
  },
  "a justfile with recipes that are not for everybody": {
    files: {
      justfile: "_test:\n  x\n\n[private]\ntest:\n  x\n\n[confirm]\nbuild:\n  x\n\nlint: _test\n  x\n",
    },
    checks: ["lint: just lint"],
  },
  "several languages": {
    files: {
      "package.json": manifest({ scripts: { test: "node --test" } }),
      "Cargo.toml": '[package]\nname = "x"\n',
      "go.mod": "module x\n",
      "pyproject.toml": "[tool.pytest.ini_options]\n",
    },
    checks: [
      "test: npm run test",
      "typecheck: cargo check",
      "cargo_test: cargo test",
      "lint: go vet ./...",
      "go_test: go test ./...",
      "pytest_test: pytest",
    ],
  },
  "tests of no language that we know": { files: { "tests/x.txt": "1\n" }, checks: [] },
  "a Makefile around npm": {
    files: {
      "package.json": manifest({ scripts: { test: "node --test" } }),
      Makefile: "test lint:\n\tnpm test\n",
    },
    checks: ["test: npm run test", "lint: make lint"],
  },
};

test.for(Object.entries(SAMPLES))("the checks of %s are found, from a folder below too", async ([, sample]) => {
  const { root, box } = scratchRepository({ ...sample.files, "some/where/below.txt": "1\n" });
  const environment = { XDG_STATE_HOME: join(box, "state") };
  mkdirSync(join(root, "some/where/else"));
  const outcome = await initialise({
    cwd: join(root, "some/where/else"),
    commit: false,
    full: false,
    signal: new AbortController().signal,
    environment,
  });
  if (outcome.kind !== "initialised") throw new Error(outcome.message);
  const templates = outcome.detection?.templates ?? [];
  expect(templates.map(({ id, cmd, args }) => `${id}: ${[cmd, ...args].join(" ")}`)).toEqual(sample.checks);
  expect(outcome.detection?.found).toEqual(sample.found ?? outcome.detection?.found);
  const config: unknown = JSON.parse(readFileSync(join(root, "relais.config.json"), "utf8"));
  expect(config).toMatchObject({ verification: { templates } });
  // Where the program is at hand it can say itself whether it knows what is proposed.
  for (const { args } of templates.filter(({ cmd }) => cmd === "make"))
    execFileSync("sh", ["-c", ASK_MAKE, "sh", ...args], { cwd: root, stdio: "ignore" });
});
