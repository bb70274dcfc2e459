/** Merged work of a repository of others, sampled in the same way for the same seed. */
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readdirSync } from "node:fs";
import { basename, join } from "node:path";

/** What one commit of the default branch brought: its difference from its first parent. */
export interface Work {
  readonly repository: string;
  readonly from: string;
  readonly to: string;
  readonly lines: number;
  readonly language: string;
  readonly way: Way;
}

/** How work came to the branch. Agents are named by the author or by a trailer. */
export type Way = "pull request of an agent" | "pull request" | "commit";

export interface Sampling {
  /** How many changes of each repository. */
  readonly count: number;
  readonly seed: string;
  /** How many of the newest commits are chosen from. */
  readonly newest: number;
  /** Smaller changes are left out. */
  readonly linesMin: number;
}

type Step = Pick<Work, "from" | "to" | "way">;

const OUTPUT_BYTES_MAX = 1024 * 1024 * 1024;

/** The git directories of a folder, bare or not, by the name of their project. */
export function listStrangers(folder: string): readonly (readonly [name: string, gitDir: string])[] {
  return readdirSync(folder)
    .toSorted()
    .flatMap((name) => {
      const own = join(folder, name);
      const found = [join(own, ".git"), own, join(own, "repo", ".git"), join(own, "repo")].find(isGitDir);
      return found === undefined ? [] : [[basename(name), found] as const];
    });
}

function isGitDir(path: string): boolean {
  return ["HEAD", "objects", "refs"].every((name) => existsSync(join(path, name)));
}

/** So many are measured by one process. */
const CHUNK = 200;

/** A larger sample of the same seed has the smaller one in it. */
export function sampleWork(gitDir: string, { count, seed, newest, linesMin }: Sampling): readonly Work[] {
  const work: Work[] = [];
  const steps = listSteps(gitDir, newest)
    .map((step) => [hash(`${seed} ${step.to}`), step] as const)
    .toSorted(([one], [other]) => (one < other ? -1 : 1));
  for (let at = 0; at < steps.length && work.length < count; at += CHUNK) {
    const chunk = steps.slice(at, at + CHUNK).map(([, step]) => step);
    const measured = measureFiles(gitDir, chunk);
    for (const { from, to, way } of chunk) {
      const files = measured.get(to) ?? [];
      const lines = sum(files.map(([, changed]) => changed));
      if (files.length > 0 && lines >= linesMin)
        work.push({ repository: gitDir, from, to, lines, language: findMainLanguage(files), way });
    }
  }
  return work.slice(0, count);
}

const FIELDS = "%H%x00%P%x00%an <%ae>%x00%s%x00%(trailers:key=Co-authored-by,valueonly,separator=%x2C)";
const AGENTS =
  /copilot|claude|anthropic|codex|openai|cursor(?:agent|\.com)|devin-ai|google-labs-jules|gemini-code|openhands|aider/iu;
const BOTS = /\[bot\]|dependabot|renovate|pre-commit-ci|greenkeeper|github-actions/iu;
const PULL = /\(#\d+\)$|^Merge pull request #\d+/u;

/**
 * Every commit of the first parents but the root: a merge brings its whole branch. What a bot brings by itself (versions
 * of dependencies, formats) is no work that an agent would get as a task.
 */
function listSteps(gitDir: string, newest: number): readonly Step[] {
  const log = git(gitDir, ["log", "--first-parent", `--max-count=${newest}`, `--format=${FIELDS}`, "HEAD", "--"]);
  return log.split("\n").flatMap((line) => {
    const [to = "", parents = "", ...signs] = line.split("\0");
    const [from = "", second] = parents.split(" ");
    const way = from === "" ? null : findWay(signs, second !== undefined);
    return way === null ? [] : [{ from, to, way }];
  });
}

/** Null for what a bot brings. */
function findWay([author = "", subject = "", coauthors = ""]: readonly string[], isMerge: boolean): Way | null {
  const isAgent = AGENTS.test(`${author}, ${coauthors}`);
  if (!isAgent && BOTS.test(`${author} ${subject}`)) return null;
  if (!isMerge && !PULL.test(subject)) return "commit";
  return isAgent ? "pull request of an agent" : "pull request";
}

const UNREADABLE = "";

type ChangedLines = readonly [path: string, lines: number];

/** By commit. */
function measureFiles(gitDir: string, steps: readonly Step[]): ReadonlyMap<string, readonly ChangedLines[]> {
  const list = tryGit(
    gitDir,
    ["diff-tree", "--stdin", "-r", "--numstat", "-z", "--no-renames"],
    steps.map(({ from, to }) => `${to} ${from}\n`).join(""),
  );
  if (list !== null) return parseFiles(list);
  const [step] = steps;
  // A clone can lack contents: the change is sampled all the same, and the judge says what it makes of it.
  if (steps.length <= 1) return new Map(step === undefined ? [] : [[step.to, [[UNREADABLE, 0]]]]);
  return new Map(steps.flatMap((one) => [...measureFiles(gitDir, [one])]));
}

/** The id of each commit, and its files behind it. */
function parseFiles(list: string): ReadonlyMap<string, readonly ChangedLines[]> {
  const files = new Map<string, ChangedLines[]>();
  let own: ChangedLines[] = [];
  for (const record of list.split("\0").filter((one) => one !== "")) {
    const [added = "", deleted, path] = record.split("\t");
    if (path === undefined) files.set(added, (own = []));
    // Binary files have no lines, and count as changed all the same.
    else own.push([path, (Number(added) || 0) + (Number(deleted) || 0)]);
  }
  return files;
}

function git(gitDir: string, args: readonly string[], input = ""): string {
  return execFileSync("git", [`--git-dir=${gitDir}`, "--no-replace-objects", ...args], {
    encoding: "utf8",
    maxBuffer: OUTPUT_BYTES_MAX,
    input,
    stdio: ["pipe", "pipe", "pipe"],
  });
}

function tryGit(gitDir: string, args: readonly string[], input: string): string | null {
  try {
    return git(gitDir, args, input);
  } catch {
    return null;
  }
}

function hash(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}

const LANGUAGES: Readonly<Record<string, string>> = {
  TypeScript: "ts tsx mts cts",
  JavaScript: "js jsx mjs cjs vue svelte",
  Python: "py pyi",
  Go: "go",
  Rust: "rs",
  Java: "java",
  Kotlin: "kt kts",
  Swift: "swift",
  "C#": "cs csproj",
  Ruby: "rb rake erb",
  PHP: "php phpt",
  "C and C++": "c h cc cpp cxx hpp",
  Shell: "sh bash pl bats",
};

const BY_EXTENSION: ReadonlyMap<string, string> = new Map(
  Object.entries(LANGUAGES).flatMap(([language, names]) => names.split(" ").map((name) => [name, language] as const)),
);

/** The language of the most changed lines; "other" only where no code changed. */
function findMainLanguage(files: readonly ChangedLines[]): string {
  const lines = new Map<string, number>();
  for (const [path, changed] of files) {
    const language = BY_EXTENSION.get(path.slice(path.lastIndexOf(".") + 1));
    if (language !== undefined) lines.set(language, (lines.get(language) ?? 0) + changed);
  }
  const [first] = [...lines].toSorted(([, one], [, other]) => other - one);
  return first?.[0] ?? "other";
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
