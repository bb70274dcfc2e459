import { join } from "node:path";
import { type DoctorCheck, fail, ok, warn } from "../checks/pure/config-text.ts";
import { IGNORED_SAMPLES } from "../config/workspace-layout.ts";
import { readBounded } from "../system/bounded-file.ts";
import { commitIdentity } from "../store/commit-identity.ts";
import { readHead } from "../git/head.ts";
import type { Repository } from "../git/repository-layout.ts";
import { findWorkspaceProblem, WORKSPACE_MISSING } from "../journal/workspace-folder.ts";
import { type Config, CONFIG_NAME } from "../config/config.ts";
import { type ConfigFile, readConfigFile } from "../workspace/config-file.ts";
import { listWorkspaceTemplate } from "../workspace/workspace-template.ts";
import { listGitPaths, openProject } from "../workspace/read-project.ts";
import { QueueError } from "../queue/pure/engine.ts";
import { describeError, MeasurementError } from "../base/errors.ts";
import type { Environment, Caller } from "../base/environment.ts";
import { canSync, SERVER_WANTED } from "../queue/pure/server-config.ts";
import { isAtLeast } from "../base/version-order.ts";
import { findUserSettings } from "../journal/known-jobs.ts";
import type { FleetFacts } from "../fleet/examine-fleet.ts";
import { CODES } from "../base/codes.ts";
import { readErrorCode } from "../system/read-files.ts";
import { locateRepository } from "../workspace/locate-repository.ts";
import { readProjectFiles } from "../tick/project-files.ts";
import { chooseConfig } from "../tick/choose-config.ts";
import {
  checkDoctorPrograms,
  checkGit,
  checkNode,
  checkSandbox,
  checkSigningKey,
  checkTmux,
  checkIsolationMode,
} from "./doctor-machine.ts";
import { checkPreflight, type UsedConfig, checkState } from "./doctor-state.ts";

const FILE_BYTES_MAX = 1024 * 1024;
const LIST_BYTES_MAX = 16 * 1024 * 1024;

export async function checkHead(repository: Repository): Promise<DoctorCheck> {
  const { text, commit } = await readHead(repository);
  if (commit === null) {
    return fail("repository", {
      message: `${repository.root} has no commit yet.`,
      fix: "Make a first commit.",
    });
  }
  const branch = /^ref: refs\/heads\/(?<name>.+)$/s.exec(text)?.groups?.["name"];
  if (branch !== undefined) return ok("repository", `${repository.root}, on branch ${branch}`);
  return fail("repository", {
    message: "HEAD is detached: there is no branch to commit to.",
    fix: "Switch to a branch with `git switch`.",
  });
}

export async function checkIdentity(repository: Repository): Promise<DoctorCheck> {
  const { name, email, isFallback } = await commitIdentity(repository);
  if (!isFallback) return ok("identity", `commits are by ${name} <${email}>`);
  return warn("identity", {
    message: `Git knows no user.name and user.email here, so commits are by ${name} <${email}>.`,
    fix: "`git config --global user.name` and `git config --global user.email` set yours.",
  });
}

export function checkConfig(file: ConfigFile): DoctorCheck {
  if (file.kind === "config") return ok("config", CONFIG_NAME);
  if (file.kind === "missing") return ok("config", "none; relais uses what it finds, and `relais init` writes it down");
  const { message, problems } = file;
  return fail("config", { message, problems, fix: `Fix ${CONFIG_NAME}.` });
}

/** What the builder reads of the repository's own instructions. Of a path that nobody has committed, it knows nothing. */
export async function checkProjectFiles(repository: Repository, config: Config): Promise<readonly DoctorCheck[]> {
  const { commit } = await readHead(repository);
  const files = commit === null ? [] : await readProjectFiles({ where: { repository }, tick: { config } }, commit);
  const names = files.map(({ path }) => path).join(", ");
  const none = config.project_files.length === 0 ? "none: project_files is empty" : "none (project_files)";
  return [
    ok("instructions", files.length === 0 ? none : `the builder reads ${names}, as HEAD has them (project_files)`),
  ];
}

export async function checkWorkspace(repository: Repository, workspace: string): Promise<readonly DoctorCheck[]> {
  const problem = findWorkspaceProblem(repository.root, workspace);
  if (problem === WORKSPACE_MISSING) return [ok("workspace", `${workspace}/ is made by the first tick`)];
  if (problem !== null) {
    const fix = "Move it away.";
    return [fail("workspace", { message: `${workspace}/ cannot be used: ${problem}.`, fix })];
  }
  return [
    await checkContent(repository.root, workspace),
    await checkIgnored(repository, workspace),
    await checkCommitted(repository, workspace),
  ];
}

/** Of a missing file the one in the package counts, so only other versions are worth a warning. */
async function checkContent(root: string, workspace: string): Promise<DoctorCheck> {
  const outdated: string[] = [];
  for (const { name, text } of listWorkspaceTemplate().filter((file) => file.name.startsWith("schemas/"))) {
    const read = await readBounded(join(root, workspace, name), FILE_BYTES_MAX);
    if (read.kind === "refused" || (read.kind === "read" && read.data.toString("utf8") !== text))
      outdated.push(`${workspace}/${name} belongs to another version of relais`);
  }
  if (outdated.length === 0) return ok("workspace", `${workspace}/`);
  const fix = "Remove those files, then run `relais init` again; with `--full` it writes all of them.";
  return warn("workspace", { message: `${workspace}/ is outdated.`, problems: outdated, fix });
}

/** Otherwise the files of relais would make the tree dirty for the next tick. */
async function checkIgnored(repository: Repository, workspace: string): Promise<DoctorCheck> {
  const samples = IGNORED_SAMPLES.map((name) => `${workspace}/${name}`);
  const ignored = await listGitPaths(repository, {
    outputBytesMax: LIST_BYTES_MAX,
    args: ["check-ignore", "-z", "--stdin"],
    input: Buffer.from(samples.map((path) => `${path}\0`).join("")),
    // This command refuses literal pathspecs; the characters of a workspace's name mean nothing special.
    env: { GIT_LITERAL_PATHSPECS: undefined },
    okStatuses: [0, 1],
  });
  const seen = samples.filter((path) => !ignored.includes(path));
  if (seen.length === 0) return ok("ignored", `git ignores what relais writes in ${workspace}/`);
  return fail("ignored", {
    message: `Git does not ignore the files of relais in ${workspace}/; the next tick would find a dirty tree.`,
    problems: seen.map((path) => `${path} is not ignored`),
    fix: `Remove ${workspace}/.gitignore and run \`relais eject .gitignore\`; untrack files with \`git rm --cached\`.`,
  });
}

async function checkCommitted(repository: Repository, workspace: string): Promise<DoctorCheck> {
  const args = ["ls-files", "-z", "--others", "--exclude-standard", "--", CONFIG_NAME, workspace];
  const [first, ...more] = await listGitPaths(repository, { args, outputBytesMax: LIST_BYTES_MAX });
  if (first === undefined) return ok("committed", "configuration and workspace are committed");
  return warn("committed", {
    message: `Not committed: ${first}${more.length === 0 ? "" : ` and ${more.length} more`}.`,
    fix: "Commit with `relais init --commit`.",
  });
}

const SUBJECT = "queue";
const WANTED = SERVER_WANTED.join(".");
const CLOCK_MS_MAX = 5000;

/** Nothing where the person's queue is a folder of this machine. */
export async function checkQueue(environment: Environment): Promise<readonly DoctorCheck[]> {
  try {
    const queue = (await findUserSettings(environment))?.queue;
    if (queue === undefined) return [];
    // The client of the server is large, and most people have none.
    const { examineFleet } = await import("../fleet/examine-fleet.ts");
    return describeFleet(await examineFleet(queue), queue.url);
  } catch (error) {
    const isOurs = error instanceof QueueError;
    const fix = isOurs
      ? "Correct it, or join again: `relais queue join FILE`."
      : "Check that the server runs and that its name leads to it; a replaced key needs a new invitation.";
    const message = isOurs ? `${error.message}.` : `The server of the queue refuses us: ${describeError(error)}.`;
    return [fail(SUBJECT, { message, fix })];
  }
}

export function describeFleet(facts: FleetFacts, url: string): readonly DoctorCheck[] {
  const { version, repositories, aheadMs } = facts;
  if (!isAtLeast(version, SERVER_WANTED))
    return [
      fail(SUBJECT, { message: `nats-server ${version} is too old.`, fix: `Install nats-server ${WANTED} or later.` }),
    ];
  const copies = Math.min(...repositories.map((one) => one.copies));
  const place = `${url}, nats-server ${version}, repositories: ${repositories.length}, copies of each: ${copies}`;
  return [ok(SUBJECT, place), ...checkDurability(facts), ...checkRights(facts), ...checkClock(aheadMs)];
}

function checkDurability({ version, isSynced, repositories }: FleetFacts): readonly DoctorCheck[] {
  const copies = Math.min(...repositories.map((one) => one.copies));
  if (isSynced || copies > 1) return [];
  const message = "Durability is deferred: a power cut of the server may take back the last two minutes.";
  const remedy = canSync(version)
    ? "Start the server with `relais queue serve`, which lets it sync each write"
    : "Install nats-server 2.10 or later there";
  return [warn(SUBJECT, { message, fix: `${remedy}, or run three servers.` })];
}

function checkRights({ repositories }: FleetFacts): readonly DoctorCheck[] {
  return repositories.flatMap(({ address, excess }) =>
    excess.length === 0
      ? []
      : [
          fail(SUBJECT, {
            message: `The key for ${address} has rights that only the owner should have.`,
            problems: excess,
            fix: "Let the server be run by `relais queue serve`, and ask for a new invitation.",
          }),
        ],
  );
}

function checkClock(aheadMs: number): readonly DoctorCheck[] {
  if (Math.abs(aheadMs) <= CLOCK_MS_MAX) return [];
  const seconds = Math.round(Math.abs(aheadMs) / 1000);
  const message = `The clock of this machine is ${seconds} s ${aheadMs > 0 ? "ahead of" : "behind"} that of the server.`;
  return [warn(SUBJECT, { message, fix: "Let both machines set their clocks by the network (NTP)." })];
}

/**
 * `relais doctor`: checks everything that a tick needs.
 *
 * A check that fails itself is a line, too. Nothing is started but git, and an agent's program that
 * is asked for its version and its login. Only the server of a shared queue is asked over the network. Nothing is written but the empty state directory, since whether it can be made
 * is the question.
 */

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
    ...(config === null ? [] : await runPart("instructions", () => checkProjectFiles(repository, config))),
    ...(config === null ? [] : await runPart("workspace", () => checkWorkspace(repository, config.workspace_dir))),
    ...(await runPart("state", () => checkState(repository, environment, config))),
    ...(used === null ? [] : await runPart("preflight", () => checkPreflight(repository, used))),
    ...(config === null ? [] : await checkDoctorPrograms(config, places)),
    ...(config === null ? [] : [await checkIsolationMode(config.isolation, repository)]),
    await checkSandbox(repository, config),
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
