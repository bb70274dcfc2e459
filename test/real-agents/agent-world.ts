/**
 * Where the real programs play: models that follow a script, and a place that is nobody else's.
 *
 * They find nothing of this machine: a home, settings and temporary files of their own, keys that are worth nothing,
 * and a model on loopback. A program that is missing fails every test; none is skipped.
 */
import { accessSync, constants, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import { serveMessages } from "../model-api/anthropic-messages.ts";
import type { LoggedRequest } from "../model-api/loopback.ts";
import { serveResponses } from "../model-api/openai-responses.ts";
import type { Turn } from "../model-api/script.ts";
import type { Variables, World } from "../support/scenario-world.ts";

export type Agent = "claude_code" | "codex";

/** What the models say, by the program that asks them. */
export interface Scripts {
  readonly codex?: readonly Turn[];
  readonly claude?: readonly Turn[];
}

export interface Models {
  readonly requests: Readonly<Record<Agent, readonly LoggedRequest[]>>;
  /** Gives the programs a place of their own in a world and tells them where the models are. */
  readonly settle: (world: World) => Variables;
  /** Fails where a program is left, wrote to the home, or asked something that nobody expected. */
  readonly check: (world: World) => void;
  readonly close: () => Promise<void>;
}

/** Starts the models, each on a port of its own. */
export async function serveModels({ codex = [], claude = [] }: Scripts): Promise<Models> {
  const [openai, anthropic] = await Promise.all([serveResponses(codex), serveMessages(claude)]);
  const requests = { codex: openai.requests, claude_code: anthropic.requests };
  return {
    requests,
    settle: (world) => settle(world, { openai: openai.url, anthropic: anthropic.url }),
    check: ({ box }) => {
      expect(leftRunning(box)).toEqual([]);
      expect(readdirSync(join(box, "home"))).toEqual([]);
      for (const { answer, words } of Object.values(requests).flat())
        expect(answer === "unexpected" ? words : "").toBe("");
    },
    close: async () => {
      await Promise.all([openai.close(), anthropic.close()]);
    },
  };
}

/** The folder with the programs, which the script that installs them names. */
function programs(): string {
  const folder = process.env["RELAIS_AGENTS_BIN"] ?? "";
  for (const name of ["claude", "codex"]) accessSync(join(folder, name), constants.X_OK);
  return folder;
}

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

/** Processes that still carry a variable that names this world. On systems without /proc nobody can be found this way. */
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
