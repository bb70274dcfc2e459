import type { Config } from "../../contract/config/config.ts";

/** A task names no more than this. */
const CHECKS_MAX = 16;

/** The templates that the runner runs in each turn of a goal: those that are named, or all that need no parameter. */
export function listGoalChecks({ goal, verification }: Pick<Config, "goal" | "verification">): readonly string[] {
  return goal.checks ?? plainTemplates(verification);
}

function plainTemplates({ templates }: Config["verification"]): readonly string[] {
  return templates.filter(({ params = {} }) => Object.keys(params).length === 0).map(({ id }) => id);
}

/** Why the checks of a goal cannot be run, in one sentence; null where they can. */
export function findGoalChecksProblem(config: Pick<Config, "goal" | "verification">): string | null {
  const checks = listGoalChecks(config);
  const known = plainTemplates(config.verification);
  const unknown = checks.find((id) => !known.includes(id));
  if (unknown !== undefined)
    return `goal.checks: "${unknown}" is no template of verification.templates that needs no parameter.`;
  if (checks.length <= CHECKS_MAX) return null;
  return `A turn of a goal runs ${CHECKS_MAX} checks at most: name them in goal.checks.`;
}
