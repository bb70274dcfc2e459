/**
 * Where things stand. It only reads, takes no lock and waits for nobody: a relais that works here meanwhile is part of
 * the answer.
 */
import { chooseDriver } from "../../agents/choose-driver.ts";
import type { ScriptPlayer } from "../../agents/scripted.ts";
import type { Environment } from "../../contract/values/environment.ts";
import type { Code } from "../../contract/values/codes.ts";
import type { Config } from "../../contract/config/config.ts";
import { foldedLines } from "../../contract/journal/folded-lines.ts";
import type { Lock } from "../../contract/journal/lock.ts";
import type { WorkspaceState } from "../../contract/documents/state.ts";
import { workspaceState } from "../../core/history/workspace-state.ts";
import { currentTimeMs } from "../../io/machine/clock.ts";
import { filterSettings } from "../../io/git/filter-settings.ts";
import type { LockSighting } from "../../io/journal/lock.ts";
import { readHead } from "../../io/git/read-head.ts";
import { newRunId } from "../../io/workspace/run-directory.ts";
import { findStateDirectory } from "../../io/workspace/state-directory.ts";
import { missingProgram } from "../workspace/agent-programs.ts";
import {
  builderUnusable,
  findGround,
  gitUnusable,
  replacedWorkspace,
  type Unready,
} from "../workspace/ground.ts";
import { incompleteJournal } from "../workspace/incomplete-journal.ts";
import { lockAround } from "../workspace/lock-around.ts";
import { preflightRefusal } from "../steps/perform-preflight.ts";
import { lookAround, type Surroundings } from "../workspace/surroundings.ts";
import { linesHere } from "../workspace/lines-here.ts";
import { secondsSince, type StatusTicks, statusTicks } from "./status-ticks.ts";
import { type WaitingChange, waitingChange } from "../decisions/waiting-change.ts";

export interface StatusRequest {
  readonly cwd: string;
  readonly environment: Environment;
  readonly signal: AbortSignal;
  /** Whether to find out if a tick could begin now. */
  readonly withPreflight: boolean;
  readonly player: ScriptPlayer;
}

export interface Status extends StatusTicks {
  readonly kind: "status";
  readonly repository: string;
  readonly branch: string | null;
  readonly config:
    | { readonly kind: "usable" }
    | { readonly kind: "missing" }
    | { readonly kind: "unusable"; readonly message: string; readonly problems: readonly string[] };
  /** A lock file that nobody can understand; no tick begins beside it. */
  readonly damagedLock: { readonly path: string; readonly reason: string } | null;
  /** How many lines the journal has lost that can be brought back. */
  readonly missingLines: number;
  /** A tick that was cut short and of which nothing is known any more. */
  readonly lost: { readonly runId: string; readonly secondsAgo: number } | null;
  readonly question: WorkspaceState["open_question"];
  readonly accepted: WaitingChange | null;
  readonly budgets: {
    readonly milestoneId: string | null;
    readonly used: WorkspaceState["budgets"];
    readonly caps: Config["budgets"]["per_milestone"];
    readonly warnAtFraction: number;
  } | null;
  /** Why nobody can plan, so that a tick needs a task from a person. */
  readonly planTrouble: string | null;
  readonly preflight: Preflight | null;
}

type Preflight =
  | { readonly kind: "ready" }
  | {
      readonly kind: "blocked";
      readonly code: Code;
      readonly cause: string;
      readonly message: string;
      /** What to do, where the code's own remedy would lead astray. */
      readonly remedy?: string;
    };

export async function whereThingsStand(request: StatusRequest): Promise<Status | Unready> {
  const around = await lookAround(request.cwd, request.environment);
  if (around.kind === "blocked") return around;
  const unusable = await gitUnusable(around.repository.root, around.repository.environment);
  if (unusable !== null) return unusable;
  const replaced = replacedWorkspace(around.repository.root, around.config);
  if (replaced !== null) return replaced;
  const head = await readHead(around.repository, request.signal);
  const { lines, config, configFile } = around;
  const state = workspaceState(lines, config.budgets);
  const lock = await lockAround(around);
  return {
    kind: "status",
    repository: around.repository.root,
    branch: /^ref: refs\/heads\/(?<branch>.+)$/s.exec(head.text)?.groups?.["branch"] ?? null,
    ...configPart(around),
    ...troublePart(around, lock),
    ...statusTicks(linesHere(around.lines, around.repository), lock, around.repository.root),
    question: state.open_question,
    accepted: await waitingChange(around, head),
    budgets: configFile.kind === "config" ? budgetsPart(state, config) : null,
    planTrouble: await planTrouble(around, request),
    preflight: request.withPreflight ? await preflight(request, around, lock) : null,
  };
}

function configPart({ configFile }: Surroundings): Pick<Status, "config"> {
  return { config: configFile.kind === "config" ? { kind: "usable" } : configFile };
}

/** What is wrong with the runner's own files. */
function troublePart(
  { missingLines, lostTick }: Surroundings,
  lock: LockSighting,
): Pick<Status, "damagedLock" | "missingLines" | "lost"> {
  return {
    damagedLock: lock.kind === "corrupt" ? { path: lock.path, reason: lock.reason } : null,
    missingLines,
    lost: lostTick && { runId: lostTick.run_id, secondsAgo: secondsSince(lostTick.started_at) },
  };
}

/** Why a tick needs a task from a person; null where somebody can plan. */
async function planTrouble(
  { config, configFile, repository }: Surroundings,
  { player, environment }: StatusRequest,
): Promise<string | null> {
  if (configFile.kind !== "config") return null;
  const choice = await chooseDriver({ config, repository, player, role: "orchestrator" });
  if (choice.kind === "refused") return `The orchestrator cannot be used: ${choice.problem}.`;
  return missingProgram("orchestrator", { config, root: repository.root, path: environment["PATH"] });
}

/** Who is at work here; null where nobody is. */
export async function lookAtHolder(around: Surroundings): Promise<Lock | null> {
  const sighting = await lockAround(around);
  return sighting.kind === "busy" ? sighting.holder : null;
}

function budgetsPart(state: WorkspaceState, { budgets }: Config): Status["budgets"] {
  return {
    milestoneId: state.milestone_id,
    used: state.budgets,
    caps: budgets.per_milestone,
    warnAtFraction: budgets.warn_at_fraction,
  };
}

/** The questions of a tick that begins, in the same order, and nothing is written down. */
async function preflight(
  request: StatusRequest,
  { lines }: Surroundings,
  lock: LockSighting,
): Promise<Preflight> {
  const { cwd, environment, signal, player } = request;
  const ground = await findGround(cwd, environment, findStateDirectory);
  if (ground.kind === "blocked") return blocked(ground);
  if (lock.kind === "busy" || lock.kind === "corrupt") return lockHeld(lock);
  const incomplete = await incompleteJournal(ground);
  if (incomplete !== null) return blocked(incomplete);
  const { config, repository } = ground;
  const builder = await chooseDriver({ config, repository, player });
  if (builder.kind === "refused") {
    return blocked(builderUnusable(builder.problem));
  }
  const refusal = await preflightRefusal({
    ...ground,
    journal: foldedLines(lines),
    settings: await filterSettings(repository, signal),
    runId: newRunId(currentTimeMs()),
    signal,
  });
  return refusal === null ? { kind: "ready" } : blocked(refusal);
}

function lockHeld(lock: Extract<LockSighting, { kind: "busy" | "corrupt" }>): Preflight {
  const code = "BLOCKED_LOCK_HELD";
  if (lock.kind === "corrupt")
    return blocked({
      code,
      cause: "lock_corrupt",
      message: `The lock file ${lock.path} is damaged: ${lock.reason}.`,
      remedy: `Make sure that no relais works here, then remove it: rm ${lock.path}`,
    });
  const { pid, host, run_id } = lock.holder;
  const message = `Process ${pid} on ${host} is at work here (run ${run_id}).`;
  return blocked({ code, cause: "lock_held", message });
}

function blocked(why: Omit<Extract<Preflight, { kind: "blocked" }>, "kind">): Preflight {
  const { code, cause, message, remedy } = why;
  return { kind: "blocked", code, cause, message, ...(remedy === undefined ? {} : { remedy }) };
}
