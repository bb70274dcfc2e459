/**
 * One tick through the executable in which the real programs play, against a model that follows a script.
 *
 * They find nothing of this machine: a home, settings and temporary files of their own, keys that are worth nothing,
 * and a model on loopback. A program that is missing fails every test; none is skipped.
 */
import { accessSync, constants, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { serveMessages } from "../model-api/anthropic-messages.ts";
import type { LoggedRequest } from "../model-api/loopback.ts";
import { serveResponses } from "../model-api/openai-responses.ts";
import type { Turn } from "../model-api/script.ts";
import type { Ending } from "../support/scenario-ending.ts";
import { laidOver, taskOf } from "../support/scenario-documents.ts";
import type { Variables, World } from "../support/scenario-world.ts";
import { inTurn, play } from "../support/scenario.ts";

export type Agent = "claude_code" | "codex";

export interface AgentTick {
  /** One sentence, and the name of its test. */
  readonly shows: string;
  /** Who builds. */
  readonly hands: Agent;
  /** Who plans; without it, the task is handed over. */
  readonly brain?: Agent;
  /** What the models say, by the program that asks them. */
  readonly codex?: readonly Turn[];
  readonly claude?: readonly Turn[];
  readonly config?: object;
  readonly task?: object;
  readonly files?: Readonly<Record<string, string>>;
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
  const [openai, anthropic] = await Promise.all([
    serveResponses(tick.codex ?? []),
    serveMessages(tick.claude ?? []),
  ]);
  if (tick.hasNoModel === true) await Promise.all([openai.close(), anthropic.close()]);
  const planner = brain === undefined ? {} : { roles: { orchestrator: { driver: brain } } };
  try {
    await play({
      shows,
      files,
      ...(brain === undefined ? {} : { brain: "exit 9\n" }),
      config: Object(laidOver(laidOver({ builder: { default_mode: hands } }, planner), config)),
      task: Object(agentTask(hands, task)),
      before: (world) => settle(world, { openai: openai.url, anthropic: anthropic.url }),
      ends: {
        ...ends,
        after: async (world, outcome) => {
          expect(leftRunning(world.box)).toEqual([]);
          const requests = { codex: openai.requests, claude_code: anthropic.requests };
          for (const { answer, words } of Object.values(requests).flat())
            expect(answer === "unexpected" ? words : "").toBe("");
          tick.asked?.(requests);
          await ends.after?.(world, outcome);
        },
      },
    });
  } finally {
    await Promise.all([openai.close(), anthropic.close()]);
  }
}

/** The folder with the programs, which the script that installs them names. */
function programs(): string {
  const folder = process.env["RELAIS_AGENTS_BIN"] ?? "";
  for (const name of ["claude", "codex"]) accessSync(join(folder, name), constants.X_OK);
  return folder;
}

/** Gives the programs a place of their own and tells them where the model is. */
function settle(world: World, urls: { readonly openai: string; readonly anthropic: string }): Variables {
  const place = (name: string): string => {
    const folder = join(world.box, name);
    mkdirSync(folder);
    return folder;
  };
  const codexHome = place("codex");
  const provider = [
    'model = "gpt-5.5"',
    'model_provider = "scripted"',
    "[model_providers.scripted]",
    'name = "scripted"',
    `base_url = "${urls.openai}/v1"`,
    'env_key = "OPENAI_API_KEY"',
    'wire_api = "responses"',
    "request_max_retries = 0",
    "stream_max_retries = 0",
  ];
  writeFileSync(join(codexHome, "config.toml"), `${provider.join("\n")}\n`);
  return {
    PATH: `${programs()}:${world.environment["PATH"] ?? ""}`,
    TMPDIR: place("agents-tmp"),
    CODEX_HOME: codexHome,
    OPENAI_API_KEY: "sk-worthless",
    CLAUDE_CONFIG_DIR: place("claude"),
    ANTHROPIC_BASE_URL: urls.anthropic,
    ANTHROPIC_API_KEY: "sk-ant-worthless",
  };
}

/** Whoever still carries a variable that names this world. On systems without /proc nobody can be found this way. */
function leftRunning(box: string): readonly string[] {
  return pids().filter((pid) => {
    try {
      return readFileSync(`/proc/${pid}/environ`, "utf8").includes(box);
    } catch {
      return false;
    }
  });
}

function pids(): readonly string[] {
  try {
    return readdirSync("/proc").filter((name) => /^\d+$/.test(name));
  } catch {
    return [];
  }
}
