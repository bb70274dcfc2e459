/**
 * Where the demonstration takes place: a folder of its own with a sample repository, the tasks, and the state of relais.
 *
 * Home and state of every process lie in that folder, so nothing of the person's own is read or written. Relais is
 * always started as the executable that it is, the way a person would start it.
 */
import { join } from "node:path";
import { MeasurementError } from "../contract/measurement-error.ts";
import { IGNORED_SAMPLES } from "../core/workspace-layout.ts";
import { childEnvironment } from "../io/environment.ts";
import { type Fingerprint, takeFingerprint } from "../io/fingerprint.ts";
import { type FreshFolder, openFreshFolder } from "../io/fresh-folder.ts";
import { runGit } from "../io/git.ts";
import { supervise } from "../io/supervise.ts";
import { CHECK_ID, type Scene, sceneTask, TILL, TILL_TEXT } from "./demo-scenes.ts";

export interface StageRequest {
  /** An empty or absent folder as an absolute path; null for a new one among the temporary files. */
  readonly into: string | null;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** How to start relais: node and the executable. */
  readonly relais: readonly [node: string, executable: string];
  readonly signal: AbortSignal;
}

export interface Ran {
  /** Null where a signal ended it. */
  readonly status: number | null;
  readonly signal: string | null;
  readonly stdout: string;
}

/** The repository as somebody finds it who trusts nobody. */
export interface Look {
  readonly head: string;
  /** What `git status` lists, one entry for each path. */
  readonly status: readonly string[];
  readonly fingerprint: Fingerprint;
}

export interface Stage {
  readonly kind: "ready";
  readonly folder: string;
  readonly root: string;
  /** A program that starts relais with the state of this stage. */
  readonly wrapper: string;
  /** The file of a scene's task, by the number of the scene. */
  readonly taskFile: (at: number) => string;
  readonly relais: (...args: string[]) => Promise<Ran>;
  readonly look: () => Promise<Look>;
  readonly changedBetween: (from: string, to: string) => Promise<readonly string[]>;
}

const REPOSITORY = "shop";
const OUTPUT_BYTES_MAX = 8 * 1024 * 1024;
const DEADLINE_MS = 120_000;

const CHECK = `import { strictEqual } from "node:assert";
import { total } from "../src/till.mjs";

strictEqual(total([{ price: 2, count: 3 }]), 6);
strictEqual(total([{ price: 50, count: 1 }, { price: 1, count: 20 }]), 70);
`;

const README = "# A small shop\n\nThe till is in src, the check in check.\n";

/** Builds the stage: the sample with its first commit, the tasks, and the workspace that `relais init` makes. */
export async function buildStage(
  request: StageRequest,
  scenes: readonly Scene[],
): Promise<Stage | Extract<FreshFolder, { kind: "refused" }>> {
  const folder = await openFreshFolder(request.into, "relais-demo-");
  if (folder.kind === "refused") return folder;
  await folder.write(filesOf(request, { folder: folder.path, scenes }));
  const stage = stageIn(folder.path, request);
  await makeRepository(stage.root);
  const { status, stdout } = await stage.relais("init", "--commit", "--json");
  if (status !== 0) throw new MeasurementError("relais init", `ended with status ${status}: ${stdout}`);
  return stage;
}

function filesOf(
  { relais: [node, executable] }: StageRequest,
  { folder, scenes }: { readonly folder: string; readonly scenes: readonly Scene[] },
) {
  const config = {
    builder: { default_mode: "scripted" },
    scope: { default_allowed_globs: ["src/**"] },
    verification: { templates: [{ id: CHECK_ID, cmd: node, args: ["check/till.mjs"] }] },
  };
  const tasks = scenes.map((scene, index) => [taskName(index + 1), json(sceneTask(scene, index + 1))]);
  const command = [node, executable].map(shellWord).join(" ");
  return {
    [`${REPOSITORY}/README.md`]: { text: README },
    [`${REPOSITORY}/${TILL}`]: { text: TILL_TEXT },
    [`${REPOSITORY}/check/till.mjs`]: { text: CHECK },
    [`${REPOSITORY}/relais.config.json`]: json(config),
    ...Object.fromEntries(tasks),
    relais: {
      text: `#!/bin/sh\n# relais with the state of this demonstration.\nXDG_STATE_HOME=${shellWord(join(folder, "state"))} exec ${command} "$@"\n`,
      isProgram: true,
    },
  };
}

const json = (value: unknown) => ({ text: `${JSON.stringify(value, null, 2)}\n` });
const taskName = (at: number) => `tasks/${at}.json`;
const shellWord = (text: string) => `'${text.replaceAll("'", String.raw`'\''`)}'`;

function stageIn(folder: string, { environment, relais: [node, executable], signal }: StageRequest): Stage {
  const root = join(folder, REPOSITORY);
  const home = join(folder, "home");
  const env = childEnvironment({
    inherit: environment,
    names: [],
    set: { HOME: home, XDG_CONFIG_HOME: join(home, ".config"), XDG_STATE_HOME: join(folder, "state") },
  });
  return {
    kind: "ready",
    folder,
    root,
    wrapper: join(folder, "relais"),
    taskFile: (at) => join(folder, taskName(at)),
    look: () => look(root, signal),
    changedBetween: async (from, to) =>
      list(await git(root, ["diff", "--name-only", "--no-renames", "-z", from, to, "--"], signal)),
    relais: async (...args) => {
      const end = await supervise({
        program: node,
        args: [executable, ...args],
        cwd: root,
        env,
        input: null,
        log: null,
        stdoutBytesMax: OUTPUT_BYTES_MAX,
        stderrBytesMax: 0,
        deadlineMs: DEADLINE_MS,
        signal,
      });
      const stdout = end.stdout.toString("utf8");
      if (end.kind === "exited") return { status: end.status, signal: null, stdout };
      if (end.kind === "signalled") return { status: null, signal: end.signal, stdout };
      throw new MeasurementError(`relais ${args[0] ?? ""}`, `did not come to its end: ${end.kind}`);
    },
  };
}

async function makeRepository(root: string): Promise<void> {
  // Not a protected branch: there a commit would get a branch of its own, which is another story.
  await git(root, ["init", "--quiet", "--initial-branch=work"]);
  await git(root, ["config", "user.name", "Demo"]);
  await git(root, ["config", "user.email", "demo@example.invalid"]);
  await git(root, ["add", "--all"]);
  await git(root, ["commit", "--quiet", "--message", "feat: a small shop"]);
}

async function look(root: string, signal: AbortSignal): Promise<Look> {
  const status = await git(root, ["status", "--porcelain", "--untracked-files=all", "-z"], signal);
  return {
    head: (await git(root, ["rev-parse", "HEAD"], signal)).trim(),
    status: list(status),
    fingerprint: await takeFingerprint(root, isPublished),
  };
}

const PUBLISHED = new Set(IGNORED_SAMPLES.map((path) => path.split("/")[0] ?? path));

/** What relais itself writes into the workspace at the end of each tick. */
function isPublished(path: string): boolean {
  const [folder, name] = path.split("/");
  return folder === "relais" && name !== undefined && PUBLISHED.has(name);
}

function list(text: string): readonly string[] {
  return text.split("\0").filter((entry) => entry !== "");
}

async function git(root: string, args: readonly string[], signal?: AbortSignal): Promise<string> {
  const { stdout } = await runGit({
    args,
    cwd: root,
    gitDir: join(root, ".git"),
    workTree: root,
    outputBytesMax: OUTPUT_BYTES_MAX,
    signal,
  });
  return stdout.toString("utf8");
}
