import * as v from "valibot";
import { chooseDriver, type DriverChoice, type DriverRequest } from "../agents/choose-driver.ts";
import { listFallbackConfigs, replaceAgent } from "../agents/fallbacks.ts";
import { findTickPatch } from "./pure/tick-facts.ts";
import type { ReviewPlan } from "../checks/pure/review-plan.ts";
import type { Work } from "../workflows/pure/workflow.ts";
import { type NotReady, refuseNotReady } from "../records/command-failure.ts";
import { readBuilderTexts, readPlanTexts } from "./prompt-files.ts";
import {
  type AttemptsPort,
  leaveNothing,
  type ReadyAgent,
  type ReadyBuilder,
  type ReadyOrchestrator,
  type ReadyReview,
  type ReadyWork,
  type RoundPort,
  type RunningTick,
} from "./running-tick.ts";
import { InvariantError } from "../base/errors.ts";
import { join } from "node:path";
import { readClockMs } from "../system/clock.ts";
import { commitIdentity } from "../store/commit-identity.ts";
import { openContentStore } from "../store/content-store.ts";
import { type FilterSettings, readFilterSettings } from "../git/filter-settings.ts";
import { pinHooks } from "../store/pin-hooks.ts";
import { rememberGitVersion } from "../git/git-version.ts";
import { rememberRepository } from "../journal/remembered-repository.ts";
import { createRunDirectory, locateRunDirectory } from "../journal/run-directory.ts";
import { findInsidePrograms, readRecipes } from "../checks/read-recipes.ts";
import { listProgramNames } from "../checks/pure/check-steering.ts";
import { type GitStatusRequest, listDirtyNames } from "../git/git-status.ts";
import { runByGit } from "../git/run-by-git.ts";
import type { CommandContext, LockedWorkspace } from "../workspace/workspace.ts";
import { chooseIsolation } from "../place/choose-place.ts";
import { openWorkplace } from "../place/open-workplace.ts";
import type { Workplace } from "../place/workplace.ts";
import { nameTickMarker } from "../process/reap-session.ts";
import { chooseSandbox } from "../place/tick-sandbox.ts";
import { nameOwnBranch } from "../workspace/series-branch.ts";
import { isAttempt } from "../workspace/own-environment.ts";
import type { DryCaps } from "../records/dry-run.ts";
import { findTurnLimit } from "./pure/turn-limit.ts";
import type { Config } from "../config/config.ts";
import { listRequiredIn } from "../checks/pure/apply-choices.ts";
import { readBounded } from "../system/bounded-file.ts";
import { isFile, isFolder } from "../system/read-files.ts";
import { parseJson } from "../system/parse-json.ts";

/** Prepares the agents of a tick before it starts. */

/** Without a task an orchestrator plans, and may then need a builder. */
export async function openWork(asked: DriverRequest, work: Work): Promise<ReadyWork | NotReady> {
  const request = applyRoles(asked, work);
  const plan = await preparePlan(request, work);
  if ("kind" in plan) return plan;
  const builder = needsBuilder(work, request) ? await prepareBuilder(request) : null;
  if (builder !== null && "kind" in builder) return builder;
  const review = work.review === null ? null : await prepareReview(work.review, request);
  if (review !== null && "kind" in review) return review;
  return { ...work, ...plan, builder, review };
}

async function preparePlan(request: DriverRequest, { task }: Work) {
  if (task !== null) return { task, orchestrator: null };
  const orchestrator = await prepareOrchestrator(request);
  return "kind" in orchestrator ? orchestrator : { task, orchestrator };
}

function applyRoles(request: DriverRequest, { roles = {} }: Work): DriverRequest {
  const { orchestrator, builder, reviewer, verifier } = request.config.roles;
  const chosen = {
    orchestrator: { ...orchestrator, ...roles.orchestrator },
    builder: { ...builder, ...roles.builder },
    reviewer: { ...reviewer, ...roles.reviewer },
    verifier: { ...verifier, ...roles.verifier },
  };
  return { ...request, config: { ...request.config, roles: chosen } };
}

/** The runner applies patches itself. In patch mode, the orchestrator writes them. */
function needsBuilder(
  { task, finished = null, landing = null }: Work,
  { config: { roles, builder } }: DriverRequest,
): boolean {
  if (finished !== null || landing !== null) return false;
  if (task === null) return roles.builder.driver !== undefined || builder.default_mode !== "patch";
  return task.builder !== undefined && findTickPatch(task) === null;
}

async function prepareOrchestrator(request: DriverRequest): Promise<ReadyOrchestrator | NotReady> {
  const agent = await prepareAgent(request, "orchestrator");
  if ("kind" in agent) return agent;
  const texts = await readPlanTexts({ root: request.repository.root, config: request.config });
  return "kind" in texts ? texts : { ...agent, texts };
}

async function prepareBuilder(request: DriverRequest): Promise<ReadyBuilder | NotReady> {
  const agent = await prepareAgent(request, "builder");
  if ("kind" in agent) return agent;
  const texts = await readBuilderTexts({ root: request.repository.root, config: request.config });
  return "kind" in texts ? texts : { ...agent, texts };
}

async function prepareReview(plan: ReviewPlan, request: DriverRequest): Promise<ReadyReview | NotReady> {
  const agent = await prepareAgent(request, plan.role);
  if ("kind" in agent) return agent;
  const others = new Map<string, ReadyAgent>();
  for (const { name, agent: own } of plan.reviewers) {
    if (own === undefined) continue;
    const other = await prepareAgent({ ...request, config: replaceAgent(request.config, plan.role, own) }, plan.role);
    if ("kind" in other) return other;
    others.set(name, other);
  }
  return { ...agent, plan, others };
}

type AgentRole = keyof typeof INSTEAD;

/** Every fallback must be usable, too. */
async function prepareAgent(request: DriverRequest, role: AgentRole): Promise<ReadyAgent | NotReady> {
  const agents: ReadyAgent["fallbacks"][number][] = [];
  for (const config of [request.config, ...listFallbackConfigs(request.config, role)]) {
    const choice = await chooseDriver({ ...request, config, role });
    if (choice.kind === "refused") return refuseRole(role, choice);
    agents.push({ driver: choice.driver, limits: choice.limits, model: chooseModel(config, role) });
  }
  const [first, ...fallbacks] = agents;
  if (first === undefined) throw new InvariantError("a role without an agent");
  return { ...first, fallbacks };
}

function chooseModel({ roles, models }: DriverRequest["config"], role: AgentRole): string {
  const usual = role === "orchestrator" ? models.orchestrator_model : models.builder_model;
  return roles[role].model ?? usual;
}

const INSTEAD = {
  orchestrator: 'Fix that in relais.config.json, or say what to change: `relais run "say what to change"`.',
  builder: "Fix that in relais.config.json.",
  reviewer: "Fix that in relais.config.json, or remove the reviewers.",
  verifier: "Fix that in relais.config.json.",
} as const;

function refuseRole(role: keyof typeof INSTEAD, { problem }: Extract<DriverChoice, { kind: "refused" }>): NotReady {
  return refuseNotReady(`${role}_unusable`, `The ${role} cannot be used: ${problem}.`, INSTEAD[role]);
}

/** Opens the session of a tick: its agents, and the settings that must not change meanwhile. */

export interface OpenRequest extends Pick<CommandContext, "signal" | "player" | "renderReport" | "emit" | "askPerson"> {
  /** Its `runId` becomes the id of the tick. */
  readonly workspace: LockedWorkspace;
  readonly seriesId: string;
  readonly work: Work;
  /** Of a series, for its branch; absent takes the intent of the task. */
  readonly title?: string;
  /** Absent is one session. */
  readonly attempts?: AttemptsPort | null;
  /** Absent takes one task of an answer. */
  readonly round?: RoundPort | null;
  /** Whether a person is asked, if the configuration says so; absent is yes. */
  readonly asks?: boolean;
}

export type OpenedSession = { readonly kind: "session"; readonly session: RunningTick } | NotReady;

/** Nothing is written if an agent cannot be used. */
export async function openSession(request: OpenRequest): Promise<OpenedSession> {
  const { workspace, work, signal } = request;
  const { repository, config, stateDirectory, runId } = workspace;
  const ready = await openWork({ config, repository, player: request.player }, work);
  if ("kind" in ready) return ready;
  await rememberRepository(stateDirectory, repository);
  rememberGitVersion(repository.root, repository.environment, stateDirectory);
  const settings = await readFilterSettings(repository, signal);
  const runDirectory = createRunDirectory(stateDirectory, runId, {
    "config.json": workspace.configText,
    ...(work.task === null ? {} : { "task.json": `${JSON.stringify(work.task, null, 2)}\n` }),
  });
  const deadlineAt = readClockMs() + (work.maxSeconds ?? config.runner.max_tick_seconds) * 1000;
  const left = leaveNothing();
  const ownBranch = nameOwnBranch(config, request.title ?? work.task?.intent ?? "", request.seriesId);
  const session: RunningTick = {
    kind: "running",
    tick: {
      runId,
      seriesId: request.seriesId,
      config,
      configText: workspace.configText,
      ownBranch,
      required: listRequiredIn(workspace.baseText),
      signal,
      get deadlineAt() {
        return deadlineAt + left.askedMs;
      },
    },
    where: {
      repository,
      stateDirectory,
      runDirectory,
      workspace: workspace.folder,
      store: await openContentStore(stateDirectory, repository.environment),
      ...(await choosePlace(request, ownBranch, settings.excludesFile)),
      sandbox: await chooseSandbox({ repository, config, stateDirectory }),
    },
    pinned: await pinSettings(request, settings, runDirectory),
    work: { ...ready, ...choosePorts(request) },
    record: {
      journal: workspace.journal,
      noteInLocks: workspace.noteInLocks,
      renderReport: request.renderReport,
      ...(request.emit === undefined ? {} : { emit: request.emit }),
    },
    left,
  };
  return { kind: "session", session };
}

/** As they are when the tick begins. */
async function pinSettings(
  { workspace: { repository, config }, work, signal }: OpenRequest,
  settings: FilterSettings,
  runDirectory: string,
): Promise<RunningTick["pinned"]> {
  const recipes = readRecipes(repository.root);
  const checks = [...config.verification.templates, ...work.checks.known];
  return {
    settings,
    identity: await commitIdentity(repository, { settings, signal }),
    hooks: config.git.hooks === "run" ? await pinHooks(repository, join(runDirectory, "hooks")) : null,
    uncommitted: work.takesUncommitted === true ? await listUncommitted({ repository, settings, signal }) : [],
    runByGit: await runByGit(repository, settings),
    recipes,
    insidePrograms: await findInsidePrograms(repository, listProgramNames(checks, recipes)),
  };
}

/** Without repositories inside, which no commit of this one holds. */
async function listUncommitted(where: GitStatusRequest): Promise<readonly string[]> {
  return (await listDirtyNames(where)).filter((path) => !path.endsWith("/"));
}

/** Where the configured place cannot be had, preflight says so. */
async function choosePlace(
  { workspace }: OpenRequest,
  ownBranch: string,
  userExcludesFile: string | null,
): Promise<Workplace> {
  const { config, repository, stateDirectory, runId } = workspace;
  const { isolation } = await chooseIsolation({
    isolation: config.isolation,
    repository,
    stateDirectory,
    remembers: true,
  });
  const own = { runId, ownBranch, ownFolder: config.workspace_dir, marker: nameTickMarker(runId) };
  const runDirectory = locateRunDirectory(stateDirectory, runId);
  const place = { repository, stateDirectory, runDirectory, userExcludesFile, config, ...own };
  return openWorkplace(isolation ?? "in_place", place);
}

function choosePorts(request: OpenRequest): Pick<RunningTick["work"], "attempts" | "round" | "ask"> {
  return { attempts: request.attempts ?? null, round: request.round ?? null, ask: chooseAsk(request) };
}

function chooseAsk(request: OpenRequest): RunningTick["work"]["ask"] {
  const { workspace, askPerson = null, asks = true } = request;
  const { config, repository } = workspace;
  // The person is asked about the best of them.
  if (!asks || config.settle !== "ask" || isAttempt(repository.environment)) return null;
  return { timeoutSeconds: config.ask_timeout_seconds, person: askPerson };
}

/** The most that a tick may cost, as the configuration and the task limit it. */
export function listCaps(session: RunningTick): DryCaps {
  const {
    tick: { config },
    work,
  } = session;
  const { orchestrator, builder, review } = work;
  const retries = orchestrator === null ? 0 : config.orchestrator.max_parse_retries_per_tick;
  return {
    sessions: countSessions(orchestrator) + retries + countSessions(builder) + (review?.plan.reviewers.length ?? 0),
    seconds: work.maxSeconds ?? config.runner.max_tick_seconds,
    turns: findTurns(session),
    dollars: findDollars(session),
  };
}

const countSessions = (agent: ReadyAgent | null): number => (agent === null ? 0 : 1 + agent.fallbacks.length);

function findTurns({ work: { builder, task, usualTurns } }: RunningTick): number | null {
  if (builder === null) return null;
  const { limits } = builder;
  const configured = { max: limits.maxTurns, key: limits.keys.turns };
  const limit = findTurnLimit({ configured, usual: usualTurns ?? null, task: task ?? {}, isOwnTask: task !== null });
  return limit?.max ?? null;
}

function findDollars({ tick: { config }, work }: RunningTick): number | null {
  const { per_milestone, per_run } = config.budgets;
  const ofClaude = work.builder?.driver.name === "claude_code" ? config.builder.claude_code.max_budget_usd : null;
  const caps = [ofClaude, per_milestone.max_estimated_cost_usd, per_run.max_estimated_cost_usd];
  const set = caps.filter((cap) => cap !== null);
  return set.length === 0 ? null : Math.min(...set);
}

const TOOLS = ["npm", "npx", "pnpm", "yarn", "bun"];
const BYTES_MAX = 1_000_000;
const Names = v.optional(v.record(v.string(), v.unknown()), {});
const Manifest = v.object({ dependencies: Names, devDependencies: Names });

/** The tool to install packages with, where a check needs packages that nobody has installed yet; null otherwise. */
export async function findMissingPackages(
  root: string,
  checks: readonly string[],
  templates: Config["verification"]["templates"],
): Promise<string | null> {
  const tool = templates.find(({ id, cmd }) => checks.includes(id) && TOOLS.includes(cmd))?.cmd ?? null;
  if (tool === null || areInstalled(root)) return null;
  const read = await readBounded(join(root, "package.json"), BYTES_MAX);
  if (read.kind !== "read") return null;
  const manifest = v.safeParse(Manifest, parseJson(read.data.toString("utf8")));
  if (!manifest.success) return null;
  const { dependencies, devDependencies } = manifest.output;
  if (Object.keys({ ...dependencies, ...devDependencies }).length === 0) return null;
  return tool === "npx" ? "npm" : tool;
}

/** The dot follows a link to the folder. */
function areInstalled(root: string): boolean {
  return isFolder(`${root}/node_modules/.`) || isFile(join(root, ".pnp.cjs"));
}
