import { type GitRequest, runGit, accessRepository } from "../git/git.ts";
import type { Repository } from "../git/repository-layout.ts";
import type { Detection } from "../records/setup-answers.ts";
import { join } from "node:path";
import { isProjectFile, PYTHON_TEST_FILE, PYTHON_TEST_FILES_MAX } from "../checks/pure/check-sources.ts";
import { decodePath } from "../base/path-names.ts";
import { detectProject, makeInitialConfig } from "../checks/pure/project-detection.ts";
import { readBounded } from "../system/bounded-file.ts";
import { readIndex } from "../store/read-index.ts";
import type { Choices } from "../config/choices.ts";
import { type Config, CONFIG_NAME } from "../config/config.ts";
import { type NotReady, refuseNotReady } from "../records/command-failure.ts";
import type { Caller } from "../base/environment.ts";
import { InvariantError, MeasurementError } from "../base/errors.ts";
import { applyChoices, fillGaps, hasGaps, lowerMoneyCaps } from "../checks/pure/apply-choices.ts";
import { type ConfigFile, type ConfigText, parseConfigText, readConfigFile } from "./config-file.ts";
import { isTypedByPerson, readShare } from "./own-environment.ts";
import { locateRepository } from "./locate-repository.ts";
import type { Project, WritableRepository } from "./workspace.ts";

type OwnPart = Omit<GitRequest, "cwd" | "environment" | "gitDir" | "workTree">;

/** The paths that a git command with `-z` prints. */
export async function listGitPaths(repository: Repository, request: OwnPart): Promise<readonly string[]> {
  const { root, environment, gitDir } = repository;
  const { stdout } = await runGit({ ...request, cwd: root, environment, gitDir, workTree: root });
  return stdout
    .toString("utf8")
    .split("\0")
    .filter((path) => path !== "");
}

const TEST_FILE = /^tests?\/[^/]+$/;
const PROJECT_FILE_BYTES_MAX = 1024 * 1024;
/** Paths of about a million files. */
const PATHS_BYTES_MAX = 128 * 1024 * 1024;

/** Files that git does not track are left out: a builder may have made them. */
export async function findProject(repository: Repository): Promise<Detection> {
  const tracked = await listTrackedPaths(repository);
  const files = new Set(tracked.filter((path) => !path.includes("/")));
  const folders = new Set(tracked.flatMap((path) => (path.includes("/") ? [path.slice(0, path.indexOf("/"))] : [])));
  const testFiles = new Set(tracked.filter((path) => TEST_FILE.test(path)));
  const texts = new Map<string, string>();
  const python = [...testFiles].filter((path) => PYTHON_TEST_FILE.test(path)).slice(0, PYTHON_TEST_FILES_MAX);
  for (const name of [...[...files].filter(isProjectFile), ...python]) {
    const read = await readBounded(join(repository.root, name), PROJECT_FILE_BYTES_MAX);
    if (read.kind === "read") texts.set(name, read.data.toString("utf8"));
  }
  return detectProject({ files, folders, testFiles, texts, tracked });
}

/** Before the first commit, files are often not staged yet. */
async function listTrackedPaths(repository: Repository): Promise<readonly string[]> {
  const tracked = await readIndex(accessRepository(repository));
  if (tracked.length > 0) return tracked.map(({ path }) => decodePath(path).text);
  const args = ["ls-files", "-z", "--others", "--exclude-standard"];
  return listGitPaths(repository, { args, outputBytesMax: PATHS_BYTES_MAX });
}

/**
 * The configuration of a repository: its file, or what relais finds, and then the choices of the command
 * line.
 */

/** How a command makes its configuration. */
export interface ChosenConfig {
  readonly choices: Choices;
  /** What relais found before: a series when it began, a command when it chose; null looks now. A file counts in any case. */
  readonly foundText: string | null;
  /** Whether checks and scope that the file leaves out are looked for; absent is no. */
  readonly fillsGaps?: true;
}

export interface ProjectCaller extends Caller {
  readonly chosen?: ChosenConfig;
}

const NO_CHOICES: ChosenConfig = { choices: {}, foundText: null };

export async function readProject(
  caller: ProjectCaller,
  { needsGit }: { readonly needsGit: boolean } = { needsGit: false },
): Promise<Project | NotReady> {
  const repository = await locateRepository(caller, { needsGit });
  if (repository.kind === "blocked") return repository;
  return openProject({ repository, configFile: await readConfigFile(repository.root) }, caller.chosen);
}

/** A missing file is no mistake; an invalid one is. */
export async function openProject(
  { repository, configFile }: Pick<WritableRepository, "repository" | "configFile">,
  { choices, foundText, fillsGaps }: ChosenConfig = NO_CHOICES,
): Promise<Project | NotReady> {
  const isFound = configFile.kind === "missing";
  const isSearched = isFound || (fillsGaps === true && configFile.kind === "config" && hasGaps(configFile.text));
  const found = isSearched ? (foundText ?? (await findConfigText(repository))) : null;
  const base = completeConfig(configFile, found);
  if (base.kind === "unusable") return refuseUnusableConfig(base);
  const asked = isTypedByPerson(repository.environment) ? choices : keepRequired(choices, base.config);
  const chosen = applyShare(parseAgain(base, applyChoices(base, asked)), readShare(repository.environment));
  if (chosen.kind === "unusable") return refuseUnusableConfig(chosen);
  const { config, text: configText } = chosen;
  const texts = { configText, baseText: base.text, foundText: found, fileText: readFileText(configFile) };
  return { kind: "ready", repository, config, ...texts, isFound };
}

/** An agent and a job can add checks to those that are required, and leave out none. */
function keepRequired(choices: Choices, { verification: { required = [] } }: Config): Choices {
  return choices.checks === undefined
    ? choices
    : { ...choices, checks: [...new Set([...choices.checks, ...required])] };
}

function applyShare(config: ConfigText, share: number | null): ConfigText {
  if (config.kind === "unusable" || share === null) return config;
  return parseAgain(config, lowerMoneyCaps(config, share));
}

function parseAgain(before: Extract<ConfigText, { kind: "config" }>, text: string): ConfigText {
  return text === before.text ? before : parseConfigText(Buffer.from(text));
}

function readFileText(file: ConfigFile): string | null {
  return file.kind === "config" ? file.text : null;
}

/** The file with the found text in its gaps, or the found text alone. */
function completeConfig(file: ConfigFile, found: string | null): ConfigText {
  if (file.kind === "missing") return parseFound(found ?? "{}");
  if (file.kind === "unusable" || found === null) return file;
  const text = fillGaps(file.text, found);
  return text === file.text ? file : parseConfigText(Buffer.from(text));
}

function parseFound(text: string): Extract<ConfigText, { kind: "config" }> {
  const parsed = parseConfigText(Buffer.from(text));
  if (parsed.kind === "config") return parsed;
  throw new InvariantError(`the found configuration is not valid: ${parsed.problems.join(" ")}`);
}

/** The text that `init` would write; the defaults where git cannot be asked. */
async function findConfigText(repository: Repository): Promise<string> {
  try {
    return makeInitialConfig(await findProject(repository));
  } catch (error) {
    if (error instanceof MeasurementError) return "{}";
    throw error;
  }
}

export function refuseUnusableConfig(file: Extract<ConfigFile, { kind: "unusable" }>): NotReady {
  const { cause, message, problems } = file;
  return {
    ...refuseNotReady(cause, message, `Fix ${CONFIG_NAME}, then run \`relais doctor\`.`),
    problems,
  };
}
