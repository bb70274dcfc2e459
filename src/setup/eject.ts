import { dirname, join } from "node:path";
import { type CommandFailure, type NotReady, refuseNotReady } from "../records/command-failure.ts";
import type { EjectedFile, ShippedFiles, FoundAgent, InitFacts } from "../records/setup-answers.ts";
import { CONFIG_NAME, type Config } from "../config/config.ts";
import { DEFAULT_WORKSPACE } from "../config/workspace-path.ts";
import { findNearestName } from "../base/nearest-name.ts";
import type { Caller, Environment } from "../base/environment.ts";
import { isFile, isFolder } from "../system/read-files.ts";
import { type ConfigFile, readConfigFile } from "../workspace/config-file.ts";
import { createFiles } from "../workspace/create-files.ts";
import { locateRepository } from "../workspace/locate-repository.ts";
import { type Misuse, reportMisuse } from "../workspace/misuse.ts";
import { withWorkspace } from "../workspace/with-workspace.ts";
import type { WorkspaceRequest, WritableRepository } from "../workspace/workspace.ts";
import { listWorkspaceTemplate, type TemplateFile } from "../workspace/workspace-template.ts";
import { MeasurementError } from "../base/errors.ts";
import { isOwnFile, SELF_IGNORE } from "../config/workspace-layout.ts";
import { readBounded } from "../system/bounded-file.ts";
import { readFilterSettings } from "../git/filter-settings.ts";
import { listDirtyPaths } from "../git/git-status.ts";
import type { Repository } from "../git/repository-layout.ts";
import { listPathsNotInHead } from "../store/workspace-commit.ts";
import { writeAtomic } from "../system/atomic-file.ts";
import { makeFolders } from "../system/folders.ts";
import { createFile, findObstacle } from "../journal/workspace-files.ts";
import { readShippedSchema } from "../workspace/shipped-files.ts";
import { KNOWN_AGENTS, type KnownDriver } from "../checks/pure/project-detection.ts";
import { findCheckedOutBranch } from "../git/checked-out-branch.ts";
import { findOwnProgram } from "../system/find-program.ts";
import { describeAgentProgram, findMissingProgram } from "../workspace/agent-programs.ts";
import { listMissingCheckPrograms } from "../workspace/missing-check-programs.ts";
import { findProtectedBranch } from "../workspace/series-branch.ts";

/** `relais eject`: writes a file of the package into the workspace, where it counts instead. */

const IGNORE = ".gitignore";

/** All names, in the order of the workspace. */
export async function listShippedFiles(caller: Caller): Promise<ShippedFiles | NotReady> {
  const repository = await locateRepository(caller, { needsGit: false });
  if (repository.kind === "blocked") return repository;
  const workspace = findWorkspace(await readConfigFile(repository.root));
  if (typeof workspace !== "string") return workspace;
  const files = listWorkspaceTemplate().map(({ name }) => {
    const path = `${workspace}/${name}`;
    return { name, path, isEjected: isFile(join(repository.root, path)) };
  });
  return { kind: "listed", files };
}

interface EjectRequest extends WorkspaceRequest {
  readonly name: string;
}

export async function ejectFile(request: EjectRequest): Promise<EjectedFile | CommandFailure | Misuse> {
  const file = findTemplate(request.name);
  if ("kind" in file) return file;
  return withWorkspace(request, "write", (writable) => writeShipped(writable, file));
}

/** The file name alone is enough where no other file has it; so is the path in the default workspace. */
function findTemplate(asked: string): TemplateFile | Misuse {
  const name = asked.trim().replace(new RegExp(`^(?:\\./)?(?:${DEFAULT_WORKSPACE}/)?`, "u"), "");
  const all = listWorkspaceTemplate();
  const found = all.find((file) => file.name === name) ?? all.find((file) => file.name.endsWith(`s/${name}`));
  if (found !== undefined) return found;
  const known = all.flatMap((file) => [file.name, file.name.slice(file.name.lastIndexOf("/") + 1)]);
  const nearest = findNearestName(name, known);
  return reportMisuse(`there is no file "${asked}" to eject${nearest === null ? "" : `; did you mean ${nearest}?`}`);
}

/** The ignore file comes along: one that hides the whole folder would hide this file from git, too. */
async function writeShipped(
  { repository, configFile }: WritableRepository,
  { name, text }: TemplateFile,
): Promise<EjectedFile | NotReady> {
  const workspace = findWorkspace(configFile);
  if (typeof workspace !== "string") return workspace;
  const path = `${workspace}/${name}`;
  const ignore = listWorkspaceTemplate().find((file) => file.name === IGNORE)?.text ?? "";
  const texts = [[`${workspace}/${IGNORE}`, ignore] as const, ...(name === IGNORE ? [] : [[path, text] as const])];
  const files = [];
  for (const entry of texts) {
    const made = await createFiles(repository.root, dirname(entry[0]), new Map([entry]));
    if ("kind" in made) return made;
    files.push(...made);
  }
  return { kind: "ejected", path, files: files.filter((file) => file.path === path || file.state === "written") };
}

function findWorkspace(file: ConfigFile): string | NotReady {
  if (file.kind === "missing") return DEFAULT_WORKSPACE;
  if (file.kind === "config") return file.config.workspace_dir;
  return { ...refuseNotReady(file.cause, file.message, `Fix ${CONFIG_NAME}.`), problems: file.problems };
}

/** The files of relais in a repository that belong into git. */

/** Whether the workspace ignores itself, as the first tick makes it. */
export async function isSelfIgnored(root: string, workspace: string): Promise<boolean> {
  const read = await readBounded(join(root, workspace, ".gitignore"), SELF_IGNORE.length);
  return read.kind === "read" && read.data.toString("utf8") === SELF_IGNORE;
}

interface OwnFilesRequest {
  readonly repository: Repository;
  readonly config: Config;
  readonly signal: AbortSignal;
}

/** The configuration and the files of the workspace that are new, or that a person changed. */
export async function listUncommittedFiles(request: OwnFilesRequest): Promise<readonly string[]> {
  const { repository, config, signal } = request;
  const { root } = repository;
  const dirty = (await listChangedPaths(request)).filter((path) => isOwnFile(path, config));
  // A rule of the repository may ignore some of them, so that git does not list them.
  const expected = [...(await listTemplatePaths(root, config)), CONFIG_NAME].filter((path) => isFile(join(root, path)));
  const fresh = await listPathsNotInHead({ repository, paths: expected, signal });
  return [...new Set([...fresh, ...dirty])].filter((path) => isFile(join(root, path)));
}

async function listTemplatePaths(root: string, { workspace_dir }: Config): Promise<readonly string[]> {
  if (await isSelfIgnored(root, workspace_dir)) return [];
  return listWorkspaceTemplate().map(({ name }) => `${workspace_dir}/${name}`);
}

/** None where git cannot compare, as with a filter whose program is missing: `init` has to work before it is fixed. */
async function listChangedPaths({ repository, signal }: OwnFilesRequest): Promise<readonly string[]> {
  try {
    const settings = await readFilterSettings(repository, signal);
    return await listDirtyPaths({ repository, settings, signal });
  } catch (error) {
    if (error instanceof MeasurementError && !signal.aborted) return [];
    throw error;
  }
}

/**
 * Where an editor finds the schema of the configuration.
 *
 * Of a relais in the project's own packages it is the schema of that version, in every clone. Otherwise it is a copy in
 * the workspace: an absolute path would name one machine, and an address would need a network. Where git ignores the
 * workspace, the copy is relais' own and follows its version; `relais init` makes it again in another clone.
 */

const NAME = "schemas/config.schema.json";
const INSTALLED = `node_modules/relais/${NAME}`;

/** The value of `$schema`; null where the workspace folder belongs to somebody else. */
export async function placeEditorSchema(
  root: string,
  workspace: string,
  isFull: boolean /** Null where it is not written yet. */,
  existing: Pick<Config, "$schema"> | null,
): Promise<string | null> {
  const path = `${workspace}/${NAME}`;
  if (isFull) return `./${path}`;
  // A copy that nothing names would be of no use.
  if (existing !== null && existing.$schema !== `./${path}`) return null;
  if (isFile(join(root, INSTALLED))) return `./${INSTALLED}`;
  await keepCopy(root, workspace);
  return isFile(join(root, path)) ? `./${path}` : null;
}

async function keepCopy(root: string, workspace: string): Promise<void> {
  const isOwn = !isFolder(join(root, workspace)) || (await isSelfIgnored(root, workspace));
  const path = `${workspace}/${NAME}`;
  if (!isOwn || (await findObstacle(root, dirname(path))) !== null) return;
  makeFolders(join(root, dirname(path)));
  await createFile(join(root, workspace, ".gitignore"), SELF_IGNORE);
  await writeAtomic(join(root, path), `${JSON.stringify(readShippedSchema("config"), null, 2)}\n`);
}

interface Place {
  readonly repository: Repository;
  readonly environment: Environment;
}

/** The drivers of the known agents that this machine has. */
export async function listFoundDrivers({ environment, root }: Repository): Promise<readonly KnownDriver[]> {
  const path = environment["PATH"] ?? "";
  const drivers: KnownDriver[] = [];
  for (const { program, driver } of KNOWN_AGENTS)
    if ((await findOwnProgram(program, { path, cwd: root })) !== null) drivers.push(driver);
  return drivers;
}

/** Reported now, before the first tick fails because of it. */
export async function listMissingPrograms(
  { repository: { root }, environment }: Place,
  config: Config,
): Promise<readonly string[]> {
  const path = environment["PATH"];
  const builder = await findMissingProgram("builder", { config, root, path });
  const orchestrator = await findMissingProgram("orchestrator", { config, root, path });
  const { templates } = config.verification;
  const ofChecks = path === undefined ? [] : await listMissingCheckPrograms(templates, { path, cwd: root });
  const sentences = ofChecks.map(
    ({ program, users }) =>
      `The program ${program} was not found; the ${users.length === 1 ? "check" : "checks"} ${users.join(", ")} ${users.length === 1 ? "needs" : "need"} it.`,
  );
  return [builder, orchestrator, ...sentences].filter((sentence) => sentence !== null);
}

/** No agent is started: `relais doctor` does that. */
export async function findInitFacts(place: Place, config: Config): Promise<InitFacts> {
  const { repository, environment } = place;
  const path = environment["PATH"];
  const { mode, program: builder } = describeAgentProgram("builder", config);
  const planner = describeAgentProgram("orchestrator", config).program;
  const names = [builder, planner, ...KNOWN_AGENTS.map(({ program }) => program)].filter((name) => name !== null);
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
    builder: mode,
    canBuild: isThere(builder),
    canPlan: isThere(planner),
  };
}
