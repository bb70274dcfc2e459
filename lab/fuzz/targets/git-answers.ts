import assert from "node:assert/strict";
import type { FuzzTarget } from "../target.ts";
import type { Random } from "../../../scripts/random.ts";
import { parseBundleRefs } from "../../../src/git/bundle.ts";
import { parseTakenOver, renderConfig } from "../../../src/git/clone-git-data.ts";
import { parseFilterSettings } from "../../../src/git/filter-settings.ts";
import { listFilterCommands, listSettings, withoutFilters } from "../../../src/git/filter-view.ts";
import { parseFiltered, parseStatus } from "../../../src/git/git-status.ts";
import { parseRemoteRefs } from "../../../src/git/remote-base.ts";

const ID = "0123456789abcdef0123456789abcdef01234567";
const ENVIRONMENT = { HOME: "/home/me" };
const KEYS = [
  ["core.repositoryformatversion", "core.sparsecheckout", "core.excludesfile", "core.autocrlf", "core.hookspath"],
  ["filter.lfs.clean", "filter.a b.process", "filter.a\nb.clean", "filter..required", "filter.lfs.required"],
  ["extensions.objectformat", "user.name", "alias.x", "lfs.storage", "include.path", "core.whitespace"],
].flat();
const VALUES = ["true", "false", "0", "", "~/x", "git-lfs clean -- %f", 'a"b\\c\nd', "#x;y", " x ", "\r", "\t", "é"];
const ORIGINS = ["file:/r/.git/config", "file:/home/me/.gitconfig", "command line:", "file:a b"];
const STATES = [" M", "M ", "MM", "??", "A ", " D", "UU", "T ", "!!"];
const PATHS = ["a", "a b", "d/é", " M x", "-x", "new\nline", "\u2028"];
const FILTERED = ["unspecified", "unset", "set", "lfs", ""];
const REFS = [
  "HEAD",
  "refs/heads/main",
  "refs/heads/relais/job-1",
  "refs/relais/salvage/job-1/20260115T100000Z-a",
  "-d",
];
const NAMES = ["main", "a/b", "relais/job-1", "x\u2028y", "é", "HEAD", "refs/heads/x"];
/** Settings that start programs or lead elsewhere. */
const OTHERS = /^(?:core\.(?:hookspath|sshcommand|fsmonitor|worktree)|alias\.|include|user\.|extensions\.)/;
const JOB = "refs/heads/relais/job-1";
const SALVAGE = "refs/relais/salvage/job-1/";

/** Settings, states of files, refs of other repositories and of bundles: as git prints them, with names of others. */
export const gitAnswers: FuzzTarget = {
  name: "git-answers",
  seeds: () =>
    [
      "file:/r/.git/config\0core.repositoryformatversion\n0\0file:/r/.git/config\0filter.lfs.required\0",
      "core.filemode\nfalse\0user.name\na b\0",
      " M a b\0?? d/é\0",
      "a\0filter\0lfs\0b\0filter\0unspecified\0",
      `ref: refs/heads/main\tHEAD\n${ID}\tHEAD\n`,
      `${ID} ${JOB}\n${ID} ${SALVAGE}20260115T100000Z-a\n${ID} HEAD\n`,
    ].map((text) => Buffer.from(text)),
  words: ["\0", "\n", "\t", "filter\0", "ref: ", "refs/heads/", "refs/tags/v1^{}", ID, ...KEYS],
  generate: (random) => Buffer.from((random.pick(KINDS) ?? makeStates)(random)),
  check: (data) => {
    const text = data.toString("utf8");
    checkSettings(text);
    checkClone(text);
    checkStates(data);
    checkRemote(text);
    checkBundle(text);
  },
};

const many = (random: Random, make: () => string): string => Array.from({ length: random.below(8) }, make).join("");

const makeSetting = (random: Random): string =>
  `${random.pick(KEYS)}${random.below(4) === 0 ? "" : `\n${random.pick(VALUES)}`}\0`;
const makeStates = (random: Random): string => many(random, () => `${random.pick(STATES)} ${random.pick(PATHS)}\0`);

const KINDS: readonly ((random: Random) => string)[] = [
  (random) => many(random, () => `${random.pick(ORIGINS)}\0${makeSetting(random)}`),
  (random) => many(random, () => makeSetting(random)),
  makeStates,
  (random) => many(random, () => `${random.pick(PATHS)}\0filter\0${random.pick(FILTERED)}\0`),
  (random) => `ref: refs/heads/${random.pick(NAMES)}\tHEAD\n${many(random, () => `${ID}\t${random.pick(REFS)}\n`)}`,
  (random) => many(random, () => `${ID} ${random.pick(REFS)}\n`),
];

/** No setting is lost, and only the named ones reach git, in their order. */
function checkSettings(text: string): void {
  const settings = parseFilterSettings(text, ENVIRONMENT);
  const { all, env, isSparse, excludesFile } = settings;
  const again = all.map(({ origin, key, value }) => `${origin}\0${key}\n${value}\0`).join("");
  assert.deepEqual(parseFilterSettings(again, ENVIRONMENT), settings, "other settings when they are read again");
  if (/^(?:[^\0]*\0[^\0\n]+\n[^\0]*\0)*$/.test(text)) assert.equal(again, text, "a setting is lost");
  const given = listSettings(env);
  assert.equal(given.at(-1)?.key, "core.safecrlf");
  for (const { key } of given) assert(!OTHERS.test(key), `${key} reaches git`);
  assert.equal(excludesFile, given.findLast(({ key }) => key === "core.excludesfile")?.value);
  for (const value of Object.values(env)) assert(value?.includes("\0") !== true, "a variable that nobody can set");
  if (isSparse) assert(/\0core\.sparsecheckout(?:\ntrue)?(?:\0|$)/i.test(text));
  checkWithout(env);
}

/** Behind it no command of any filter is left. */
function checkWithout(env: ReturnType<typeof parseFilterSettings>["env"]): void {
  const filters = listFilterCommands(env).map(({ filter }) => filter);
  const last = new Map(listFilterCommands(withoutFilters(env, filters)).map((one) => [one.filter, one.command]));
  for (const [filter, command] of last) assert.equal(command, "", filter);
}

/** What a clone takes over is written as settings of one line each, and nothing else is. */
function checkClone(text: string): void {
  const settings = parseTakenOver(text);
  const lines = renderConfig(settings)
    .trimEnd()
    .split("\n")
    .slice(-2 * settings.length);
  for (const [at, { key, value }] of settings.entries()) {
    const [section, name] = key.split(".");
    assert.equal(lines[2 * at], `[${section}]`);
    const written = /^\t(?<name>[a-z]+) = "(?<value>(?:[^"\\\n]|\\["\\n])*)"$/.exec(lines[2 * at + 1] ?? "")?.groups;
    assert(written !== undefined, `a line that is no setting: ${lines[2 * at + 1]}`);
    assert.equal(written["name"], name);
    const read = written["value"]?.replaceAll(/\\(.)/g, (_, one: string) => (one === "n" ? "\n" : one));
    assert.equal(read, value, "another value for git");
  }
}

function checkStates(data: Buffer): void {
  const records = parseStatus(data);
  const text = data.toString("latin1");
  for (const record of records) assert(record.length > 3 && !record.includes("\0") && text.includes(record));
  if (/^(?:[ MADTRCU?!]{2} [^\0]+\0)*$/.test(text))
    assert.equal(`${records.join("\0")}${records.length > 0 ? "\0" : ""}`, text);
  const fields = text.split("\0");
  const paths = fields.filter((_, at) => at % 3 === 0 && at + 2 < fields.length);
  for (const path of parseFiltered(data, [...paths, "more"])) {
    assert(
      fields.some(
        (field, at) => at % 3 === 0 && field === path && !/^uns(?:pecified|et)$/.test(fields[at + 2] ?? "unset"),
      ),
    );
  }
}

/** A commit that the list has for that name, and the branch that it names. */
function checkRemote(text: string): void {
  for (const asked of [["HEAD"], ["refs/heads/main", "refs/tags/main^{}", "refs/tags/main"]]) {
    const base = parseRemoteRefs(text, asked);
    if (base.kind !== "found") continue;
    assert(
      asked.some((name) => text.includes(`${base.commit}\t${name}`)),
      "a commit that is not listed",
    );
    assert.match(base.commit, /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/);
    if (asked[0] === "HEAD") assert.equal(base.branch, findBranch(text), "another branch");
  }
}

function findBranch(text: string): string | null {
  const target = /(?:^|\n)ref: (?<name>[^\t\n]*)\tHEAD(?:\t|\n|$)/.exec(text)?.groups?.["name"] ?? "";
  return target.startsWith("refs/heads/") ? target.slice("refs/heads/".length) || null : null;
}

/** No name in a bundle reaches another ref than those of its job. */
function checkBundle(text: string): void {
  for (const { ref, commit } of parseBundleRefs(text, JOB)) {
    assert.equal(ref, JOB);
    assert(text.includes(`${commit} ${JOB}`));
  }
  for (const { ref, commit } of parseBundleRefs(text, SALVAGE)) {
    assert(ref.startsWith(SALVAGE) && /^[\w-]+$/.test(ref.slice(SALVAGE.length)), ref);
    assert.match(commit, /^[0-9a-f]{40,64}$/);
  }
  const expected = text.split("\n").filter((line) => /^[0-9a-f]{40} refs\/heads\/relais\/job-1$/.test(line));
  assert(parseBundleRefs(text, JOB).length >= expected.length, "the branch of a job is lost");
}
