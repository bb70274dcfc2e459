/** The checks of a task that a person describes on the command line. */
import type { Config } from "../../config/config.ts";
import { type Check, planChecks } from "./verification-plan.ts";

/** Every check that needs no parameters. */
export function listPlainChecks({ templates }: Pick<Config["verification"], "templates">): readonly string[] {
  return templates.filter(({ params = {} }) => Object.keys(params).length === 0).map(({ id }) => id);
}

/** The named checks, ready to run; none if one of them cannot be filled in. */
export function makeChosenChecks({ verification }: Config, ids: readonly string[]): readonly Check[] {
  const plan = planChecks(verification, { fast: [], slow: ids });
  return plan.kind === "ready" ? plan.checks : [];
}
