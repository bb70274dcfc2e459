/** The place of one attack in a whole tick: a ground with relais and its configuration on it. */
import { execFileSync, spawn } from "node:child_process";
import { rmSync, writeFileSync } from "node:fs";
import { extname, join } from "node:path";
import { findInterpreter } from "../../src/drill/pure/drill-stage.ts";
import type { HostileBuilder } from "../../src/drill/pure/hostile-builder.ts";
import { WORKSPACE_IGNORE } from "../../src/config/workspace-layout.ts";
import { laidOver } from "../support/scenario-documents.ts";
import { type Walk, walk } from "../support/walker.ts";
import { environmentIn, type Ground, type layGround, put, STAGE } from "./ground.ts";
import { PLAIN, type Setting } from "./setting.ts";
import { configOf, taskOf } from "./task-and-config.ts";

export interface Stage {
  readonly box: string;
  readonly root: string;
  readonly ground: Ground;
  /** Runs relais here and answers with what a shell would see of it. */
  readonly relais: (args: readonly string[]) => Promise<Ran>;
  readonly git: (...args: string[]) => string;
  /** Runs a command of an attack's comment. Throws where it fails. */
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

interface StageRequest {
  readonly lay: typeof layGround;
  readonly box: string;
  readonly builder: HostileBuilder;
  readonly executable: string;
  readonly setting?: Setting;
}

/** Makes the stage of one attack; the caller removes its box. */
export function openStage({ lay, box, builder, executable, setting = PLAIN }: StageRequest): Stage {
  const ground = lay(builder.kind, box);
  const root = join(box, ground.root);
  const environment = environmentIn(box, builder);
  const call = (program: string, args: readonly string[]): string =>
    execFileSync(program, args, { cwd: root, env: environment, stdio: ["ignore", "pipe", "pipe"] }).toString();
  const git: Stage["git"] = (...args) => call("git", args).trim();
  const extension = extname(builder.file);
  const hired = join(box, `builder${extension}`);
  const command = { command: findInterpreter(extension, process.execPath), args: [hired] };
  const hiring = { builder: { default_mode: "command", command } };
  const config = laidOver(laidOver(hiring, configOf(builder)), setting);
  put(root, { "relais.config.json": JSON.stringify(config, null, 2), ...builder.files });
  if (builder.kind !== STAGE) {
    put(root, { "relais/.gitignore": WORKSPACE_IGNORE });
    git("config", "user.name", "Ada");
    git("config", "user.email", "ada@example.org");
    // Of no relais that ever ran.
    for (const name of ["STATE.json", "lock.json"]) rmSync(join(root, "relais", name), { force: true });
  }
  put(box, { "task.json": JSON.stringify(taskOf(builder)), [`builder${extension}`]: builder.program });
  git("add", "--all", "--sparse");
  git("commit", "-qm", "the stage");
  const run: Stage["command"] = (line) => void call("sh", ["-ec", line]);
  if (builder.before !== null) run(builder.before);
  return {
    box,
    root,
    ground,
    git,
    command: run,
    hire: (text) => writeFileSync(hired, text),
    relais: (args) => start([executable, ...args], { cwd: root, env: environment }),
    look: () => unpublished(walk({ folder: box, worktrees: [] })),
  };
}

async function start(
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
  /^\.\/(?:state\/relais(?:\/|$)|pids\/|builder\.|place\/(?:repo|linked)\/relais\/(?:(?:(?:STATE|TASK|REPORT|BLOCKED)\.json|REPORT\.md|ledger\.jsonl)$|history(?:\/|$)))/;

function unpublished({ entries, git }: Walk): Walk {
  return { git, entries: new Map([...entries].filter(([name]) => !NOT_LOOKED_AT.test(name))) };
}
