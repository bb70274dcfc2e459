/** docs/recipes.md: what it configures is valid, and what it types works. */
import { spawnSync } from "node:child_process";
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { parseConfig } from "../../src/config/parse-config.ts";
import { findConfigProblems } from "../../src/checks/pure/config-problems.ts";
import { executable } from "../support/relais.ts";
import { gitEnvironment } from "../support/repositories.ts";
import { scratchRepository } from "../support/scratch-repository.ts";

const DOCS = join(import.meta.dirname, "../../docs");
const PAGE = readFileSync(join(DOCS, "recipes.md"), "utf8");

/** The blocks of one language, by the heading they stand under. */
function blocks(language: string): readonly (readonly [string, string])[] {
  return PAGE.split(/^## /m)
    .slice(1)
    .flatMap((section) => {
      const heading = section.split("\n", 1)[0] ?? "";
      const found = section.matchAll(new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\`$`, "gms"));
      return [...found].map((match) => [heading, match[1] ?? ""] as const);
    });
}

test.each(blocks("json"))("%s: the configuration is one that a tick can rely on", (_, text) => {
  const parsed = parseConfig(JSON.parse(text));
  expect(parsed.kind === "valid" ? findConfigProblems(parsed.value) : parsed).toEqual([]);
});

test("the step with the action gives it only inputs that it has", () => {
  const action = readFileSync(join(DOCS, "../action.yml"), "utf8");
  const page = readFileSync(join(DOCS, "judge.md"), "utf8");
  const inputs = /uses: OWNER\/relais@COMMIT\n +with:\n(?<lines>(?: {10}.*\n)+)/.exec(page)?.groups?.["lines"] ?? "";
  const names = [...inputs.matchAll(/^ +([a-z]+):/gm)].map((match) => match[1] ?? "");
  expect(names).toEqual(["arguments"]);
  for (const name of names) expect(action.split("outputs:")[0]).toContain(`\n  ${name}:\n`);
});

test("there are as many configurations as the page is about", () => {
  expect(blocks("json").map(([heading]) => heading)).toEqual([
    "Only the docs",
    "One package of a monorepo",
    "An overnight run",
    "Two agents: Claude builds, Codex reviews",
    "Reviewers on single ticks",
    "An agent that relais does not know",
    "An agent that works through relais",
    "Open a pull request for a finished job",
  ]);
});

/** A repository with a branch that changed two packages and a page, the page being staged; relais is on the path. */
function workingPlace() {
  const { box, root, git, put, commit } = scratchRepository({
    "docs/a.md": "1\n",
    "packages/shop/a.txt": "1\n",
  });
  git("switch", "--quiet", "--create", "topic");
  commit({ "packages/shop/a.txt": "2\n", "packages/other/b.txt": "1\n" });
  put({
    "docs/a.md": "2\n",
  });
  git("add", "docs/a.md");
  mkdirSync(join(box, "bin"));
  writeFileSync(join(box, "bin/relais"), `#!/bin/sh\nexec "${process.execPath}" "${executable}" "$@"\n`);
  chmodSync(join(box, "bin/relais"), 0o755);
  const { PATH = "", ...environment } = gitEnvironment(box);
  const env = { ...environment, PATH: `${join(box, "bin")}:${PATH}`, XDG_STATE_HOME: join(box, "state") };
  return { cwd: root, env };
}

const ENDS: Readonly<Record<string, { readonly status: number; readonly says: RegExp }>> = {
  "Only the docs": { status: 0, says: /^ok SUCCESS/ },
  "One package of a monorepo": { status: 10, says: /packages\/other\/b\.txt/ },
  "An overnight run": { status: 0, says: /last tick +none yet/ },
  "Jobs from a plan or a list of issues": { status: 0, says: /waiting .*Fix the typo[^]*waiting .*Say what/ },
  "After a crash": { status: 0, says: /[Nn]othing/ },
  "A script that decides": { status: 0, says: /^every gate passed$/m },
};

test("every block of commands has an expected end", () => {
  expect([...new Set(blocks("sh").map(([heading]) => heading))]).toEqual(Object.keys(ENDS));
});

test.each(Object.entries(ENDS))("%s: the commands end as they should", (heading, { status, says }) => {
  const typed = blocks("sh")
    .filter(([name]) => name === heading)
    .map(([, text]) => text)
    .join("\n");
  const ran = spawnSync("/bin/sh", ["-c", typed], { ...workingPlace(), encoding: "utf8" });
  expect(ran).toMatchObject({ status, stdout: expect.stringMatching(says) });
});
