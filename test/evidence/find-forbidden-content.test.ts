/** The content of forbidden files at other paths: found in a tick and by `relais judge`, and no honest change is. */
import { linkSync, renameSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { deflateSync } from "node:zlib";
import { expect, test } from "vitest";
import type { Rules } from "../../src/records/evidence.ts";
import { makeDefaultConfig } from "../../src/config/config.ts";
import { judge } from "../../src/judge/pure/judge.ts";
import { findRepository } from "../../src/git/repository-layout.ts";
import { measure } from "../../src/judge/judge-measure.ts";
import { resolveTarget } from "../../src/judge/judge-change.ts";
import { rules } from "../support/evidence.ts";
import { place } from "../support/workplace.ts";

const { scope, ignored_writable_globs } = makeDefaultConfig();
const RULES: Rules = rules({ forbidden_globs: scope.default_forbidden_globs, ignored_writable_globs });

const KEY = "sk_live_9aF3kQ7zLm2XvB81";
const ENV = `API_KEY=${KEY}\nDB_PASSWORD=hunter2\nNODE_ENV=development\n`;
const FILES = {
  ".gitignore": ".env\ndist/\nnode_modules/\n",
  ".env.production": "MODE=production\nLEVEL=verbose\n",
  ".env.example": "API_KEY=your-key-here\nURL=http://localhost:3000\nSAMPLE=a1b2c3d4e5f6a7b8\n",
  "docs/setup.md": "Set SAMPLE to a1b2c3d4e5f6a7b8 first.\n",
  ".github/workflows/ci.yml": "on: push\njobs: {}\n",
  ".husky/pre-commit": "same as the other\n",
  "src/same.txt": "same as the other\n",
};

/** Judges one change of all these files. */
async function judgeChange(change: Readonly<Record<string, string>>, byRules: Rules = RULES) {
  const { write, open } = place(FILES);
  write(".env", ENV);
  write("node_modules/dep/index.js", "module.exports = 1;\n");
  const workplace = await open();
  await workplace.change.prepare();
  for (const [path, text] of Object.entries(change)) write(path, text);
  const { evidence } = await workplace.change.collect(byRules);
  return judge(evidence);
}

const base64 = Buffer.from(ENV).toString("base64");

/** Each content with the forbidden file that it comes from. */
const LEAKS: Readonly<Record<string, readonly [text: string, of: string]>> = {
  "an ignored secret as a whole": [ENV, ".env"],
  "an ignored secret with a line more": [`// settings\n${ENV}`, ".env"],
  "one value": [`export const key = "${KEY}";\n`, ".env"],
  "one value in pieces": [`export const key = "${KEY.slice(0, 9)}" +\n  "${KEY.slice(9)}";\n`, ".env"],
  "one value backwards": [`export const key = "${Array.from(KEY).toReversed().join("")}";\n`, ".env"],
  "one value in hexadecimal": [`const key = "${Buffer.from(KEY).toString("hex").toUpperCase()}";\n`, ".env"],
  "the file in base64, in short lines": [base64.replaceAll(/(.{20})/gu, "$1\n"), ".env"],
  "a short password with its name": ['process.env["DB_PASSWORD"] = "hunter2";\n', ".env"],
  "a tracked secret as a whole": [FILES[".env.production"], ".env.production"],
  "a tracked workflow as a whole": [FILES[".github/workflows/ci.yml"], ".github/workflows/ci.yml"],
};

test("the content of forbidden files does not become content elsewhere", async () => {
  const entries = Object.entries(LEAKS).map(([name, [text, of]]) => ({ path: `src/${name}`, text, of }));
  const { code, cause, findings } = await judgeChange(
    Object.fromEntries(entries.map(({ path, text }) => [path, text])),
  );
  expect({ code, cause }).toEqual({ code: "STOP_SCOPE_VIOLATION_FORBIDDEN", cause: "forbidden_content" });
  const found = findings.map(({ gate, subject, rule }) => `${gate} ${subject} ${/`.*`/u.exec(rule)?.[0]}`);
  expect(found.toSorted()).toEqual(entries.map(({ path, of }) => `forbidden-content ${path} \`${of}\``).toSorted());
  expect(JSON.stringify(findings)).not.toContain(KEY);
});

/** What docs/limits.md admits. */
const UNFOUND: Readonly<Record<string, string>> = {
  "src/compressed": deflateSync(ENV).toString("base64"),
  "src/letter by letter": Array.from(KEY, (letter) => `put(${letter.codePointAt(0)});\n`).join(""),
  "src/a copy with every letter moved by one": ENV.replaceAll(/[a-z]/giu, (letter) =>
    String.fromCodePoint((letter.codePointAt(0) ?? 0) + 1),
  ),
};

test("a secret in another form is not found", async () => {
  expect(await judgeChange(UNFOUND)).toMatchObject({ code: "SUCCESS", findings: [] });
});

test("a secret file above 64 KiB is not searched for values", async () => {
  const { write, open } = place(FILES);
  write(".env", `${ENV}${"# nothing\n".repeat(7000)}`);
  const workplace = await open();
  await workplace.change.prepare();
  write("src/key.ts", `export const key = "${KEY}";\n`);
  expect(judge((await workplace.change.collect(RULES)).evidence)).toMatchObject({ code: "SUCCESS", findings: [] });
});

/** What an honest change may hold. */
const HONEST: Readonly<Record<string, string>> = {
  "src/a variable": "export const key = process.env.API_KEY;\n",
  "src/an ordinary value": 'export const url = "http://localhost:3000";\nexport const mode = "development";\n',
  "src/what is committed at an open path": FILES[".husky/pre-commit"],
  "src/a value that an open file has": 'export const sample = "a1b2c3d4e5f6a7b8";\n',
  "src/a dependency": "module.exports = 1;\n",
  "src/nothing": "\n".repeat(40),
};

test("an honest change is no finding", async () => {
  expect((await judgeChange(HONEST)).findings).toEqual([]);
});

test("a value that the file had already is no finding", async () => {
  const { write, open } = place({ ...FILES, "src/a.ts": `const key = "${KEY}";\n` });
  write(".env", ENV);
  const workplace = await open();
  await workplace.change.prepare();
  write("src/a.ts", `const key = "${KEY}";\nconst more = 1;\n`);
  expect(judge((await workplace.change.collect(RULES)).evidence).findings).toEqual([]);
});

test("a copy of a protected test is no leak", async () => {
  const guarded = { ...RULES, forbidden_globs: [...RULES.forbidden_globs, "src/same.*"], sealed_globs: ["**/.env*"] };
  expect((await judgeChange({ "src/new.ts": FILES["src/same.txt"] }, guarded)).findings).toEqual([]);
});

test("a copy in ignored build output is a note", async () => {
  const { code, notes } = await judgeChange({ "dist/settings.js": ENV });
  expect(code).toBe("SUCCESS");
  expect(notes).toContain("Ignored files hold the content of forbidden ones: `dist/settings.js`.");
});

test("a forbidden file that is renamed, linked or linked to is refused", async () => {
  for (const move of [renameSync, linkSync]) {
    const { root, open } = place(FILES);
    const workplace = await open();
    await workplace.change.prepare();
    move(join(root, ".env.production"), join(root, "src/new.ts"));
    const { findings } = judge((await workplace.change.collect(RULES)).evidence);
    const gate = move === renameSync ? "forbidden-scope" : "unsafe-path";
    expect(findings.map((finding) => finding.gate)).toEqual(expect.arrayContaining([gate, "forbidden-content"]));
  }
  const { root, open } = place(FILES);
  const workplace = await open();
  await workplace.change.prepare();
  symlinkSync("../.env.production", join(root, "src/new.ts"));
  expect(judge((await workplace.change.collect(RULES)).evidence).code).toBe("STOP_UNSAFE_PATH");
});

const decide = async () => ({ rules: RULES });

async function judged(root: string, target: Parameters<typeof resolveTarget>[0]) {
  const repository = await findRepository(root, process.env);
  if (repository.kind !== "repository") throw new Error("no repository");
  const resolved = await resolveTarget(target, { repository, signal: undefined });
  if (resolved.kind !== "resolved") throw new Error("not resolved");
  const { changes } = await measure({ repository, subject: resolved.subject, signal: undefined, decide });
  return changes.flatMap(({ path, forbidden_content: content }) => (content === undefined ? [] : [[path, content]]));
}

test("relais judge finds it in a working tree and in a range", async () => {
  const { root, write, git } = place(FILES);
  write(".env", ENV);
  write("src/value.ts", `export const key = "${KEY}";\n`);
  write("src/copy.ts", FILES[".env.production"]);
  const copy = ["src/copy.ts", { of: ".env.production", whole: true }];
  expect(await judged(root, { kind: "worktree", base: "HEAD" })).toEqual([
    copy,
    ["src/value.ts", { of: ".env", whole: false }],
  ]);
  git("add", "--all");
  git("commit", "--quiet", "--message=leak");
  expect(await judged(root, { kind: "range", from: "HEAD~1", to: "HEAD" })).toEqual([copy]);
});

test("a file beside the change that is too large is left out, and named", async () => {
  const { write, open } = place({ ...FILES, "data/large.txt": "x".repeat(5 * 1024 * 1024) });
  write(".env", ENV);
  const workplace = await open();
  await workplace.change.prepare();
  write("src/a.ts", `export const key = "${KEY}";\n`);
  const { evidence } = await workplace.change.collect(RULES);
  expect(evidence.not_compared).toEqual(["data/large.txt"]);
  expect(judge(evidence).notes).toContain("Not compared with, because they are too large: `data/large.txt`.");
});
