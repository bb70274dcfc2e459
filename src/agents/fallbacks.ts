import type { Config } from "../contract/config/config.ts";
import type { SessionRole } from "./session/driver.ts";

/**
 * The configuration for each fallback of a role, in their order. Settings in the words of one program (fallback models,
 * effort) are not handed to another one.
 */
export function listFallbackConfigs(config: Config, role: SessionRole): readonly Config[] {
  const { fallbacks = [], model: _model, fallback_models: _models, effort: _effort, ...own } = config.roles[role];
  return fallbacks.map((fallback) => ({
    ...config,
    roles: { ...config.roles, [role]: { ...own, ...fallback } },
  }));
}
