import { expect, test } from "vitest";
import { makeDefaultConfig } from "../../../src/config/config.ts";
import { combineProtection } from "../../../src/judge/pure/lifted-paths.ts";
import { change, findingsOf } from "../../support/evidence.ts";

const { default_forbidden_globs: configured } = makeDefaultConfig().scope;

const lift = (typed: string, asked: readonly string[] = []): readonly string[] =>
  combineProtection(configured, asked, typed).lifted_paths ?? [];

const CI = ".github/workflows/ci.yml";

test.each([
  [`Use node 22 in ${CI}.`, [CI]],
  [`use node 22 in \`./${CI}\`, and say so in "packages/a/AGENTS.md"`, [CI, "packages/a/AGENTS.md"]],
  ["See [the notes](CLAUDE.md): they are old", ["CLAUDE.md"]],
  ["Do not touch src/a.ts. Bring CLAUDE.md up to date.", ["CLAUDE.md"]],
  ["Shorten @GEMINI.md:12", ["GEMINI.md"]],
  ["Say in .claude/commands/ship.md how to ship", [".claude/commands/ship.md"]],
])("%j lifts exactly what it names", (typed, paths) => {
  expect(lift(typed)).toEqual(paths);
});

test.each([
  "Use node 22 in the workflows.",
  "Update ci.yml",
  "Change .github/workflows/*.yml",
  "Do not change CLAUDE.md",
  "Rename everything, but don't touch CLAUDE.md",
  "Rename everything without CLAUDE.md",
  "Rename everything except in CLAUDE.md",
  "Never, e.g. for fun, edit e.g. CLAUDE.md",
  "Never edit:\n\n- src/a.ts\n- CLAUDE.md",
  "Improve CLAUDE.md. Leave the first half of CLAUDE.md alone.",
  "Rename everything, and CLAUDE.md stays as it is.",
  "Put the token into .env",
  "Put the token into .env.local and deploy/server.pem",
  "Add a hook to .claude/settings.json",
  "Add the server to .mcp.json and .cursor/rules/a.mdc, .codex/config.toml, .husky/pre-commit, lefthook.yml",
  "Change src/a.ts",
  "Change relais/GOAL.md and .git/config and node_modules/a/CLAUDE.md",
])("%j lifts nothing", (typed) => {
  expect(lift(typed)).toEqual([]);
});

test("what a glob of a person forbids stays forbidden, whoever names it", () => {
  expect(lift(`Change ${CI}`, ["**/*.yml"])).toEqual([]);
  expect(lift("Change CLAUDE.md", configured)).toEqual([]);
  const own = combineProtection(["**/CLAUDE.md"], [], "Change CLAUDE.md");
  expect(own).toEqual({ forbidden_globs: ["**/CLAUDE.md"] });
  const more = combineProtection([...configured, CI], [], `Change ${CI} and AGENTS.md`);
  expect(more.lifted_paths).toEqual(["AGENTS.md"]);
});

const folder = { type: "directory", mode: "0755", size: 0, id: null, link_target: null, hard_links: 1 } as const;

test("a lifted path may change with its new folders, and nothing beside it", () => {
  const rules = { ...combineProtection(configured, [], `Add ${CI}`), allowed_globs: ["**"] };
  const made = change(".github/workflows", { before: null, after: folder });
  const beside = [`${CI}.bak`, `${CI}/x`, ".github/workflows/CI.yml", ".github/workflows/release.yml"];
  const changes = [made, change(CI), ...beside.map((path) => change(path))];
  expect(findingsOf("forbidden-scope", changes, rules).map(({ subject }) => subject)).toEqual(beside);
  // A file in the place of the folder is no folder.
  expect(findingsOf("forbidden-scope", [change(".github/workflows")], rules)).toHaveLength(1);
});

test.each([
  [CI, "what CI runs"],
  [".gitlab-ci.yml", "what CI runs"],
  ["AGENTS.md", "tells agents"],
  ["a/.cursorrules", "tells agents"],
  [".claude/settings.local.json", "starts programs"],
  [".agents/x", "starts programs"],
  [".pre-commit-config.yaml", "starts programs"],
  ["config/secrets.json", "a secret"],
  [".claude/token.json", "a secret"],
  [".envrc", "a secret"],
])("%s is protected in words of its class", (path, words) => {
  const rules = combineProtection(configured, [], "");
  expect(findingsOf("forbidden-scope", [change(path)], rules)[0]?.rule).toContain(words);
});

test("templates of environment files are free, and every other glob holds as it is written", () => {
  const names = [
    ".env",
    ".env.local",
    ".env.example",
    "a/.env.prod.sample",
    ".env.TEMPLATE",
    ".env.dist",
    ".env.example.bak",
  ];
  const list = (forbidden_globs: string[]) =>
    findingsOf(
      "forbidden-scope",
      names.map((path) => change(path)),
      { forbidden_globs },
    ).map(({ subject }) => subject);
  expect(list(["**/.env*"])).toEqual([".env", ".env.local", ".env.example.bak"]);
  expect(list([".env*"])).toEqual(names.filter((name) => !name.includes("/")));
  expect(
    findingsOf("forbidden-scope", [change(".env.d/.env.example")], { forbidden_globs: ["**/.env*"] }),
  ).toHaveLength(1);
});
