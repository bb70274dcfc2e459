/** What people copy from the pages: each configuration is valid, and commands that need no agent work. */
import { spawnSync } from "node:child_process";
import { chmodSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { parseConfig } from "../../src/config/parse-config.ts";
import { findConfigProblems } from "../../src/checks/pure/config-problems.ts";
import { executable } from "../support/relais.ts";
import { gitEnvironment } from "../support/repositories.ts";
import { scratchRepository } from "../support/scratch-repository.ts";

const DOCS = join(import.meta.dirname, "../../docs");
const PAGES = readdirSync(DOCS).filter((name) => name.endsWith(".md"));

interface Block {
  readonly page: string;
  readonly heading: string;
  readonly text: string;
}

/** The blocks of one language on a page, with the heading they stand under. */
function listBlocks(page: string, language: string): readonly Block[] {
  return readFileSync(join(DOCS, page), "utf8")
    .split(/^##+ /m)
    .slice(1)
    .flatMap((section) => {
      const [heading = ""] = section.split("\n", 1);
      const found = section.matchAll(new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\`$`, "gms"));
      return [...found].map((match) => ({ page, heading, text: match[1] ?? "" }));
    });
}

const { properties }: { properties: object } = JSON.parse(readFileSync("schemas/config.schema.json", "utf8"));
const isConfig = ({ text }: Block): boolean =>
  Object.keys(JSON.parse(text)).every((key) => Object.hasOwn(properties, key));
const CONFIGS = PAGES.flatMap((page) => listBlocks(page, "json")).filter(isConfig);

test("the pages have configurations to copy", () => {
  expect(CONFIGS.length).toBeGreaterThan(20);
});

test.each(CONFIGS)("$page, $heading: the configuration is one that a tick can rely on", ({ text }) => {
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

interface Typed {
  readonly page: string;
  readonly heading: string;
  readonly status: number;
  readonly says: RegExp;
}

/** Sections whose commands need no agent. */
const TYPED: readonly Typed[] = [
  { page: "configuration.md", heading: "Only the docs", status: 0, says: /^ok SUCCESS/ },
  { page: "configuration.md", heading: "One package of a monorepo", status: 10, says: /packages\/other\/b\.txt/ },
  { page: "loop.md", heading: "A whole night", status: 0, says: /last tick +none yet/ },
  {
    page: "queue.md",
    heading: "From a plan, or a list of issues",
    status: 0,
    says: /waiting .*Fix the typo[^]*waiting .*Say what/,
  },
  { page: "judge.md", heading: "In a script", status: 0, says: /^every gate passed$/m },
];

test.each(TYPED)("$page, $heading: the commands end as they should", ({ page, heading, status, says }) => {
  const blocks = listBlocks(page, "sh").filter((block) => block.heading === heading);
  expect(blocks).not.toEqual([]);
  const typed = blocks.map(({ text }) => text).join("\n");
  const ran = spawnSync("/bin/sh", ["-c", typed], { ...workingPlace(), encoding: "utf8" });
  expect(ran).toMatchObject({ status, stdout: expect.stringMatching(says) });
});
