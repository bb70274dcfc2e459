import type * as v from "valibot";
import type { Role } from "../../contract/agents/agent.ts";
import type { Config } from "../../contract/config/config.ts";
import type { CodexSettings } from "./codex-arguments.ts";

/** What the configuration says about codex for a role. The names of `models` belong to another vendor. */
export function makeCodexSettings(
  { builder: { codex }, roles }: Config,
  role: v.InferOutput<typeof Role>,
): CodexSettings {
  const { model, effort } = roles[role];
  return { ...codex, model: model ?? codex.model, effort: effort ?? null };
}
