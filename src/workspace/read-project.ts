/**
 * The configuration of a repository: its file, or what relais finds, and then the choices of the command
 * line.
 */
import type { Choices } from "../config/choices.ts";
import { CONFIG_NAME } from "../config/config.ts";
import { type NotReady, refuseNotReady } from "../records/command-failure.ts";
import type { Caller } from "../base/environment.ts";
import { InvariantError } from "../base/invariant.ts";
import { MeasurementError } from "../base/measurement-error.ts";
import { applyChoices, fillGaps, hasGaps, lowerMoneyCaps } from "../checks/pure/apply-choices.ts";
import { makeInitialConfig } from "../checks/pure/project-detection.ts";
import type { Repository } from "../git/repository-layout.ts";
import { type ConfigFile, type ConfigText, parseConfigText, readConfigFile } from "./config-file.ts";
import { findProject } from "./find-project.ts";
import { readShare } from "./own-environment.ts";
import { locateRepository } from "./locate-repository.ts";
import type { Project, WritableRepository } from "./workspace.ts";

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
  const chosen = applyShare(parseAgain(base, applyChoices(base, choices)), readShare(repository.environment));
  if (chosen.kind === "unusable") return refuseUnusableConfig(chosen);
  const { config, text: configText } = chosen;
  const texts = { configText, baseText: base.text, foundText: found, fileText: readFileText(configFile) };
  return { kind: "ready", repository, config, ...texts, isFound };
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
