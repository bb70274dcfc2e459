import { expect, test } from "vitest";
import { FOUND_GLOBS_MAX, listAllowedGlobs } from "../../../src/checks/pure/project-detection.ts";

const manifest = (fields: object) => JSON.stringify({ name: "x", ...fields });

interface Shape {
  readonly tracked: readonly string[];
  readonly manifest?: string;
  readonly globs: readonly string[];
}

/** The shapes of packages as registries have them. */
const SHAPES: Readonly<Record<string, Shape>> = {
  "one file and its test": {
    tracked: [
      ".editorconfig",
      ".github/workflows/ci.yml",
      "index.js",
      "license",
      "package.json",
      "readme.md",
      "test.js",
    ],
    manifest: manifest({ exports: "./index.js" }),
    globs: ["*.js", "*.md", "package.json"],
  },
  "a project whose manifest has a name of its own": {
    tracked: ["App.csproj", "App.sln", "Program.cs", "packages.lock.json"],
    globs: ["*.cs", "App.csproj"],
  },
  "a package with examples": {
    tracked: ["CHANGELOG.md", "example/main.dart", "lib/a.dart", "pubspec.lock", "pubspec.yaml"],
    globs: ["lib/**", "example/**", "*.md", "pubspec.yaml"],
  },
  "one file with types, and settings of a linter": {
    tracked: [
      "eslint.config.js",
      "index.d.ts",
      "index.js",
      "package-lock.json",
      "package.json",
      "README.md",
      "test.js",
    ],
    manifest: manifest({ main: "index.js", types: "index.d.ts" }),
    globs: ["index.js", "test.js", "*.ts", "*.md", "package.json"],
  },
  "lib and test, with a main file at the root": {
    tracked: [
      "CHANGES",
      "History.md",
      "Readme.md",
      "examples/data.json",
      "index.js",
      "lib/a.js",
      "lib/b/c.js",
      "package.json",
      "test/a.js",
    ],
    manifest: manifest({ main: "index" }),
    globs: ["lib/**", "examples/**", "test/**", "*.md", "*.js", "CHANGES", "package.json"],
  },
  "TypeScript with ignored build output": {
    tracked: ["README.md", "package.json", "src/a.ts", "tests/a.test.ts", "tsconfig.json", "vitest.config.ts"],
    manifest: manifest({ main: "dist/index.js", types: "./dist/index.d.ts" }),
    globs: ["src/**", "tests/**", "*.md", "package.json"],
  },
  "tracked build output that is the main file": {
    tracked: ["dist/a.js", "dist/a.min.js", "package.json", "src/a.js", "yarn.lock"],
    manifest: manifest({ main: "./dist/a.js", bin: { a: "bin/a" } }),
    globs: ["src/**", "dist/a.js", "package.json"],
  },
  "programs without an ending": {
    tracked: ["bin/tool", "bin/other", "index.js", "package.json"],
    manifest: manifest({ bin: { tool: "./bin/tool" } }),
    globs: ["*.js", "bin/tool", "package.json"],
  },
  "programs and scripts": {
    tracked: ["bin/tool.js", "lib/a.js", "scripts/release.sh", "package.json"],
    manifest: manifest({ bin: "bin/tool.js" }),
    globs: ["bin/**", "lib/**", "scripts/**", "package.json"],
  },
  "nested exports": {
    tracked: ["build/a.cjs", "build/a.mjs", "package.json", "source/a.ts"],
    manifest: manifest({ exports: { ".": { import: ["./build/a.mjs"], require: { default: "./build/a.cjs" } } } }),
    globs: ["source/**", "build/a.mjs", "build/a.cjs", "package.json"],
  },
  "a repository of packages": {
    tracked: [
      "lerna.json",
      "package.json",
      "packages/a/index.js",
      "packages/b/src/b.ts",
      "pnpm-lock.yaml",
      "website/a.md",
    ],
    manifest: manifest({ workspaces: ["packages/*"] }),
    globs: ["packages/**", "package.json"],
  },
  "a Python package": {
    tracked: ["README.rst", "docs/index.rst", "pack/__init__.py", "pyproject.toml", "tests/test_a.py", "uv.lock"],
    globs: ["pack/**", "docs/**", "tests/**", "*.rst", "pyproject.toml"],
  },
  "a Python module": {
    tracked: ["README.md", "module.py", "setup.py", "test_module.py", "tox.ini"],
    globs: ["*.md", "*.py"],
  },
  Go: {
    tracked: [".golangci.yml", "cmd/x/main.go", "go.mod", "go.sum", "internal/a/a.go", "testdata/a.txt", "x.go"],
    globs: ["cmd/**", "internal/**", "testdata/**", "*.go", "go.mod"],
  },
  Rust: {
    tracked: ["Cargo.lock", "Cargo.toml", "README.md", "benches/a.rs", "build.rs", "src/lib.rs", "tests/a.rs"],
    globs: ["benches/**", "src/**", "tests/**", "*.md", "*.rs", "Cargo.toml"],
  },
  C: { tracked: ["Makefile", "main.c", "main.h", "vendor/x.c"], globs: ["*.c", "*.h"] },
  "texts alone": { tracked: ["README.md", "chapters/1.md", ".gitlab-ci.yml"], globs: ["chapters/**", "*.md"] },
  "names that mean something in a glob": { tracked: ["[id]/a.js", "a b/a.js", "{x}/a.js"], globs: ["a b/**"] },
  "nothing that tells the files apart": { tracked: ["data.bin"], globs: ["**"] },
  "no file": { tracked: [], globs: ["**"] },
};

test.for(Object.entries(SHAPES))("the scope of %s", ([, { tracked, manifest: text, globs }]) => {
  expect(listAllowedGlobs(tracked, text)).toEqual(globs);
});

test("a large repository keeps the folders with the most source, and no more than a task can hold", () => {
  const tracked = Array.from({ length: 200 }, (_, at) =>
    Array.from({ length: at + 1 }, (__, file) => `folder${String(at).padStart(3, "0")}/${file}.c`),
  ).flat();
  const globs = listAllowedGlobs([...tracked, "main.c", "README"], undefined);
  expect(globs).toHaveLength(FOUND_GLOBS_MAX);
  expect(globs).toEqual(expect.arrayContaining(["folder199/**", "folder154/**", "*.c", "README"]));
  const exported = Array.from({ length: 50 }, (_, at) => `dist/${at}.js`);
  expect(listAllowedGlobs([...exported, "src/a.js"], manifest({ exports: exported }))).toEqual(["src/**", "dist/**"]);
});
