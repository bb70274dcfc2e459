import { join } from "node:path";
import { foldLines } from "../records/folded-lines.ts";
import { describeCause } from "../tick/pure/cause-words.ts";
import { type DoctorCheck, fail, ok, warn } from "../checks/pure/doctor-check.ts";
import { isFile } from "../system/is-file.ts";
import { readClockMs } from "../system/clock.ts";
import { readFilterSettings } from "../git/filter-settings.ts";
import type { Repository } from "../git/repository-layout.ts";
import { createRunId } from "../journal/run-directory.ts";
import { findStateDirectory } from "../journal/state-directory.ts";
import { listRefusalsForDoctor } from "../tick/preflight.ts";
import { describeGoal, isGoalEmpty } from "../tick/goal-file.ts";
import type { ConfigFile } from "../workspace/config-file.ts";
import { surveyWorkspace } from "../workspace/journal-state.ts";

/** A configuration, written or found. */
export type UsedConfig = Pick<Extract<ConfigFile, { kind: "config" }>, "config" | "text">;

/** The preflight rows that no other line of doctor covers. */
export async function checkPreflight(
  repository: Repository,
  { config, text }: UsedConfig,
): Promise<readonly DoctorCheck[]> {
  const { signal } = new AbortController();
  const workspace = join(repository.root, config.workspace_dir);
  const state = findStateDirectory(repository, repository.environment);
  const refusals = await listRefusalsForDoctor({
    repository,
    stateDirectory: state.kind === "unusable" ? "" : state.path,
    workspace,
    config,
    configText: text,
    settings: await readFilterSettings(repository),
    runId: createRunId(readClockMs()),
    signal,
    journal: foldLines(await readLines(repository, config)),
  });
  const failures = refusals.map(({ code, cause, message }) =>
    fail("preflight", { message, fix: describeCause(code, cause).remedy }),
  );
  const checks = failures.length === 0 ? [ok("preflight", "git can write, and no service refuses")] : failures;
  return [...checks, checkGoal(workspace, config)];
}

async function readLines(repository: Repository, config: UsedConfig["config"]) {
  const state = findStateDirectory(repository, repository.environment);
  if (state.kind === "unusable") return [];
  const places = { repository, config, stateDirectory: state.path, lockPath: state.lockPath };
  const survey = await surveyWorkspace(places);
  return "lines" in survey ? survey.lines : [];
}

/** Only planning needs a goal, so an empty one is a warning and a missing one is none. */
function checkGoal(workspace: string, config: UsedConfig["config"]): DoctorCheck {
  const goal = `${config.workspace_dir}/GOAL.md`;
  if (!isFile(join(workspace, "GOAL.md"))) return ok("goal", `none; only planning needs one: \`relais eject GOAL.md\``);
  if (!isGoalEmpty(workspace)) return ok("goal", goal);
  const { remedy } = describeCause("BLOCKED_MISSING_CONFIG", "goal_empty");
  return warn("goal", { message: describeGoal(workspace, config), fix: remedy });
}
