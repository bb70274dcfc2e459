import { basename, join } from "node:path";
import type { Environment } from "../base/environment.ts";
import type { JournalLine } from "../records/event.ts";
import { unreachable } from "../base/errors.ts";
import { Lock } from "../records/lock.ts";
import { parseWith } from "../base/schema-error.ts";
import { checkBudget } from "../tick/pure/budget.ts";
import { countNoun } from "../base/words.ts";
import { type DoctorCheck, fail, ok, warn } from "../checks/pure/config-text.ts";
import { findNotPutBackRun, findUnfinishedRun } from "../journal/pure/journal-runs.ts";
import { listTickRecords } from "../tick/pure/tick-records.ts";
import { foldWorkspaceState } from "../journal/pure/workspace-state.ts";
import { readBounded } from "../system/bounded-file.ts";
import { listLeftFolders } from "../system/own-folders.ts";
import { describeHolder } from "../process/process-identity.ts";
import type { Repository } from "../git/repository-layout.ts";
import { listPlaces } from "../sandbox/place-folder.ts";
import { openStateDirectory, findStateDirectory } from "../journal/state-directory.ts";
import type { JournalSurvey } from "../journal/survey-journal.ts";
import type { NotReady } from "../records/command-failure.ts";
import { type Config, makeDefaultConfig } from "../config/config.ts";
import {
  refuseUnusableJournal,
  explainLostTick,
  explainShortJournal,
  surveyWorkspace,
  describeGiveBack,
} from "../workspace/journal-state.ts";
import { lockPaths } from "../workspace/read-locks.ts";
import { countHistoryBytes } from "../workspace/history.ts";
import { foldLines } from "../records/folded-lines.ts";
import { describeCause } from "../tick/pure/cause-words.ts";
import { isFile } from "../system/read-files.ts";
import { readClockMs } from "../system/clock.ts";
import { readFilterSettings } from "../git/filter-settings.ts";
import { createRunId } from "../journal/run-directory.ts";
import { listRefusalsForDoctor } from "../tick/preflight.ts";
import { describeGoal, isGoalEmpty } from "../tick/goal-file.ts";
import type { ConfigFile } from "../workspace/config-file.ts";

const LOCK_BYTES_MAX = 16 * 1024;
const MEGABYTE = 1024 * 1024;
const RECOVER = "Run `relais recover`.";

/** Checks the state directory, the locks, the journal, the budget and the history. */
export async function checkState(
  repository: Repository,
  environment: Environment /** Null where the configuration cannot be used. */,
  config: Config | null,
): Promise<readonly DoctorCheck[]> {
  const directory = openStateDirectory(repository, environment);
  if (directory.kind === "unusable") {
    return [
      fail("state", {
        message: `The state directory ${directory.path} cannot be used: ${directory.reason}.`,
        fix: `${describeGiveBack(directory.path)} Or set XDG_STATE_HOME to another folder outside the repository.`,
      }),
    ];
  }
  const used = config ?? makeDefaultConfig();
  const { path: stateDirectory, lockPath } = directory;
  const places = { repository, config: used, stateDirectory, lockPath };
  const lock = await checkLocks(lockPaths(places));
  const journal = await surveyWorkspace(places);
  const lines = "lines" in journal ? journal.lines : null;
  return [
    checkPlaces(stateDirectory, lock.isHeld),
    lock.check,
    checkJournal(journal, lock.isHeld),
    ...(config === null || lines === null ? [] : [checkMilestoneBudget(lines, config)]),
    ...(config === null ? [] : [checkHistory(repository.root, config)]),
  ];
}

/** A running tick works in a place. */
function checkPlaces(stateDirectory: string, isHeld: boolean): DoctorCheck {
  const places = isHeld ? [] : listPlaces(stateDirectory);
  const left = [...places, ...listLeftFolders(stateDirectory).map((path) => basename(path))];
  if (left.length === 0) return ok("state", stateDirectory);
  const message = `${stateDirectory}; the place of an ended tick is left: ${left.join(", ")}.`;
  return warn("state", { message, fix: "Run `relais recover`, which removes it." });
}

interface CheckedLock {
  readonly check: DoctorCheck;
  readonly isHeld: boolean;
}

/** The first lock that is not free. */
async function checkLocks(paths: readonly string[]): Promise<CheckedLock> {
  const sightings = await Promise.all(paths.map(checkLock));
  const free = { check: ok("lock", "free"), isHeld: false };
  return sightings.find(({ check }) => check.status !== "ok") ?? sightings[0] ?? free;
}

async function checkLock(path: string): Promise<CheckedLock> {
  const read = await readBounded(path, LOCK_BYTES_MAX);
  if (read.kind === "missing") return { check: ok("lock", "free"), isHeld: false };
  const holder = read.kind === "read" ? parseLock(read.data) : null;
  if (holder === null) {
    const reason = read.kind === "refused" ? read.reason : "it is not a lock file";
    const fix = `Make sure that no relais runs here, then remove ${path}.`;
    return {
      check: fail("lock", { message: `The lock file ${path} is damaged: ${reason}.`, fix }),
      isHeld: false,
    };
  }
  const state = await describeHolder(holder);
  const who = `process ${holder.pid} on ${holder.host}, since ${holder.started_at}, for ${holder.run_id}`;
  switch (state) {
    case "gone":
      return { check: ok("lock", `free; its last holder is gone (${who})`), isHeld: false };
    case "alive":
      return {
        check: warn("lock", { message: `Held by ${who}.`, fix: "Wait for it to end." }),
        isHeld: true,
      };
    case "unknown": {
      const message = `Held by ${who}; unknown whether it still runs.`;
      const fix = `If it is gone, remove ${path}.`;
      return { check: warn("lock", { message, fix }), isHeld: true };
    }
    default:
      return unreachable(state);
  }
}

function parseLock(data: Buffer): Lock | null {
  try {
    const parsed = parseWith(Lock, JSON.parse(data.toString("utf8")));
    return parsed.kind === "valid" ? parsed.value : null;
  } catch {
    return null; // Not JSON.
  }
}

function checkJournal(journal: JournalSurvey, isHeld: boolean): DoctorCheck {
  switch (journal.kind) {
    case "whole":
      return checkTicks(journal.lines, isHeld);
    case "corrupt":
    case "foreign":
      return reportUnusableJournal(refuseUnusableJournal(journal));
    case "short":
      return reportUnusableJournal(
        journal.damage === null ? explainShortJournal(journal.missing.length) : refuseUnusableJournal(journal.damage),
      );
    case "lost":
      return reportUnusableJournal(explainLostTick(journal.holder));
    default:
      return unreachable(journal);
  }
}

function reportUnusableJournal({ message, problems, remedy }: NotReady): DoctorCheck {
  return fail("journal", { message, problems, fix: remedy ?? RECOVER });
}

function checkTicks(lines: readonly JournalLine[], isHeld: boolean): DoctorCheck {
  const unfinished = findUnfinishedRun(lines);
  if (unfinished !== null) {
    if (isHeld) return ok("journal", `the tick ${unfinished.runId} is running`);
    return fail("journal", {
      message: `The tick ${unfinished.runId} was interrupted in ${unfinished.state.phase}.`,
      fix: RECOVER,
    });
  }
  const failed = findNotPutBackRun(listTickRecords(lines));
  if (failed !== null)
    return fail("journal", { message: `The tick ${failed.runId} could not be reverted.`, fix: RECOVER });
  const ticks = new Set(lines.map(({ run_id }) => run_id)).size;
  return ok("journal", ticks === 0 ? "no tick yet" : `${countNoun(ticks, "tick")}, intact`);
}

const NEXT_MILESTONE = "Raise the cap, or open the next milestone: `relais milestone next`.";

function checkMilestoneBudget(lines: readonly JournalLine[], { budgets, orchestrator }: Config): DoctorCheck {
  const state = foldWorkspaceState(lines, budgets);
  const maxParseRetries = orchestrator.max_parse_retries_per_tick;
  // A single tick is its own series, so only the milestone counts here.
  const decision = checkBudget({ ...state, series: null }, budgets, {
    usesOrchestrator: true,
    usesBuilder: true,
    usesChecks: false,
    usesReviewers: false,
    maxParseRetries,
  });
  if (decision.kind === "blocked") return fail("budget", { message: decision.message, fix: NEXT_MILESTONE });
  if (decision.warnings.length > 0) {
    const message = "The budget of the milestone is nearly used up.";
    return warn("budget", {
      message,
      problems: decision.warnings,
      fix: NEXT_MILESTONE,
    });
  }
  const { ticks } = state.budgets;
  return ok(
    "budget",
    `${ticks} of ${countNoun(budgets.per_milestone.max_ticks, "tick")} of milestone ${state.milestone_id ?? "(none yet)"}`,
  );
}

function checkHistory(root: string, { history }: Config): DoctorCheck {
  if (!history.enabled) return ok("history", "off, as configured");
  const megabytes = countHistoryBytes(join(root, history.dir)) / MEGABYTE;
  const message = `${megabytes.toFixed(1)} of ${history.max_mb} MB in ${history.dir}`;
  if (megabytes <= history.max_mb) return ok("history", message);
  return fail("history", {
    message: `${message}: no tick starts.`,
    fix: "Delete old runs with `relais history prune`, or raise history.max_mb.",
  });
}

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
