import { createHash } from "node:crypto";
import { join } from "node:path";
import type { Evidence, Rules } from "../records/evidence.ts";
import type { TickEvent } from "../records/event.ts";
import { InvariantError } from "../base/errors.ts";
import { decodePath } from "../base/path-names.ts";
import { REPORT_LIMITS } from "../records/report.ts";
import type { Task } from "../records/task.ts";
import { judge } from "../judge/pure/judge.ts";
import { listCheckPrograms, makeWeakeningRules } from "../checks/pure/check-steering.ts";
import { listOracleGlobs, findTouchedOracle } from "../checks/pure/oracle.ts";
import { limitToCeiling, listBeyondCeilingNotes, combineRules } from "../judge/pure/combine-rules.ts";
import { writeOriginalNote } from "../evidence/pure/unkept-notes.ts";
import { findBuilt } from "./pure/tick-facts.ts";
import type { StateIn } from "./pure/tick-state.ts";
import { isPrivateStill } from "../git/private-repository.ts";
import type { Candidate } from "../place/workplace.ts";
import { STORE_CHANGED } from "./check-rebuilt-state.ts";
import type { OpenTick, RunningTick } from "./running-tick.ts";
import { readClockMs } from "../system/clock.ts";
import { readTaskText } from "../judge/pure/asked-work.ts";
import { createDispatch } from "../system/drop-folder.ts";
import type { Foreseen } from "../evidence/foresee-patch.ts";

/** Collects the evidence and judges it. The evidence is on disk before the verdict is recorded. */

export async function performJudge(session: OpenTick, state: StateIn<"judge">): Promise<TickEvent> {
  const { foreseen } = session.left;
  if (foreseen === null && !(await isPrivateStill(session.where.store.gitDir))) return STORE_CHANGED;
  const { evidence: measured, observation } = foreseen ?? (await collectChange(session, state));
  const evidence: Evidence = { ...measured, builder_failure: findBuilt(state)?.failure ?? null };
  // The candidate of a patch exists only once it is written.
  if (foreseen === null) session.left.candidate = { evidence, observation };
  const text = `${JSON.stringify(evidence)}\n`;
  session.where.store.redo.write(join(session.where.runDirectory, "evidence.json"), text);
  const { code, cause, findings, notes, blast_radius } = judge(evidence);
  const oracle = findTouchedOracle(evidence.changes, readOracle(session));
  const beyond =
    readScopeCeiling(session) === "told"
      ? listBeyondCeilingNotes(evidence.changes, {
          allowed: evidence.rules.allowed_globs,
          ceiling: session.tick.config.scope.default_allowed_globs,
        })
      : [];
  const paths = evidence.changes.filter(({ standing }) => standing !== "ignored").map(({ path }) => path);
  return {
    type: "judged",
    code,
    cause,
    evidence_sha256: createHash("sha256").update(text).digest("hex"),
    blast_radius,
    findings: findings.slice(0, REPORT_LIMITS.findings),
    findings_total: findings.length,
    notes: [...(await listOriginalNotes(session)), ...notes, ...beyond, ...oracle.notes].slice(0, REPORT_LIMITS.notes),
    touched_paths: paths.slice(0, REPORT_LIMITS.touchedPaths),
    touched_paths_total: paths.length,
  };
}

/** In a sandbox, no program of the tick reaches the original. The folder of relais itself is its own. */
async function listOriginalNotes({
  tick: { config },
  where: { sandbox, change },
}: OpenTick): Promise<readonly string[]> {
  const own = `${config.workspace_dir}/`;
  const edits = sandbox === null ? await change.originalEdits() : [];
  const theirs = edits.filter((path) => !path.startsWith(own));
  return theirs.length === 0 ? [] : [writeOriginalNote(theirs)];
}

/** What passing checks left behind is no part of an edited change. */
async function collectChange(session: OpenTick, { task, isEdited }: StateIn<"judge">): Promise<Candidate> {
  const {
    where: { change },
    left: memory,
  } = session;
  const collected = await change.collect(readRules(session, task));
  if (isEdited !== true) return collected;
  const known = new Set(memory.candidate?.evidence.changes.map(({ path }) => path));
  const isLeft = (path: string): boolean => memory.tolerated.includes(path) && !known.has(path);
  const changes = collected.evidence.changes.filter(({ path }) => !isLeft(path));
  return { ...collected, evidence: { ...collected.evidence, changes } };
}

export function readCandidate({ left: { candidate } }: OpenTick): Candidate {
  if (candidate === null) throw new InvariantError("nothing was judged in this process");
  return candidate;
}

/** The configuration narrowed by the task. Protected tests and files that steer the checks are forbidden. */
export function readRules(session: OpenTick, task: Task): Rules {
  const { config } = session.tick;
  const rules = combineTaskRules(session, task);
  const isCeilingEnforced = readScopeCeiling(session) === "enforced";
  const isOwn = isOwnTask(session);
  const isOracleForbidden = config.verification.oracle === "frozen";
  const oracleGlobs = isOracleForbidden ? listOracleGlobs(readOracle(session)) : [];
  return {
    ...(isCeilingEnforced ? limitToCeiling(rules, config.scope.default_allowed_globs) : rules),
    task_kind: task.task_kind ?? "question",
    forbidden_globs: [...rules.forbidden_globs, ...oracleGlobs],
    // A copy of a test is no leak.
    ...(isOracleForbidden ? { sealed_globs: rules.forbidden_globs } : {}),
    ignored_guarded_globs: [
      ...listCheckPrograms(listChecks(session), session.pinned.recipes),
      ...session.pinned.insidePrograms,
    ],
    ...(isChangeRequired(session, task) ? { change_required: true } : {}),
    ...readAccepted(session),
    ...makeWeakeningRules(config.verification, isOwn ? (task.allows ?? []) : [], { text: readTaskText(task), isOwn }),
  };
}

/** What a person forbids, no task allows. */
function combineTaskRules(session: OpenTick, task: Task): Rules {
  const { config } = session.tick;
  const { ceiling, typed, forbidsNewFiles = false } = session.kind === "running" ? session.work : NO_WORK;
  const rules = combineRules({ ...config, diff_limits: ceiling ?? config.diff_limits }, pickScope(task), typed);
  const { uncommitted } = session.pinned;
  return {
    ...rules,
    ...(forbidsNewFiles ? { allow_new_files: false } : {}),
    ...(uncommitted.length === 0 ? {} : { uncommitted_paths: uncommitted.map((path) => decodePath(path).text) }),
  };
}

const NO_WORK: Partial<RunningTick["work"]> = {};

/** What a person decided about suspicions, for this work or for the whole series. */
function readAccepted(session: OpenTick): Pick<Rules, "accepted" | "suspicions"> {
  if (session.kind !== "running") return {};
  const { accepted = [], suspicions } = session.work;
  return {
    ...(accepted.length === 0 ? {} : { accepted: [...accepted] }),
    ...(suspicions === undefined ? {} : { suspicions }),
  };
}

/** The configured checks, and the workflow's own. */
function listChecks(session: OpenTick) {
  const own = session.kind === "running" ? session.work.checks.known : [];
  return [...session.tick.config.verification.templates, ...own];
}

function readScopeCeiling(session: OpenTick) {
  return session.kind === "running" ? session.work.ceilingOfScope : undefined;
}

/** A person's, not one that an orchestrator wrote. */
function isOwnTask(session: OpenTick): boolean {
  return readScopeCeiling(session) === "told";
}

function isChangeRequired(session: OpenTick, task: Task): boolean {
  const isAsked = session.kind === "running" && session.work.changeRequired === true;
  return isAsked && task.task_kind === "execute" && task.allow_no_change !== true;
}

function readOracle({ tick: { config }, pinned: { runByGit, recipes } }: OpenTick) {
  return { ...config.verification, runByGit, recipes };
}

/** A task that changes nothing has no scope of its own. */
function pickScope(task: Task): Parameters<typeof combineRules>[1] {
  return task.task_kind === "execute" || task.task_kind === "verify_only" ? task : null;
}

/**
 * A task with a patch: no agent is called, and nothing is written until the result is judged.
 *
 * The build phase foresees the result of the patch, which the judge reads. Only a candidate
 * that passes every gate is written, and then checked and settled as any other.
 */

export function announcePatch({ work }: RunningTick): TickEvent {
  const started = {
    type: "build_started",
    driver: "patch",
    sandbox: "none",
    dispatch: createDispatch(),
  } as const;
  return work.isOwnPatch === true ? { ...started, own_patch: true } : started;
}

export async function performPatch(session: OpenTick, task: Task, patch: string): Promise<TickEvent> {
  const startedAt = readClockMs();
  const { candidate, failure, message } = await performForeseePatch(session, task, patch);
  session.left.foreseen = candidate;
  return {
    type: "build_ended",
    failure,
    builder_output_valid: null,
    summary: message,
    duration_ms: Math.max(0, Math.round(readClockMs() - startedAt)),
    usage: null,
  };
}

export function performForeseePatch(session: OpenTick, task: Task, patch: string): Promise<Foreseen> {
  const {
    tick: { signal },
    where: { change, runDirectory },
  } = session;
  return change.foresee({ patch, rules: readRules(session, task), folder: runDirectory, signal });
}

/** Writes what was judged: the candidate of the following steps. */
export async function performWrite({ where: { change }, left: memory }: OpenTick): Promise<TickEvent> {
  if (memory.foreseen === null) throw new InvariantError("nothing was judged that could be written");
  memory.candidate = await change.write(memory.foreseen);
  return { type: "written" };
}
