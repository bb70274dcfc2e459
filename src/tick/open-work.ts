/** Prepares the agents of a tick before it starts. */
import { chooseDriver, type DriverChoice, type DriverRequest } from "../agents/choose-driver.ts";
import { listFallbackConfigs, replaceAgent } from "../agents/fallbacks.ts";
import { findTickPatch } from "./pure/tick-facts.ts";
import type { ReviewPlan } from "../checks/pure/review-plan.ts";
import type { Work } from "../workflows/pure/workflow.ts";
import { type NotReady, refuseNotReady } from "../records/command-failure.ts";
import { readBuilderTexts, readPlanTexts } from "./prompt-files.ts";
import type { ReadyAgent, ReadyBuilder, ReadyOrchestrator, ReadyReview, ReadyWork } from "./tick-session.ts";
import { InvariantError } from "../base/invariant.ts";

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
