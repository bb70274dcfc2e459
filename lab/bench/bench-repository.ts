/**
 * A repository for measured ticks, with an instant agent and one check. Its configuration is an ignored file, so that
 * ticks in every workplace can share one repository and what relais already knows of it.
 */
import { execFileSync } from "node:child_process";
import { mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { WORKSPACE_IGNORE } from "../../src/config/workspace-layout.ts";
import type { Command } from "./meter.ts";

const IGNORED_FILES = 20_000;
const FILES_IN_FOLDER = 100;
const MODULES_IN_PACKAGE = 50;
/** It may be committed to. */
const BRANCH = "topic";
const EDITED = "src/d0/f0.ts";
const GOAL = "# Goal\n\nThe constants of `src` are complete: each has a name, a value and a line of its own.\n";
const RESULT = { summary: "Done.", files_intended: [EDITED], commands_ran: [], notes: [] };
const LEAVE_RESULT = `printf '%s' '${JSON.stringify(RESULT)}' > "$RELAIS_RESULT_PATH"`;
const UNLIMITED = 1_000_000;
const CAPS = {
  max_ticks: UNLIMITED,
  max_orchestrator_calls: UNLIMITED,
  max_builder_calls: UNLIMITED,
  max_verify_runs: UNLIMITED,
};

export const ENDS = ["accepted", "committed", "reverted"] as const;
export type End = (typeof ENDS)[number];

export interface BenchRepository {
  readonly box: string;
  readonly root: string;
  readonly env: Readonly<Record<string, string>>;
  readonly git: (...args: string[]) => string;
  readonly put: (name: string, text: string) => string;
  /** Writes relais.config.json: the usual one, with these keys. */
  readonly configure: (keys: object) => void;
  /** Back to the first commit, whatever happened. */
  readonly reset: () => void;
  readonly state: () => string;
  /** The agent whose change ends like this. */
  readonly agent: (end: End) => Command;
  readonly check: Command;
  readonly task: string;
}

interface RepositoryRequest {
  readonly folder: string;
  readonly name: string;
  readonly env: Readonly<Record<string, string>>;
  readonly files: number;
  /** Absent are the usual ones. */
  readonly ignored?: number;
  readonly scale: number;
  /** More tracked files. */
  readonly extra?: Readonly<Record<string, string>>;
}

export function makeRepository(request: RepositoryRequest): BenchRepository {
  const { folder, name, env, extra = {} } = request;
  const box = join(folder, name);
  const root = join(box, "repo");
  const own = { ...env, HOME: join(box, "home"), XDG_STATE_HOME: join(box, "state"), TMPDIR: join(box, "tmp") };
  for (const place of [root, own.HOME, own.TMPDIR]) mkdirSync(place, { recursive: true });
  const git: BenchRepository["git"] = (...args) =>
    execFileSync("git", args, { cwd: root, env: own, encoding: "utf8", timeout: 600_000 }).trim();
  const put: BenchRepository["put"] = (path, text) => {
    mkdirSync(dirname(join(box, path)), { recursive: true });
    writeFileSync(join(box, path), text);
    return join(box, path);
  };
  fill(root, request);
  const workspace = { "relais/.gitignore": WORKSPACE_IGNORE, "relais/GOAL.md": GOAL };
  for (const [path, text] of Object.entries({ ...workspace, ...extra })) put(join("repo", path), text);
  commitAll(git);
  const check: Command = ["sh", put("check.sh", `! grep -q wrong ${EDITED}\n`)];
  const agents = { accepted: "right", committed: "right", reverted: "wrong" } as const;
  for (const word of ["right", "wrong"])
    put(
      `${word}.sh`,
      `echo "export const ${word}$$ = 1;" >> ${EDITED}\n[ -z "$RELAIS_RESULT_PATH" ] || ${LEAVE_RESULT}\n`,
    );
  const agent: BenchRepository["agent"] = (end) => ["sh", join(box, `${agents[end]}.sh`)];
  const base = git("rev-parse", "HEAD");
  const repository: BenchRepository = {
    box,
    root,
    env: own,
    git,
    put,
    agent,
    check,
    task: put("task.json", JSON.stringify(TASK)),
    configure: (keys) => writeFileSync(join(root, "relais.config.json"), JSON.stringify(configure(repository, keys))),
    reset: () => {
      git("checkout", "--quiet", "--force", BRANCH);
      git("reset", "--quiet", "--hard", base);
      git("clean", "--quiet", "--force", "-d");
    },
    state: () => {
      const home = join(own.XDG_STATE_HOME, "relais");
      return join(home, readdirSync(home).find((entry) => entry.startsWith("repo-")) ?? "");
    },
  };
  return repository;
}

const TASK = {
  task_id: "T-1",
  milestone_id: "M-1",
  task_kind: "execute",
  intent: "Add a constant.",
  scope: { allowed_globs: ["src/**"], forbidden_globs: [], allow_new_files: false, allow_lockfile_changes: false },
  diff_limits: { max_files_touched: 5, max_lines_changed: 50 },
  verification: { fast: ["check"], slow: [] },
  builder: { mode: "command", max_turns: 4, instructions: "Add a constant." },
};

function configure({ agent, check }: BenchRepository, keys: object): object {
  const [cmd, ...args] = check;
  const [command, ...words] = agent("accepted");
  return {
    isolation: "in_place",
    sandbox: "off",
    builder: { default_mode: "command", command: { command, args: words } },
    verification: { templates: [{ id: "check", cmd, args }] },
    budgets: { per_milestone: CAPS, per_run: CAPS },
    ...keys,
  };
}

function fill(root: string, request: RepositoryRequest): void {
  const files = shrink(request.files, request.scale);
  const ignored = shrink(request.ignored ?? IGNORED_FILES, request.scale);
  for (let file = 0; file < files; file += 1) {
    const folder = join(root, "src", `d${Math.floor(file / FILES_IN_FOLDER)}`);
    if (file % FILES_IN_FOLDER === 0) mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, `f${file}.ts`), `export const value${file} = ${file};\n`.repeat(20 + (file % 30)));
  }
  for (let file = 0; file < ignored; file += 1) {
    const folder = join(root, "node_modules", `p${Math.floor(file / MODULES_IN_PACKAGE)}`);
    if (file % MODULES_IN_PACKAGE === 0) mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, `m${file}.js`), `module.exports = ${file};\n`.repeat(30));
  }
  writeFileSync(join(root, ".gitignore"), "node_modules/\n/relais.config.json\n");
}

/** Smaller than asked for, but not by much where it is small already. */
export function shrink(size: number, scale: number): number {
  return Math.max(Math.min(size, 100), Math.ceil(size / scale));
}

/** One pack and no loose objects, as after some time. */
function commitAll(git: BenchRepository["git"]): void {
  git("init", "--quiet", `--initial-branch=${BRANCH}`);
  git("add", "--all");
  git("commit", "--quiet", "--message=base");
  git("repack", "-adq");
}

/** Files written just now are read again for caution; a real repository has rested. */
export async function rest(): Promise<void> {
  await new Promise((done) => setTimeout(done, 2_500));
}
