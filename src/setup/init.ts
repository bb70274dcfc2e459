/**
 * `relais init`: writes a configuration that fits the repository, and with `--full` the whole workspace.
 *
 * All obstacles are checked before the first file is written. Existing files stay, so
 * it can be run again at any time, after an interruption or to add the files of a newer relais. The configuration
 * comes last: where there is one, everything else was complete.
 */
import type { Initialised, MadeFile, WorkspaceCommit } from "../records/setup-answers.ts";
import { dirname, join } from "node:path";
import { DEFAULT_WORKSPACE } from "../config/workspace-path.ts";
import type { Environment } from "../base/environment.ts";
import { describeError, MeasurementError } from "../base/errors.ts";
import { foldWorkspaceState } from "../journal/pure/workspace-state.ts";
import { type KnownDriver, makeInitialConfig } from "../checks/pure/project-detection.ts";
import { readErrorCode } from "../system/read-files.ts";
import { makeFolders } from "../system/folders.ts";
import { readHead } from "../git/head.ts";
import { commitFiles } from "../store/workspace-commit.ts";
import { createFile, findObstacle } from "../journal/workspace-files.ts";
import { type Config, CONFIG_NAME, makeDefaultConfig } from "../config/config.ts";
import { parseConfigText } from "../workspace/config-file.ts";
import { createFiles } from "../workspace/create-files.ts";
import { explainUnusableGit } from "../workspace/usable-git.ts";
import { findProject } from "../workspace/read-project.ts";
import { withWorkspace } from "../workspace/with-workspace.ts";
import type { WritableRepository } from "../workspace/workspace.ts";
import { listWorkspaceTemplate } from "../workspace/workspace-template.ts";
import {
  findInitFacts,
  listFoundDrivers,
  listMissingPrograms,
  listUncommittedFiles,
  placeEditorSchema,
} from "./eject.ts";
import { findLoginTrouble } from "../tick/check-agents.ts";

interface InitRequest {
  readonly cwd: string;
  readonly commit: boolean;
  /** Whether the whole workspace is written, for people who change its prompts. */
  readonly full: boolean;
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
  const { repository, configFile, environment, full } = request;
  const unusable = await explainUnusableGit(repository.root, environment);
  if (unusable !== null) return refuseInit(unusable.message);
  if (configFile.kind === "unusable") return refuseInit(configFile.message, configFile.problems);
  const existing = configFile.kind === "config" ? configFile.config : null;
  const workspace = existing?.workspace_dir ?? DEFAULT_WORKSPACE;
  const folders = full ? listTemplateFolders(workspace) : [workspace];
  const obstacle = await findFirstObstacle(repository.root, folders);
  return obstacle === null
    ? writeFiles(request, { existing, workspace, folders, files })
    : refuseInit(describeObstacle(obstacle));
}

interface FreePlace extends Template {
  readonly existing: Config | null;
}

async function writeFiles(request: SetUpRequest, place: FreePlace): Promise<InitOutcome> {
  const { repository, full } = request;
  const { existing, workspace, folders, files } = place;
  const detection = existing === null ? await findProject(repository) : null;
  if (full) await writeTemplate(repository.root, { workspace, folders, files });
  const text = await makeText(request, { existing, workspace, detection });
  files.push({ path: CONFIG_NAME, state: await createFile(join(repository.root, CONFIG_NAME), text) });
  const config = existing ?? parseOwnText(text);
  if (full && detection !== null) await writeFirstState(join(repository.root, workspace), config);
  const missing = await listMissingPrograms(request, config);
  const surroundings = await findInitFacts(request, config);
  return summariseInit({ ...request, config }, { workspace, detection, files, missing, surroundings });
}

interface Found extends Pick<Initialised, "workspace" | "detection"> {
  readonly existing: Config | null;
}

/** The text of the configuration, for which its schema is put into place; empty where there is one already. */
async function makeText(request: SetUpRequest, { existing, workspace, detection }: Found): Promise<string> {
  const { repository, full } = request;
  const schema = await placeEditorSchema(repository.root, workspace, full, existing);
  return detection === null ? "" : makeInitialConfig(detection, { agent: await findAgent(request), schema });
}

/** With several agents, the first one that is logged in. */
async function findAgent({ repository }: SetUpRequest): Promise<KnownDriver | null> {
  const drivers = await listFoundDrivers(repository);
  if (drivers.length > 1)
    for (const driver of drivers) {
      const config = makeDefaultConfig();
      const roles = { ...config.roles, builder: { ...config.roles.builder, driver } };
      const trouble = await findLoginTrouble({ role: "builder", config: { ...config, roles } }, { repository });
      if (trouble === null) return driver;
    }
  return drivers[0] ?? null;
}

function listTemplateFolders(workspace: string): readonly string[] {
  return [...new Set(listWorkspaceTemplate().map(({ name }) => dirname(`${workspace}/${name}`)))];
}

interface Template {
  readonly workspace: string;
  readonly folders: readonly string[];
  readonly files: MadeFile[];
}

async function writeTemplate(root: string, { workspace, folders, files }: Template): Promise<void> {
  for (const folder of folders) makeFolders(join(root, folder));
  for (const { name, text } of listWorkspaceTemplate()) {
    const path = `${workspace}/${name}`;
    const made = await createFiles(root, dirname(path), new Map([[path, text]]));
    if ("kind" in made) throw new MeasurementError(path, made.message);
    files.push(...made);
  }
}

function parseOwnText(text: string): Config {
  const parsed = parseConfigText(Buffer.from(text));
  return parsed.kind === "config" ? parsed.config : makeDefaultConfig();
}

/** STATE.json is not listed with the other files, because git ignores it. */
async function writeFirstState(folder: string, { budgets }: Config): Promise<void> {
  await createFile(join(folder, "STATE.json"), `${JSON.stringify(foldWorkspaceState([], budgets), null, 2)}\n`);
}

async function findFirstObstacle(root: string, folders: readonly string[]): ReturnType<typeof findObstacle> {
  for (const folder of folders) {
    const obstacle = await findObstacle(root, folder);
    if (obstacle !== null) return obstacle;
  }
  return null;
}

async function summariseInit(
  { repository, commit, signal, config }: SetUpRequest & { readonly config: Config },
  made: Pick<Initialised, "workspace" | "detection" | "files" | "missing" | "surroundings">,
): Promise<Initialised> {
  const open = await listUncommittedFiles({ repository, config, signal });
  const committed = await commitOpen({ repository, commit, signal }, open);
  return {
    kind: "initialised",
    root: repository.root,
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
