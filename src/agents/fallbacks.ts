import type { Config } from "../config/config.ts";
import type { AgentChoice } from "../config/roles.ts";
import type { SessionRole } from "./driver.ts";

/** The configuration for each fallback of a role, in their order. */
export function listFallbackConfigs(config: Config, role: SessionRole): readonly Config[] {
  return (config.roles[role].fallbacks ?? []).map((agent) => replaceAgent(config, role, agent));
}

/** Settings in the words of one program (fallback models, effort) are not handed to another one. */
export function replaceAgent(config: Config, role: SessionRole, agent: AgentChoice): Config {
  const { model: _model, fallback_models: _models, effort: _effort, ...own } = config.roles[role];
  return { ...config, roles: { ...config.roles, [role]: { ...own, ...agent } } };
}
