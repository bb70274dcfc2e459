/** `relais eject`: writes a file of the package into the workspace, where it counts instead. */
import { dirname, join } from "node:path";
import type { CommandFailure, NotReady } from "../records/command-failure.ts";
import { refuseNotReady } from "../records/command-failure.ts";
import type { EjectedFile, ShippedFiles } from "../records/ejected.ts";
import { CONFIG_NAME } from "../config/config.ts";
import { DEFAULT_WORKSPACE } from "../config/workspace-path.ts";
import { findNearestName } from "../base/nearest-name.ts";
import type { Caller } from "../base/environment.ts";
import { isFile } from "../system/is-file.ts";
import { type ConfigFile, readConfigFile } from "../workspace/config-file.ts";
import { createFiles } from "../workspace/create-files.ts";
import { locateRepository } from "../workspace/locate-repository.ts";
import { type Misuse, reportMisuse } from "../workspace/misuse.ts";
import { withWorkspace } from "../workspace/with-workspace.ts";
import type { WorkspaceRequest, WritableRepository } from "../workspace/workspace.ts";
import { listWorkspaceTemplate, type TemplateFile } from "../workspace/workspace-template.ts";

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
    const made = await createFiles(repository.root, { folder: dirname(entry[0]), texts: new Map([entry]) });
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
