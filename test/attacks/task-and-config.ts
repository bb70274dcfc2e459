/** The task and the configuration of an attack: the usual ones, but for what its own comment says. */
import * as v from "valibot";
import { parseConfig } from "../../src/config/parse-config.ts";
import { Task } from "../../src/records/task.ts";
import type { Rules } from "../../src/records/evidence.ts";
import { DRILL_CHECKS, DRILL_TASK, DRILL_VARIABLES } from "../../src/drill/pure/drill-stage.ts";
import type { HostileBuilder } from "../../src/drill/pure/hostile-builder.ts";
import { combineRules } from "../../src/judge/pure/combine-rules.ts";
import { laidOver } from "../support/scenario-documents.ts";
import { STAGE } from "./ground.ts";

type Told = Pick<HostileBuilder, "kind" | "task" | "config">;

/** On other repositories than the stage nothing is asked for, so nothing is checked. */
const FREE_TASK = {
  scope: { allowed_globs: ["src/**", "tests/**", "README.md"] },
  diff_limits: { max_files_touched: 50, max_lines_changed: 2000 },
  verification: { fast: ["green"] },
  allow_no_change: true,
};
const FREE_CONFIG = { diff_limits: { default_max_files_touched: 50, default_max_lines_changed: 2000 } };

const Checked = v.looseObject({
  verification: v.looseObject({ fast: v.array(v.string()), slow: v.array(v.string()) }),
});

export function taskOf({ kind, task }: Told): unknown {
  if (kind !== STAGE) return laidOver(laidOver(DRILL_TASK, FREE_TASK), task);
  const { verification, ...others } = v.parse(Checked, laidOver(DRILL_TASK, task));
  // Its checks fail before the build, and the work is to make them pass.
  return { fixes: [...verification.fast, ...verification.slow], ...others, verification };
}

export function configOf({ kind, config }: Told): unknown {
  const usual = {
    env: { agents: DRILL_VARIABLES, checks: DRILL_VARIABLES },
    verification: { templates: DRILL_CHECKS },
  };
  return laidOver(kind === STAGE ? usual : laidOver(usual, FREE_CONFIG), config);
}

/** The rules that the kernel judges by. */
export function rulesOf(told: Told): Rules {
  const config = parseConfig(configOf(told));
  if (config.kind === "invalid") throw new Error(JSON.stringify(config.problems));
  const task = v.parse(Task, taskOf(told));
  const isScoped = task.task_kind === "execute" || task.task_kind === "verify_only";
  const isChangeRequired = task.task_kind === "execute" && task.allow_no_change !== true;
  return {
    ...combineRules(config.value, isScoped ? task : null),
    ...(isChangeRequired ? { change_required: true } : {}),
  };
}
