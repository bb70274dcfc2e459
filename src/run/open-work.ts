/** Finds out who plans and who builds, and whether they can, before anything begins. */
import {
  chooseDriver,
  chooseOrchestrator,
  type DriverChoice,
  type DriverRequest,
} from "../agents/choose-driver.ts";
import type { Task } from "../contract/task.ts";
import { type Unready, unready } from "./ground.ts";
import { readBuilderTexts, readPlanTexts } from "./prompt-files.ts";
import type { ReadyBuilder, ReadyOrchestrator, Work } from "./tick-session.ts";

/** Everybody that the tick may call. Without a task somebody has to plan, and may then ask for a builder. */
export async function openWork(request: DriverRequest, task: Task | null): Promise<Work | Unready> {
  const orchestrator = task === null ? await readyOrchestrator(request) : null;
  if (orchestrator !== null && "kind" in orchestrator) return orchestrator;
  const builder = task === null || task.builder !== undefined ? await readyBuilder(request) : null;
  if (builder !== null && "kind" in builder) return builder;
  return { task, orchestrator, builder };
}

async function readyOrchestrator(request: DriverRequest): Promise<ReadyOrchestrator | Unready> {
  const { config, repository } = request;
  const choice = await chooseOrchestrator(request);
  if (choice.kind === "refused") return unusable("orchestrator", choice);
  const texts = await readPlanTexts({ root: repository.root, config });
  if ("kind" in texts) return texts;
  const model = config.roles.orchestrator.model ?? config.models.orchestrator_model;
  return { driver: choice.driver, limits: choice.limits, texts, model };
}

async function readyBuilder(request: DriverRequest): Promise<ReadyBuilder | Unready> {
  const { config, repository } = request;
  const choice = await chooseDriver(request);
  if (choice.kind === "refused") return unusable("builder", choice);
  const texts = await readBuilderTexts({ root: repository.root, config });
  if ("kind" in texts) return texts;
  const model = config.roles.builder.model ?? config.models.builder_model;
  return { driver: choice.driver, limits: choice.limits, texts, model };
}

function unusable(
  role: "builder" | "orchestrator",
  { problem }: Extract<DriverChoice, { kind: "refused" }>,
): Unready {
  const instead = role === "orchestrator" ? " A task of your own needs none: `relais run --task FILE`." : "";
  return unready(`${role}_unusable`, `The ${role} cannot be used: ${problem}.${instead}`);
}
