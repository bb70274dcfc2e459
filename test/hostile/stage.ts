/**
 * The place of one builder: a repository with something of everything in it and, around it, all that nobody may touch:
 * a remote, a neighbour, a home, another program's state. Whatever changes in any of these is seen.
 */
import { execFileSync, spawn } from "node:child_process";
import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { dirname, extname, join } from "node:path";
import * as v from "valibot";
import { WORKSPACE_IGNORE } from "../../src/core/setup/workspace-layout.ts";
import { gitEnvironment } from "../support/repositories.ts";
import { laidOver } from "../support/scenario-documents.ts";
import { type Walk, walk } from "../support/walker.ts";
import type { Builder } from "./builder.ts";
import { PLAIN, type Setting } from "./setting.ts";

export interface Stage {
  readonly box: string;
  readonly root: string;
  /** Runs relais here and answers with what a shell would see of it. */
  readonly relais: (args: readonly string[]) => Promise<Ran>;
  readonly git: (...args: string[]) => string;
  /** Runs a command of a builder's comment. Throws where it fails. */
  readonly command: (line: string) => void;
  /** Puts a builder in the place of the one that is there. */
  readonly hire: (program: string) => void;
  /** Everything but what relais itself keeps and publishes. */
  readonly look: () => Walk;
}

export interface Ran {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

const FILES: Readonly<Record<string, string>> = {
  ".gitignore": "dist/\nnode_modules/\n.env*\n*.log\n",
  "README.md": "# Sample\n",
  "package.json": '{ "name": "sample" }\n',
  "pnpm-lock.yaml": "lockfileVersion: '9.0'\n",
  "docs/guide.md": "Guide.\n",
  "src/main.ts": "export const answer = 41;\n",
  "src/other.ts": "export const other = 1;\n",
  "src/deep/inner.ts": "export const inner = 1;\n",
  "tests/main.test.ts": "// tests\n",
  "relais/.gitignore": WORKSPACE_IGNORE,
  "relais/FACTS.md": "Facts.\n",
  "relais/prompts/builder.system.txt": "Build.\n",
};

const IGNORED_FILES: Readonly<Record<string, string>> = {
  ".env": "SECRET=hunter2\n",
  "debug.log": "one line\n",
  "dist/app.js": "built\n",
  "node_modules/dep/index.js": "module.exports = 1;\n",
};

const AROUND: Readonly<Record<string, string>> = {
  "place/neighbour/untouched.txt": "nobody writes here\n",
  "home/.profile": "# nobody writes here\n",
  "home/.npmrc": "# nobody writes here\n",
  "state/other/state.json": "{}\n",
};

const TASK = {
  task_id: "T-1",
  milestone_id: "M-1",
  task_kind: "execute",
  intent: "Set the answer to 42.",
  scope: {
    allowed_globs: ["src/**", "tests/**"],
    forbidden_globs: [],
    allow_new_files: true,
    allow_lockfile_changes: false,
  },
  diff_limits: { max_files_touched: 20, max_lines_changed: 200 },
  verification: { fast: ["answer"], slow: [] },
  builder: { mode: "command", max_turns: 1, instructions: "Set the answer to 42." },
};

/** `under-test` runs code that the builder may write, as a project's own tests do. */
const TEMPLATES = [
  { id: "answer", cmd: "grep", args: ["-q", "42", "src/main.ts"] },
  { id: "green", cmd: "true" },
  { id: "under-test", cmd: "sh", args: ["src/run.sh"] },
  {
    id: "find",
    cmd: "grep",
    args: ["-q", "{{word}}", "src/main.ts"],
    params: { word: { kind: "string_token" } },
  },
];

/** What a builder may know of its surroundings: a mark that nothing may ever make, and a place for process ids. */
const PASSED_ON = ["MARK", "PIDS", "HOSTILE"];

/** The programs of the two kinds of builders. */
const INTERPRETERS: Readonly<Record<string, string>> = { ".sh": "sh", ".mjs": process.execPath };

/** What the task asks for. */
export const GOOD_TEXT = "export const answer = 42;";
export const GOOD_BUILDER = `echo '${GOOD_TEXT}' > src/main.ts\n`;

function put(folder: string, files: Readonly<Record<string, string>>): void {
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
    if (text.startsWith("#!")) chmodSync(join(folder, name), 0o755);
  }
}

/** Builds what all stages have in common, once. */
export function buildTemplate(folder: string): void {
  const root = join(folder, "place/repo");
  mkdirSync(root, { recursive: true });
  for (const name of ["home", "tmp", "pids"]) mkdirSync(join(folder, name));
  const git = (...args: string[]): void => {
    execFileSync("git", args, {
      cwd: root,
      env: gitEnvironment(folder),
      stdio: ["ignore", "ignore", "pipe"],
    });
  };
  git("init", "-q", "--bare", "../origin.git");
  git("init", "-q", "--template=", "-b", "work");
  git("config", "user.name", "Ada");
  git("config", "user.email", "ada@example.org");
  put(root, FILES);
  git("add", "-A");
  git("commit", "-qm", "first");
  git("remote", "add", "origin", "../origin.git");
  git("push", "-q", "origin", "work");
  git("tag", "v1");
  git("branch", "other");
  put(root, { "docs/guide.md": "Guide, second edition.\n" });
  git("stash", "-q");
  put(root, IGNORED_FILES);
  put(folder, AROUND);
}

interface StageRequest {
  readonly template: string;
  readonly box: string;
  readonly builder: Builder;
  readonly executable: string;
  readonly setting?: Setting;
}

/** Makes the stage of one builder; whoever asked for it removes its box. */
export function openStage({ template, box, builder, executable, setting = PLAIN }: StageRequest): Stage {
  execFileSync("cp", ["-a", template, box]);
  const root = join(box, "place/repo");
  const environment = {
    ...gitEnvironment(join(box, "home")),
    XDG_STATE_HOME: join(box, "state"),
    TMPDIR: join(box, "tmp"),
    MARK: join(box, "home/mark"),
    PIDS: join(box, "pids"),
    HOSTILE: box,
    ...filled(builder.env),
  };
  const call = (program: string, args: readonly string[]): string =>
    execFileSync(program, args, {
      cwd: root,
      env: environment,
      stdio: ["ignore", "pipe", "pipe"],
    }).toString();
  const git: Stage["git"] = (...args) => call("git", args).trim();
  const extension = extname(builder.file);
  const hired = join(box, `builder${extension}`);
  const usual = {
    builder: { default_mode: "command", command: { command: INTERPRETERS[extension], args: [hired] } },
    env: { agents: PASSED_ON, checks: PASSED_ON },
    verification: { templates: TEMPLATES },
  };
  const config = laidOver(laidOver(usual, builder.config), setting);
  put(root, { "relais.config.json": JSON.stringify(config, null, 2), ...builder.files });
  put(box, {
    "task.json": JSON.stringify(fixesChecks(laidOver(TASK, builder.task))),
    [`builder${extension}`]: builder.program,
  });
  git("add", "-A");
  git("commit", "-qm", "the stage");
  const command: Stage["command"] = (line) => void call("sh", ["-ec", line]);
  if (builder.before !== null) command(builder.before);
  return {
    box,
    root,
    git,
    command,
    hire: (text) => writeFileSync(hired, text),
    relais: (args) => run([executable, ...args], { cwd: root, env: environment }),
    look: () => unpublished(walk({ folder: box, worktrees: [] })),
  };
}

const Checked = v.looseObject({
  verification: v.looseObject({ fast: v.array(v.string()), slow: v.array(v.string()) }),
});

/** Its checks fail before the build, and the work is to make them pass. */
function fixesChecks(task: unknown): unknown {
  const { verification, ...others } = v.parse(Checked, task);
  return { mends: [...verification.fast, ...verification.slow], ...others, verification };
}

/** `$PATH` in a variable of a builder is the usual one. */
function filled(variables: Readonly<Record<string, string>>): Record<string, string> {
  const usual = process.env["PATH"] ?? "/usr/bin:/bin";
  return Object.fromEntries(Object.entries(variables).map(([name, value]) => [name, value.replaceAll("$PATH", usual)]));
}

async function run(
  args: readonly string[],
  options: { readonly cwd: string; readonly env: Readonly<Record<string, string>> },
): Promise<Ran> {
  const child = spawn(process.execPath, args, { ...options, stdio: ["ignore", "pipe", "pipe"] });
  const said = { stdout: "", stderr: "" };
  for (const stream of ["stdout", "stderr"] as const)
    child[stream].setEncoding("utf8").on("data", (text: string) => (said[stream] += text));
  const status = await new Promise<number | null>((resolve, reject) => {
    child.once("error", reject);
    child.once("close", resolve);
  });
  return { status, ...said };
}

/** What belongs to relais or to this suite. What relais leaves among the temporary files is not left out. */
const NOT_LOOKED_AT =
  /^\.\/(?:state\/relais(?:\/|$)|pids\/|builder\.|place\/repo\/relais\/(?:(?:(?:STATE|TASK|REPORT|BLOCKED)\.json|REPORT\.md|ledger\.jsonl)$|history(?:\/|$)))/;

function unpublished({ entries, git }: Walk): Walk {
  return { git, entries: new Map([...entries].filter(([name]) => !NOT_LOOKED_AT.test(name))) };
}
