/**
 * `relais doctor`: checks everything that a tick needs.
 *
 * A check that fails itself is a line, too. Nothing is started but git, and an agent's program that
 * is asked for its version and its login. Only the server of a shared queue is asked over the network. Nothing is written but the empty state directory, since whether it can be made
 * is the question.
 */
import { CODES } from "../base/codes.ts";
import { MeasurementError } from "../base/measurement-error.ts";
import { describeError } from "../base/describe-error.ts";
import { type DoctorCheck, fail } from "../checks/pure/doctor-check.ts";
import { readErrorCode } from "../system/error-code.ts";
import type { Repository } from "../git/repository-layout.ts";
import { locateRepository } from "../workspace/locate-repository.ts";
import { type ConfigFile, readConfigFile } from "../workspace/config-file.ts";
import { openProject } from "../workspace/read-project.ts";
import { chooseConfig } from "../tick/choose-config.ts";
import { checkDoctorPrograms } from "./doctor-agents.ts";
import { checkGit, checkNode, checkSandbox, checkSigningKey, checkTmux } from "./doctor-machine.ts";
import { checkConfig, checkHead, checkIdentity, checkWorkspace } from "./doctor-repository.ts";
import { checkIsolationMode } from "./doctor-isolation.ts";
import { checkPreflight, type UsedConfig } from "./doctor-preflight.ts";
import { checkQueue } from "./doctor-queue.ts";
import { checkState } from "./doctor-state.ts";
import type { Caller } from "../base/environment.ts";

interface DoctorRequest extends Caller {
  readonly nodeVersion: string;
}

/** In the order in which problems must be fixed. */
export async function examine(request: DoctorRequest): Promise<readonly DoctorCheck[]> {
  // In a folder that always exists: a missing one would look like a missing git.
  const git = await checkGit("/", request.environment);
  const machine = [git, checkNode(request.nodeVersion)];
  // All other checks need git.
  if (git.status === "fail") return machine;
  const repository = await runPart("repository", () => checkRepository(request));
  return [...machine, ...repository, ...(await checkQueue(request.environment))];
}

async function checkRepository(request: DoctorRequest): Promise<readonly DoctorCheck[]> {
  const repository = await locateRepository(request, { needsGit: false });
  if (repository.kind !== "blocked") return checkInRepository(repository, request);
  const { message, remedy } = repository;
  return [fail("repository", { message, fix: remedy ?? CODES[repository.code].remedy })];
}

async function checkInRepository(repository: Repository, request: DoctorRequest): Promise<readonly DoctorCheck[]> {
  const { environment } = request;
  const file = await readConfigFile(repository.root);
  const used = await findUsedConfig(repository, file);
  const config = used?.config ?? null;
  const path = environment["PATH"] ?? "";
  const places = { path, cwd: repository.root, environment };
  return [
    ...(await runPart("repository", async () => [await checkHead(repository)])),
    ...(await runPart("identity", async () => [await checkIdentity(repository)])),
    checkConfig(file),
    ...(config === null ? [] : await runPart("workspace", () => checkWorkspace(repository, config.workspace_dir))),
    ...(await runPart("state", () => checkState({ repository, environment, config }))),
    ...(used === null ? [] : await runPart("preflight", () => checkPreflight(repository, used))),
    ...(config === null ? [] : await checkDoctorPrograms(config, places)),
    ...(config === null ? [] : [await checkIsolationMode({ isolation: config.isolation, repository })]),
    await checkSandbox({ repository, config }),
    ...(config === null ? [] : await checkSigningKey({ repository, config })),
    await checkTmux(path, repository.root),
  ];
}

/** Without a file, what a tick would use: the agent that is logged in, and what relais finds; null if it is unusable. */
async function findUsedConfig(repository: Repository, file: ConfigFile): Promise<UsedConfig | null> {
  if (file.kind !== "missing") return file.kind === "config" ? file : null;
  const { root: cwd, environment } = repository;
  const chosen = { choices: {}, foundText: null };
  const complete = await chooseConfig({ cwd, environment, chosen, needsAgent: true });
  // Without an agent, the line about the builder says what is missing.
  const project =
    complete.kind === "complete" ? complete.project : await openProject({ repository, configFile: file }, chosen);
  return project.kind === "ready" ? { config: project.config, text: project.configText } : null;
}

async function runPart(subject: string, look: () => Promise<readonly DoctorCheck[]>): Promise<readonly DoctorCheck[]> {
  try {
    return await look();
  } catch (error) {
    return [reportFailedPart(subject, error)];
  }
}

function reportFailedPart(subject: string, error: unknown): DoctorCheck {
  if (!(error instanceof MeasurementError) && readErrorCode(error) === null) throw error;
  const reason = describeError(error);
  return fail(subject, {
    message: `The check failed: ${reason}.`,
    fix: "Fix that and run `relais doctor` again.",
  });
}
