/** The script of action.yml, with the environment that GitHub would give it and a real repository with two branches. */
import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { executable } from "../support/relais.ts";
import { gitEnvironment } from "../support/repositories.ts";
import { scratchFolder } from "../support/scratch-repository.ts";

const ROOT = join(import.meta.dirname, "../..");
const CONFIG = JSON.stringify({
  scope: { default_allowed_globs: ["src/**"], default_allow_new_files: true },
});

interface PullRequest {
  readonly files: Readonly<Record<string, string>>;
  readonly event?: (base: string, head: string) => object;
  readonly env?: Readonly<Record<string, string>>;
}

/** Judges a branch that adds these files to one with a configuration. */
function judged({ files, event = pullRequest, env = {} }: PullRequest) {
  const place = scratchFolder();
  const repository = join(place, "workspace");
  mkdirSync(repository);
  const git = (...args: string[]) =>
    execFileSync("git", args, { cwd: repository, env: gitEnvironment(place), stdio: "pipe" })
      .toString()
      .trim();
  const commit = (tree: Readonly<Record<string, string>>) => {
    for (const [name, text] of Object.entries(tree)) {
      mkdirSync(dirname(join(repository, name)), { recursive: true });
      writeFileSync(join(repository, name), text);
    }
    git("add", "-A");
    git("-c", "user.name=A", "-c", "user.email=a@b.c", "commit", "-qm", "work");
    return git("rev-parse", "HEAD");
  };
  git("init", "-q", "--template=", "-b", "main");
  const base = commit({ "relais.config.json": CONFIG, "src/a.ts": "1\n" });
  git("checkout", "-qb", "topic");
  const head = commit(files);
  const action = join(place, "action");
  mkdirSync(join(action, "dist"), { recursive: true });
  symlinkSync(executable, join(action, "dist/relais.cjs"));
  writeFileSync(join(place, "event.json"), JSON.stringify(event(base, head)));
  const ran = spawnSync(
    process.execPath,
    [join(ROOT, "scripts/run.mjs"), join(ROOT, "scripts/judge-pull-request.ts")],
    {
      cwd: repository,
      encoding: "utf8",
      env: {
        ...gitEnvironment(place),
        GITHUB_ACTION_PATH: action,
        GITHUB_WORKSPACE: repository,
        GITHUB_EVENT_PATH: join(place, "event.json"),
        GITHUB_STEP_SUMMARY: join(place, "summary.md"),
        GITHUB_OUTPUT: join(place, "output"),
        ...env,
      },
    },
  );
  const read = (name: string) => {
    try {
      return readFileSync(join(place, name), "utf8");
    } catch {
      return "";
    }
  };
  return {
    status: ran.status,
    log: ran.stdout,
    stderr: ran.stderr,
    summary: read("summary.md"),
    output: read("output"),
  };
}

function pullRequest(base: string, head: string): object {
  return { pull_request: { base: { sha: base }, head: { sha: head } } };
}

const push = (base: string, head: string): object => ({ before: base, after: head });
const queued = (base: string, head: string): object => ({ merge_group: { base_sha: base, head_sha: head } });
const created = (_: string, head: string): object => push("0".repeat(40), head);
const missing = (_: string, head: string): object => pullRequest("a".repeat(40), head);

test("a pull request within the rules passes, with the report as the summary", () => {
  const { status, log, summary, output, stderr } = judged({ files: { "src/b.ts": "2\n" } });
  expect({ status, stderr, log }).toEqual({ status: 0, stderr: "", log: "relais judge: success SUCCESS\n" });
  expect(output).toBe("verdict=success\ncode=SUCCESS\n");
  expect(summary).toContain("## relais judge: `SUCCESS`");
  expect(summary).toContain("1 files, +1 −0");
});

test("one that breaks them fails, names file and rule, and cannot loosen its own rules", () => {
  const loosened = JSON.stringify({ scope: { default_allowed_globs: ["**"] } });
  const files = { "docs/x.md": "no\n", "relais.config.json": loosened };
  const { status, log, summary, output } = judged({ files });
  expect(status).toBe(10);
  expect(output).toMatch(/^verdict=stop\ncode=STOP_\w+\n$/);
  expect(log).toMatch(/^::error file=docs\/x\.md,title=STOP_\w+::docs\/x\.md: /m);
  expect(summary).toMatch(/^\| `docs\/x\.md` \| `[^|]+` \|/m);
});

test("names that others chose are no commands of the workflow and no markup", () => {
  const name = "docs/a,b\n::set-output name=code::SUCCESS|<b>`x`.md";
  const { status, log, summary, output } = judged({ files: { [name]: "no\n" } });
  expect(status).toBe(10);
  expect(log.split("\n").filter((line) => line.startsWith("::") && !line.startsWith("::error "))).toEqual([]);
  expect(log.split("\n").filter((line) => line.startsWith("::set-output"))).toEqual([]);
  expect(summary).not.toContain("<b>");
  expect(output.split("\n")).toHaveLength(3);
});

test("a push is judged from the commit before it, and inputs win over the event", () => {
  expect(judged({ files: { "src/b.ts": "2\n" }, event: push }).status).toBe(0);
  const { status } = judged({ files: { "src/b.ts": "2\n" }, env: { RELAIS_ARGUMENTS: "--max-files=0\n" } });
  expect(status).toBe(10);
  const same = judged({ files: { "docs/x.md": "no\n" }, env: { RELAIS_BASE: "HEAD", RELAIS_HEAD: "HEAD" } });
  expect(same.status).toBe(0);
});

test("a merge queue is judged like a pull request, and of a new branch it is said what is missing", () => {
  expect(judged({ files: { "src/b.ts": "2\n" }, event: queued }).status).toBe(0);
  const { status, log, summary } = judged({ files: { "src/b.ts": "2\n" }, event: created });
  expect(status).toBe(2);
  for (const said of [log, summary]) expect(said).toContain("needs `base`");
});

test("a commit that is not there fails with a hint, and an event that says nothing fails too", () => {
  const { status, log, summary } = judged({ files: { "src/b.ts": "2\n" }, event: missing });
  expect(status).not.toBe(0);
  expect(log).toContain("fetch-depth: 0");
  expect(summary).toContain("fetch-depth: 0");
  expect(judged({ files: { "src/b.ts": "2\n" }, event: () => ({}) }).status).toBe(2);
});

test("action.yml runs this script and hands its inputs on", () => {
  const action = readFileSync(join(ROOT, "action.yml"), "utf8");
  expect(action).toContain("scripts/judge-pull-request.ts");
  for (const input of ["base", "head", "arguments"])
    expect(action).toContain(`RELAIS_${input.toUpperCase()}: \${{ inputs.${input} }}`);
});
