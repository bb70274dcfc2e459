/** `relais worker` with whole ticks as jobs: each adds a line to a small repository and leaves a branch. */
import { execFileSync } from "node:child_process";
import { copyFileSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import type { Engine, JobView } from "../../src/queue/pure/engine.ts";
import type { JobSpec } from "../../src/queue/pure/job.ts";
import { gitEnvironment } from "../../test/support/repositories.ts";
import type { ChaosCrew } from "./chaos.ts";
import type { ChaosPlaces } from "./chaos-places.ts";

const REPOSITORIES = 3;
const TASK = {
  task_id: "T-1",
  milestone_id: "M-1",
  task_kind: "execute",
  intent: "Add a line.",
  scope: { allowed_globs: ["*.txt"], forbidden_globs: [], allow_new_files: true, allow_lockfile_changes: false },
  diff_limits: { max_files_touched: 5, max_lines_changed: 50 },
  verification: { fast: ["check"], slow: [] },
  builder: { mode: "command", max_turns: 4, instructions: "Add a line." },
};

interface Source {
  readonly root: string;
  readonly base: string;
  readonly config: string;
}

export async function openRealCrew(places: ChaosPlaces): Promise<ChaosCrew> {
  const state = join(places.folder, "state");
  const env = { ...gitEnvironment(places.folder), XDG_STATE_HOME: state };
  const built = join(places.folder, "built");
  execFileSync(process.execPath, [resolve("scripts/build.mjs"), built], { stdio: "ignore", timeout: 300_000 });
  const git = (root: string, ...args: readonly string[]): string =>
    execFileSync("git", ["-C", root, ...args], { encoding: "utf8", env }).trim();
  copyFileSync("lab/chaos/builder.sh", places.session);
  const sources = Array.from({ length: REPOSITORIES }, (_, number) => makeSource(places, number, git));
  const queue = join(state, "relais", "queue");
  return {
    queue,
    workers: 2,
    backlog: 6,
    pauseMs: 9000,
    env,
    isSmall: false,
    leaseMs: 60_000,
    command: () => [process.execPath, join(built, "relais.cjs"), "worker", "--slots", "2", "--unsandboxed", "--json"],
    describeJob: (random) => describeJob(random.pick(sources)),
    findDuplicates: async (views, engine) => [
      ...(await findWrongBranches(views, engine, { folder: places.folder, git })),
      ...sources.flatMap(({ root, base }) => findTouched(root, base, git)),
      ...readdirSync(join(queue, "work")).map((name) => `the folder ${name} of a job was left`),
    ],
  };
}

type Git = (root: string, ...args: readonly string[]) => string;

function makeSource(places: ChaosPlaces, number: number, git: Git): Source {
  const root = join(places.folder, `source-${number}`);
  mkdirSync(root);
  git(root, "init", "--quiet", "--initial-branch=topic");
  writeFileSync(join(root, "notes.txt"), "notes\n");
  git(root, "add", "--all");
  git(root, "commit", "--quiet", "--message=base");
  const args = [places.session, join(places.locks, String(number)), places.overlaps];
  const config = JSON.stringify({
    isolation: "in_place",
    sandbox: "off",
    builder: { default_mode: "command", command: { command: "sh", args } },
    verification: { templates: [{ id: "check", cmd: "test", args: ["-s", "notes.txt"] }] },
  });
  return { root, base: git(root, "rev-parse", "HEAD"), config };
}

function describeJob(source: Source | undefined): Partial<JobSpec> {
  if (source === undefined) throw new Error("there is no repository");
  return {
    command: "task",
    arguments: ["--", "task.json"],
    files: { "task.json": JSON.stringify(TASK) },
    repository: { kind: "path", path: source.root },
    base: { commit: source.base, branch: "topic" },
    key: `${source.root}/.git#topic`,
    config: source.config,
  };
}

/** The bundle of each job that is done has exactly the recorded commit. */
async function findWrongBranches(
  views: readonly JobView[],
  engine: Engine,
  { folder, git }: { readonly folder: string; readonly git: Git },
): Promise<readonly string[]> {
  const file = join(folder, "read.bundle");
  const wrong: string[] = [];
  for (const view of views) {
    const { id, phase, spec, result } = view;
    if (phase !== "done" || spec.repository.kind !== "path") continue;
    writeFileSync(file, await readBundle(view, engine));
    const heads = git(spec.repository.path, "bundle", "list-heads", file);
    if (heads !== `${result?.commit ?? ""} refs/heads/relais/${id}`) wrong.push(`${id} has another branch: ${heads}`);
  }
  return wrong;
}

async function readBundle({ id, attachments }: JobView, engine: Engine): Promise<Buffer> {
  const bundle = attachments.findLast(({ name }) => name === "branch.bundle");
  const bytes = bundle === undefined ? null : await engine.readAttachment(id, bundle.attempt, bundle.name);
  if (bytes === null) throw new Error(`job ${id} is done and has no branch`);
  const parts: Uint8Array[] = [];
  for await (const part of bytes) parts.push(part);
  return Buffer.concat(parts);
}

/** Nothing of a job may be in the submitter's repository. */
function findTouched(root: string, base: string, git: Git): readonly string[] {
  const isClean = git(root, "status", "--porcelain") === "" && git(root, "rev-parse", "HEAD") === base;
  const refs = git(root, "for-each-ref", "--format=%(refname)");
  return isClean && refs === "refs/heads/topic" ? [] : [`${root} was touched: ${refs}`];
}
