/** One tick through the executable in which the real programs play, against a model that follows a script. */
import { describe, expect, test } from "vitest";
import type { LoggedRequest } from "../model-api/loopback.ts";
import type { Ending } from "../support/scenario-ending.ts";
import { laidOver, taskOf } from "../support/scenario-documents.ts";
import type { Variables } from "../support/scenario-world.ts";
import { inTurn, play } from "../support/scenario.ts";
import { type Agent, type Scripts, serveModels } from "./agent-world.ts";

export interface AgentTick extends Scripts {
  /** One sentence, and the name of its test. */
  readonly shows: string;
  /** Who builds. */
  readonly hands: Agent;
  /** Who plans; without it, the task is handed over. */
  readonly brain?: Agent;
  readonly config?: object;
  readonly task?: object;
  readonly files?: Readonly<Record<string, string>>;
  /** Variables in place of those that the programs find otherwise. */
  readonly env?: Variables;
  /** Further arguments of `relais run`. */
  readonly args?: readonly string[];
  /** The models are gone before anybody asks them. */
  readonly hasNoModel?: boolean;
  readonly ends: Ending;
  /** What the models were asked. */
  readonly asked?: (requests: Readonly<Record<Agent, readonly LoggedRequest[]>>) => void;
}

/** Each tick as a test, a few at once. */
export function playTicks(ticks: readonly AgentTick[]): void {
  describe.concurrent("with the real programs", () => {
    test.each(ticks.map((tick) => [tick.shows, tick] as const))("%s", (_, tick) =>
      inTurn(() => expect(playTick(tick)).resolves.toBeUndefined()),
    );
  });
}

/** The task that the orchestrator proposes, or that is handed over. */
export function agentTask(hands: Agent, over: object = {}): unknown {
  const instructions = "Set the answer in src/main.ts to 42.";
  return laidOver(taskOf({ task: { builder: { mode: hands, instructions } } }), over);
}

async function playTick(tick: AgentTick): Promise<void> {
  const { shows, hands, brain, config = {}, task = {}, files = {}, ends } = tick;
  const models = await serveModels(tick);
  if (tick.hasNoModel === true) await models.close();
  const planner = brain === undefined ? {} : { roles: { orchestrator: { driver: brain } } };
  try {
    await play({
      shows,
      files,
      // The sandbox of codex finds nothing of its own in a folder below /dev.
      onDisk: true,
      args: tick.args ?? [],
      ...(brain === undefined ? {} : { brain: "exit 9\n" }),
      config: Object(laidOver(laidOver({ builder: { default_mode: hands } }, planner), config)),
      task: Object(agentTask(hands, task)),
      before: (world) => ({ ...models.settle(world), ...tick.env }),
      ends: {
        ...ends,
        after: async (world, outcome) => {
          models.check(world);
          tick.asked?.(models.requests);
          await ends.after?.(world, outcome);
        },
      },
    });
  } finally {
    await models.close();
  }
}
