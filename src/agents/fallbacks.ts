import type { Config } from "../contract/config/config.ts";
import type { SessionRole } from "./session/driver.ts";

/**
 * The configuration as each fallback of a role finds it, in their order.
 *
 * What is said in the words of one program (its models to fall back to, how hard it is to think) is not handed to
 * another one.
 */
export function listFallbackConfigs(config: Config, role: SessionRole): readonly Config[] {
  const { fallbacks = [], model: _model, fallback_models: _models, effort: _effort, ...own } = config.roles[role];
  return fallbacks.map((fallback) => ({
    ...config,
    roles: { ...config.roles, [role]: { ...own, ...fallback } },
  }));
}
