/**
 * `relais init`: creates a configuration and a workspace that fit the repository.
 *
 * All obstacles are checked before the first file is written. Existing files stay, so
 * it can be run again at any time, after an interruption or to add the files of a newer relais. The configuration
 * comes last: where there is one, the workspace was complete.
 */
import type {
  Detection,
  FoundAgent,
  Initialised,
  InitSurroundings,
  WorkspaceCommit,
} from "../../contract/answers/initialised.ts";
import type { MadeFile } from "../../contract/answers/made-file.ts";
import { dirname, join } from "node:path";
import { DEFAULT_WORKSPACE } from "../../contract/config/workspace-path.ts";
import type { Environment } from "../../contract/values/environment.ts";
import { MeasurementError } from "../../contract/values/measurement-error.ts";
import { describeError } from "../../contract/values/describe-error.ts";
import { foldWorkspaceState } from "../../core/history/workspace-state.ts";
import { makeInitialConfig } from "../../core/setup/project-detection.ts";
import { readErrorCode } from "../../io/files/error-code.ts";
import { isFile } from "../../io/files/is-file.ts";
import { makeFolders } from "../../io/files/make-folders.ts";
import { readHead } from "../../io/git/read-head.ts";
import { commitFiles, listPathsNotInHead } from "../../io/commit/workspace-commit.ts";
import { createFile, findObstacle } from "../../io/workspace/workspace-files.ts";
import { findMissingProgram, describeAgentProgram } from "../workspace/agent-programs.ts";
import { type Config, CONFIG_NAME, makeDefaultConfig } from "../../contract/config/config.ts";
import { explainUnusableGit } from "../workspace/locate-repository.ts";
import { findProject } from "../workspace/find-project.ts";
import { withWorkspace } from "../workspace/with-workspace.ts";
import type { WritableRepository } from "../workspace/workspace.ts";
import { listMissingCheckPrograms } from "../workspace/missing-check-programs.ts";
import { listWorkspaceTemplate } from "../shipped/workspace-template.ts";
import { findCheckedOutBranch } from "../../io/git/checked-out-branch.ts";
import { findOwnProgram } from "../../io/machine/find-program.ts";
import { findProtectedBranch } from "../workspace/series-branch.ts";

interface InitRequest {
  readonly cwd: string;
  readonly commit: boolean;
  /** Without a PATH, programs are not checked. */
  readonly environment: Environment;
  readonly signal: AbortSignal;
}

export type InitOutcome =
  | Initialised
  /** `written` are the files that stay after the failure. */
  | {
      readonly kind: "refused";
      readonly message: string;
      readonly problems: readonly string[];
      readonly written: readonly string[];
    };

const COMMIT_MESSAGE = "chore: set up relais";

const INSTEAD: Readonly<Record<string, string>> = {
  no_repository: "create one with `git init`",
  no_folder: "use --cwd with an existing folder",
  bare_repository: "use a clone of it",
};

export async function initialise(request: InitRequest): Promise<InitOutcome> {
  const outcome = await withWorkspace(request, "write", (writable) => attempt({ ...request, ...writable }));
  if (outcome.kind === "initialised" || "written" in outcome) return outcome;
  const instead = INSTEAD[outcome.cause];
  const { message } = outcome;
  return refuseInit(instead === undefined ? message : `${message.replace(/\.$/u, "")}; ${instead}.`);
}

interface SetUpRequest extends InitRequest, WritableRepository {}

async function attempt(request: SetUpRequest): Promise<InitOutcome> {
  const files: MadeFile[] = [];
  try {
    return await setUp(request, files);
  } catch (error) {
    const isOfTheWorld = error instanceof MeasurementError || readErrorCode(error) !== null;
    if (!isOfTheWorld) throw error;
    const written = files.filter(({ state }) => state === "written").map(({ path }) => path);
    return { ...refuseInit(`The workspace could not be set up: ${describeError(error)}.`), written };
  }
}

async function setUp(request: SetUpRequest, files: MadeFile[]): Promise<InitOutcome> {
  const { repository, configFile: existing, environment } = request;
  const { root } = repository;
  const unusable = await explainUnusableGit(root, environment);
  if (unusable !== null) return refuseInit(unusable.message);
  if (existing.kind === "unusable") return refuseInit(existing.message, existing.problems);
  const workspace = existing.kind === "config" ? existing.config.workspace_dir : DEFAULT_WORKSPACE;
  const template = listWorkspaceTemplate().map(({ name, text }) => ({ path: `${workspace}/${name}`, text }));
  const folders = [...new Set(template.map(({ path }) => dirname(path)))];
  const obstacle = await findFirstObstacle(root, folders);
  if (obstacle !== null) return refuseInit(describeObstacle(obstacle));
  const detection = existing.kind === "config" ? null : await findProject(repository);
  for (const folder of folders) makeFolders(join(root, folder));
  const first = detection === null ? "" : makeInitialConfig(detection);
  for (const { path, text } of [...template, { path: CONFIG_NAME, text: first }])
    files.push({ path, state: await createFile(join(root, path), text) });
  const config = existing.kind === "config" ? existing.config : makeDefaultConfig();
  await writeFirstState(join(root, workspace), { config, detection });
  const missing = await listMissingPrograms(request, { config, detection });
  const surroundings = await initSurroundings(request, config);
  return summariseInit(request, { workspace, detection, files, missing, surroundings });
}

/** STATE.json is not listed with the other files, because git ignores it. */
async function writeFirstState(
  folder: string,
  { config: { budgets }, detection }: { readonly config: Config; readonly detection: Detection | null },
): Promise<void> {
  if (detection === null) return;
  await createFile(join(folder, "STATE.json"), `${JSON.stringify(foldWorkspaceState([], budgets), null, 2)}\n`);
}

async function findFirstObstacle(root: string, folders: readonly string[]): ReturnType<typeof findObstacle> {
  for (const folder of folders) {
    const obstacle = await findObstacle(root, folder);
    if (obstacle !== null) return obstacle;
  }
  return null;
}

/** Reported now, before the first tick fails because of it. */
async function listMissingPrograms(
  { repository: { root }, environment }: SetUpRequest,
  { config, detection }: { readonly config: Config; readonly detection: Detection | null },
): Promise<readonly string[]> {
  const path = environment["PATH"];
  const builder = await findMissingProgram("builder", { config, root, path });
  const orchestrator = await findMissingProgram("orchestrator", { config, root, path });
  const checks = detection?.templates ?? config.verification.templates;
  const ofChecks = path === undefined ? [] : await listMissingCheckPrograms(checks, { path, cwd: root });
  const sentences = ofChecks.map(
    ({ program, users }) =>
      `The program ${program} of the ${users.length === 1 ? "check" : "checks"} ${users.join(", ")} was not found.`,
  );
  return [builder, orchestrator, ...sentences].filter((sentence) => sentence !== null);
}

async function summariseInit(
  { repository, commit, signal }: SetUpRequest,
  made: Pick<Initialised, "workspace" | "detection" | "files" | "missing" | "surroundings">,
): Promise<Initialised> {
  const { root } = repository;
  const own = made.files.map(({ path }) => path).filter((path) => isFile(join(root, path)));
  const open = await listPathsNotInHead({ repository, paths: own, signal });
  const committed = await commitOpen({ repository, commit, signal }, open);
  return {
    kind: "initialised",
    root,
    ...made,
    commit: committed,
    uncommitted: committed?.kind === "committed" ? [] : open,
    hasCommit: (await readHead(repository, signal)).commit !== null,
  };
}

function describeObstacle({ path, kind }: { readonly path: string; readonly kind: string }): string {
  const what = kind === "link" ? "a symbolic link" : "not a folder";
  return `${path} is ${what}; move it away, or set workspace_dir in ${CONFIG_NAME} to another folder.`;
}

/** Includes the files of an earlier call, so that `--commit` works afterwards. */
async function commitOpen(
  { repository, commit, signal }: Pick<SetUpRequest, "repository" | "commit" | "signal">,
  paths: readonly string[],
): Promise<WorkspaceCommit | null> {
  if (!commit || paths.length === 0) return null;
  return commitFiles({ repository, paths, message: COMMIT_MESSAGE, signal });
}

function refuseInit(message: string, problems: readonly string[] = []) {
  return { kind: "refused", message, problems, written: [] } as const;
}

/** The programs that relais can use without configuration. */
const KNOWN_AGENTS = ["claude", "codex"];

/** No agent is started: `relais doctor` does that. */
async function initSurroundings({ repository, environment }: SetUpRequest, config: Config): Promise<InitSurroundings> {
  const path = environment["PATH"];
  const builder = describeAgentProgram("builder", config).program;
  const planner = describeAgentProgram("orchestrator", config).program;
  const names = [builder, planner, ...KNOWN_AGENTS].filter((name) => name !== null);
  const agents: FoundAgent[] = [];
  if (path !== undefined)
    for (const program of new Set(names))
      agents.push({ program, file: await findOwnProgram(program, { path, cwd: repository.root }) });
  const isThere = (program: string | null) =>
    program === null || agents.some((agent) => agent.program === program && agent.file !== null);
  return {
    branch: await findCheckedOutBranch(repository),
    isProtected: (await findProtectedBranch(repository, config)) !== null,
    agents,
    canBuild: isThere(builder),
    canPlan: isThere(planner),
  };
}
