/**
 * The place of one builder: a repository with something of everything in it and, around it, all that nobody may touch:
 * a remote, a neighbour, a home, another program's state. Whatever changes in any of these is seen.
 */
import { execFileSync, spawn } from "node:child_process";
import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { dirname, extname, join } from "node:path";
import * as v from "valibot";
import {
  AROUND_FILES,
  DRILL_CHECKS,
  DRILL_TASK,
  DRILL_VARIABLES,
  findInterpreter,
  IGNORED_FILES,
  STAGE_FILES,
} from "../../src/core/drill/drill-stage.ts";
import { gitEnvironment } from "../support/repositories.ts";
import { laidOver } from "../support/scenario-documents.ts";
import { type Walk, walk } from "../support/walker.ts";
import type { HostileBuilder } from "../../src/core/drill/hostile-builder.ts";
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
  put(root, STAGE_FILES);
  git("add", "-A");
  git("commit", "-qm", "first");
  git("remote", "add", "origin", "../origin.git");
  git("push", "-q", "origin", "work");
  git("tag", "v1");
  git("branch", "other");
  put(root, { "docs/guide.md": "Guide, second edition.\n" });
  git("stash", "-q");
  put(root, IGNORED_FILES);
  put(folder, AROUND_FILES);
}

interface StageRequest {
  readonly template: string;
  readonly box: string;
  readonly builder: HostileBuilder;
  readonly executable: string;
  readonly setting?: Setting;
}

/** Makes the stage of one builder; the caller removes its box. */
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
    builder: {
      default_mode: "command",
      command: { command: findInterpreter(extension, process.execPath), args: [hired] },
    },
    env: { agents: DRILL_VARIABLES, checks: DRILL_VARIABLES },
    verification: { templates: DRILL_CHECKS },
  };
  const config = laidOver(laidOver(usual, builder.config), setting);
  put(root, { "relais.config.json": JSON.stringify(config, null, 2), ...builder.files });
  put(box, {
    "task.json": JSON.stringify(fixesChecks(laidOver(DRILL_TASK, builder.task))),
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
