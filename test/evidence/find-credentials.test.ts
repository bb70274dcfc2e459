/** Keys of known providers in new lines: found wherever a change is judged, and quoted nowhere. */
import { generateKeyPairSync } from "node:crypto";
import { expect, test } from "vitest";
import type { Rules } from "../../src/records/evidence.ts";
import { makeDefaultConfig } from "../../src/config/config.ts";
import { makeWeakeningRules } from "../../src/checks/pure/check-steering.ts";
import { mayHoldCredential } from "../../src/evidence/find-credentials.ts";
import { findRepository } from "../../src/git/repository-layout.ts";
import { resolveTarget } from "../../src/judge/judge-change.ts";
import { measure } from "../../src/judge/judge-measure.ts";
import { judge } from "../../src/judge/pure/judge.ts";
import { rules } from "../support/evidence.ts";
import { place } from "../support/workplace.ts";

const { scope, verification } = makeDefaultConfig();
const RULES: Rules = {
  ...rules({ forbidden_globs: scope.default_forbidden_globs }),
  ...makeWeakeningRules(verification, []),
};

const LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";

/** As random as a key, and the same in every run; it stands nowhere in a file, where another tool would find it. */
function draw(length: number, letters = LETTERS): string {
  let state = 12_345 + length;
  const next = () => (state = (state * 1_103_515_245 + 12_345) % 2 ** 31);
  return Array.from({ length }, () => letters[Math.floor((next() / 2 ** 31) * letters.length)]).join("");
}

const HEX = "0123456789abcdef";
const UPPER = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";
const PEM = generateKeyPairSync("ec", { namedCurve: "P-256" })
  .privateKey.export({ type: "pkcs8", format: "pem" })
  .toString();
const RSA = generateKeyPairSync("rsa", { modulusLength: 2048 })
  .privateKey.export({ type: "pkcs1", format: "pem" })
  .toString();

const KEYS: Readonly<Record<string, string>> = {
  aws: `AKIA${draw(16, UPPER)}`,
  github: `ghp_${draw(36)}`,
  "github of a project": `github_pat_${draw(82)}`,
  gitlab: `glpat-${draw(20)}`,
  slack: `xoxb-${draw(12, "0123456789")}-${draw(12, "0123456789")}-${draw(24)}`,
  stripe: `sk_live_${draw(24)}`,
  npm: `npm_${draw(36)}`,
  openai: `sk-proj-${draw(74)}T3BlbkFJ${draw(74)}`,
  anthropic: `sk-ant-api03-${draw(93)}AA`,
  huggingface: `hf_${draw(34, LETTERS.slice(0, 52))}`,
  databricks: `dapi${draw(32, HEX)}`,
  docker: `dckr_pat_${draw(27)}`,
  privatekey: PEM.trim(),
  "privatekey of RSA": RSA.trim(),
};
const [KEY = "", TOKEN = ""] = [KEYS["aws"], KEYS["github"]];
const SECRET = draw(40);

type Files = Readonly<Record<string, string>>;

async function judgeChange(change: Files, { before = {}, byRules = RULES }: { before?: Files; byRules?: Rules } = {}) {
  const { write, open } = place({ "src/main.ts": "export {};\n", ...before });
  const workplace = await open();
  await workplace.change.prepare();
  for (const [path, text] of Object.entries(change)) write(path, text);
  const { evidence } = await workplace.change.collect(byRules);
  return { evidence, ...judge(evidence) };
}

async function listFound(...about: Parameters<typeof judgeChange>): Promise<readonly string[]> {
  const { findings } = await judgeChange(...about);
  return findings.filter(({ gate }) => gate === "credentials").map(({ subject, rule }) => `${subject}: ${rule}`);
}

test("each of these keys is found, by its own rule, and nothing quotes it", async () => {
  const entries = Object.entries(KEYS).map(([name, key]) => ({ name, key, path: `src/${name}` }));
  const change = Object.fromEntries(entries.map(({ path, key }) => [path, `\nkey = "${key}" # noqa: E501\n`]));
  const { code, cause, findings, evidence } = await judgeChange(change);
  expect({ code, cause }).toEqual({ code: "STOP_SCOPE_VIOLATION_FORBIDDEN", cause: "credential" });
  const found = findings.filter(({ gate }) => gate === "credentials").map(({ subject, rule }) => `${subject}: ${rule}`);
  const expected = entries.map(({ name, path }) => `${path}: It adds a credential in line 2 (${name.split(" ")[0]}).`);
  expect(found.toSorted()).toEqual(expected.toSorted());
  const told = JSON.stringify({ evidence, findings });
  expect(entries.filter(({ key }) => told.includes(key.slice(0, 24))).map(({ name }) => name)).toEqual([]);
});

test("nothing that a rule finds is ruled out before the rules are loaded", () => {
  const missed = Object.values(KEYS).filter((key) => !key.split("\n").some((line) => mayHoldCredential(line)));
  expect(missed).toEqual([]);
});

test("the secret key of a cloud is known by its name, and a template is searched as well", async () => {
  const env = `AWS_SECRET_ACCESS_KEY=${SECRET}\nMODE=production\n`;
  const byRules = { ...RULES, forbidden_globs: RULES.forbidden_globs.filter((glob) => !glob.includes(".env")) };
  expect(await listFound({ ".env.example": env, "src/same": env }, { byRules })).toEqual([
    ".env.example: It adds a credential in line 1 (aws).",
    "src/same: It adds a credential in line 1 (aws).",
  ]);
});

const HONEST: Files = {
  "src/a value that documents show": "AKIAIOSFODNN7EXAMPLE wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY\n",
  "src/a value in place of one": `ghp_${"x".repeat(36)} sk_test_${draw(24)} AKIA${"6".repeat(16)}\n`,
  "src/a password in an address": "https://josh:sekrit@example.com postgres://app:hunter2@db/app\n",
  "src/the number of an account": "accountId: '123456789012'\n",
  "src/a variable": "AWS_SECRET_ACCESS_KEY=${{ secrets.AWS_SECRET_ACCESS_KEY }}\n",
  "src/long names and hashes": `${draw(64, HEX)} sha512-${draw(88)} aNameThatIsLongerThanMostOthersAre\n`,
  "test/a fixture": `key = "${KEY}"\n`,
  "src/main.test.ts": `key = "${KEY}"\n`,
  "pkg/testdata/key.txt": PEM,
};

test("what no rule knows is not found, and neither is a key in a binary file", async () => {
  const unfound = {
    "src/a.ts": `const password = "${draw(20)}";\n`,
    "src/b.ts": `const key = "AIza${draw(35)}";\n`,
    "src/c.bin": `\0 ${TOKEN}\n`,
  };
  expect(await listFound(unfound)).toEqual([]);
});

test("an honest change has none", async () => {
  expect(await listFound(HONEST)).toEqual([]);
});

test("a value that stood before is not new, wherever it stood", async () => {
  const line = `const key = "${KEY}";\n`;
  expect(await listFound({ "src/a.ts": `// moved down\n${line}` }, { before: { "src/a.ts": line } })).toEqual([]);
  expect(await listFound({ "src/a.ts": "\n", "src/b.ts": line }, { before: { "src/a.ts": line } })).toEqual([]);
  expect(await listFound({ "src/b.ts": line }, { before: { "docs/setup.md": `Use ${KEY} here.\n` } })).toEqual([]);
  const found = await listFound({ "src/a.ts": `${line}const token = "${TOKEN}";\n` }, { before: { "src/a.ts": line } });
  expect(found).toEqual(["src/a.ts: It adds a credential in line 2 (github)."]);
});

test("no comment switches it off, and neither do settings about tests", async () => {
  const change = { "src/a.ts": `/* secretlint-disable */\nconst token = "${TOKEN}";\n` };
  const found = ["src/a.ts: It adds a credential in line 2 (github)."];
  expect(await listFound(change)).toEqual(found);
  const { weakening: _, ...byRules } = RULES;
  expect(await listFound({ ...change, "test/a.ts": change["src/a.ts"] }, { byRules })).toEqual(found);
});

test("lines that were made to be slow are searched to their end", async () => {
  const hostile = [
    "SG.a",
    "ghs_1_",
    "sk-",
    "-----BEGIN PRIVATE KEY-----",
    "hvs.",
    "ops_ey",
    "mongodb://a:",
    "_authToken=",
  ];
  const text = hostile.map((part) => part.repeat(8000)).join("\n");
  expect(await listFound({ "src/a.ts": `${text}\nconst token = "${TOKEN}";\n` })).toEqual([
    `src/a.ts: It adds a credential in line ${hostile.length + 1} (github).`,
  ]);
});

const decide = async () => ({ rules: RULES });

test("relais judge finds it in a range", async () => {
  const { root, write, git } = place({ "src/main.ts": "export {};\n" });
  git("add", "--all");
  git("commit", "--quiet", "--message=first");
  write("src/main.ts", `export const token = "${TOKEN}";\n`);
  git("add", "--all");
  git("commit", "--quiet", "--message=leak");
  const repository = await findRepository(root, process.env);
  if (repository.kind !== "repository") throw new Error("no repository");
  const target = { kind: "range", from: "HEAD~1", to: "HEAD" } as const;
  const resolved = await resolveTarget(target, { repository, signal: undefined });
  if (resolved.kind !== "resolved") throw new Error("not resolved");
  const { changes } = await measure({ repository, subject: resolved.subject, signal: undefined, decide });
  expect(changes.map(({ path, credentials }) => [path, credentials])).toEqual([
    ["src/main.ts", [{ rule: "github", line: 1 }]],
  ]);
});
