/**
 * Keeps the change, commits it, or rolls everything back.
 *
 * The work is saved first, both when it is accepted (so that it can be undone) and when it is rolled back (so that it
 * is not lost). Only the judged candidate is kept: a path that changed since stops the tick.
 */
import { join } from "node:path";
import type { SettleAction, TickEvent } from "../records/event.ts";
import { describeError, MeasurementError, unreachable } from "../base/errors.ts";
import type { Rules, Evidence } from "../records/evidence.ts";
import type { KeptWork } from "../records/kept-work.ts";
import { MainTreeChanged } from "../base/main-tree-changed.ts";
import { RollbackError } from "../base/rollback-error.ts";
import { combineRules } from "../judge/pure/combine-rules.ts";
import { findJudgement, findTask } from "./pure/tick-facts.ts";
import type { Settling, PreparedFacts } from "./pure/tick-state.ts";
import type { Task } from "../records/task.ts";
import { writeUnkeptNote, listUnkeptNotes } from "../evidence/pure/unkept-notes.ts";
import { isOwnFile, isWrittenByRelais } from "../config/workspace-layout.ts";
import { copyKeptPatch, locateKeptFolder } from "../store/rescue.ts";
import { makeDeadlineSignal } from "../system/pause.ts";
import { HELD } from "../records/suspicions.ts";
import { findProofTrailer } from "../records/proof.ts";
import { readCommit } from "../git/read-commit.ts";
import { removeStrays } from "../store/remove-strays.ts";
import { isPrivateStill } from "../git/private-repository.ts";
import { commitRequest, describeProof, findHookRun } from "./commit-request.ts";
import { addRecorded } from "../journal/recorded-evidence.ts";
import { readTriedWork } from "../journal/trial-note.ts";
import type { Candidate } from "../place/workplace.ts";
import { findWork, hashKept } from "../keep/keep-work.ts";
import { signSettlement } from "../keep/sign-settlement.ts";
import { commitOwn, addOwnData, writeOwn } from "./own-record.ts";
import { readCandidate, readRules } from "./perform-judge.ts";
import { keepSalvage } from "../keep/salvage.ts";
import { STORE_CHANGED } from "./check-rebuilt-state.ts";
import { commitAccepted, type CommitOutcome } from "../keep/settle-commit.ts";
import { type OpenTick, TICK_TIMEOUT } from "./running-tick.ts";
import { keepAccepted } from "../keep/undo.ts";
import type { Code } from "../base/codes.ts";
import { judge } from "../judge/pure/judge.ts";

type KeptSettling = Exclude<Settling, { action: "rollback" }>;

export async function performSettle(session: OpenTick, state: Settling): Promise<TickEvent> {
  const event = await settle(session, state);
  const { keptSha256, refusals = [] } = session.left;
  if (event.type !== "settled") return event;
  const later = [...refusals, ...(await listSigningNotes(session, state, event))];
  const settled = later.length === 0 ? event : addNotes(event, [...(event.notes ?? []), ...later]);
  return keptSha256 === undefined ? settled : { ...settled, kept_sha256: keptSha256 };
}

/** A commit has its proof already, unless it was made before this tick. Nothing is reverted for a missing one. */
async function listSigningNotes(session: OpenTick, { facts, outcome }: Settling, { commit }: SettledEvent) {
  const {
    tick: { config, runId },
    where: { repository, runDirectory: folder },
  } = session;
  if (commit !== null) {
    const { message } = config.journal.sign === null ? { message: null } : await readCommit(repository, commit);
    return message === null || findProofTrailer(message)?.runId === runId ? [] : [UNSIGNED_COMMITS];
  }
  const statement = { ...describeProof(session, facts, outcome.code), tree: null };
  const signed = await signSettlement({ config, repository, folder }, statement);
  return signed?.kind === "unsigned" ? [`The tick is not signed: ${signed.reason}.`] : [];
}

const UNSIGNED_COMMITS = "The commits were made before this tick and carry no proof of it.";

async function settle(session: OpenTick, state: Settling): Promise<TickEvent> {
  if (state.action === "rollback") return rollBack(session, state);
  if (!(await isPrivateStill(session.where.store.gitDir))) return STORE_CHANGED;
  try {
    if (state.action === "commit") return await commitCandidate(session, state);
    await adoptCandidate(session, state);
    return makeSettled({ action: "accept" });
  } catch (error) {
    if (!(error instanceof MainTreeChanged)) throw error;
    return { type: "interrupted", code: "STOP_MAIN_TREE_CHANGED", cause: "main_tree_changed", message: error.message };
  }
}

interface SettledAs {
  readonly action: SettleAction;
  readonly commit?: string | null;
  readonly branch?: string | null;
  readonly salvage?: string | null;
}

function makeSettled({ action, commit: id = null, branch = null, salvage = null }: SettledAs): SettledEvent {
  return { type: "settled", action, commit: id, branch, salvage };
}

/** Keeps the candidate, if it is still the one that was judged and verified. */
async function adoptCandidate(session: OpenTick, { outcome: { code } }: KeptSettling): Promise<Candidate> {
  const {
    tick: { runId },
    where: { settlement, store, stateDirectory },
    left: memory,
  } = session;
  const candidate = readCandidate(session);
  const changed = (await settlement.merge(candidate)).filter((path) => !memory.tolerated.includes(path));
  if (changed.length > 0) throw endUnjudged(session, changed);
  const { evidence } = candidate;
  const kept = await keepAccepted({
    store,
    stateDirectory,
    runId,
    code,
    evidence,
    besides: await listBesides(session, candidate),
  });
  memory.keptSha256 = hashKept(kept);
  const folder = locateKeptFolder(stateDirectory, "accepted", runId);
  await copyKeptPatch(store.redo, folder, join(session.where.runDirectory, "diff.patch"));
  return candidate;
}

/** Changes of the tick outside its commit: ignored files, and files of its checks. */
async function listBesides({ where: { change }, left: memory }: OpenTick, { evidence }: Candidate) {
  const isTouchedLater = memory.tolerated.some((path) => !path.startsWith("git: "));
  const now = isTouchedLater ? (await change.collect(evidence.rules)).evidence : evidence;
  const held = new Set(evidence.changes.filter(({ standing }) => standing !== "ignored").map(({ path }) => path));
  return now.changes.filter(({ path }) => !held.has(path));
}

/** Salvage then takes the files as they are now, and not as judged. */
export function endUnjudged({ left: memory }: OpenTick, paths: readonly string[]): MeasurementError {
  memory.candidate = null;
  return new MeasurementError("the change", `it changed after the judgement: ${paths.slice(0, 5).join(", ")}`);
}

/** A signal waits, because the verdict is recorded. The deadline does not: a filter may never end. */
async function commitCandidate(session: OpenTick, state: KeptSettling): Promise<TickEvent> {
  const deadline = makeDeadlineSignal(session.tick.deadlineAt);
  try {
    const candidate = await adoptCandidate(session, state);
    const own = await writeOwn(session, state);
    const changes = [...candidate.evidence.changes, ...own.changes];
    const hooks = findHookRun(session);
    const outcome = await commitAccepted(
      await commitRequest(session, {
        ...state,
        changes,
        signal: deadline,
        hooks,
        subject: own.record?.subject,
      }),
    );
    if (outcome.kind === "refused" && deadline.aborted) return TICK_TIMEOUT;
    if (outcome.kind === "committed") {
      const edited = await listEditedFiles(session, candidate);
      if (edited.length > 0) throw endUnjudged(session, edited);
    }
    return addOwnData(own, concludeCommit(outcome));
  } catch (error) {
    if (deadline.aborted && error instanceof MeasurementError) return TICK_TIMEOUT;
    throw error;
  }
}

/** Files that a hook or a filter wrote. Git's own data differs, because there is a new commit. */
async function listEditedFiles(
  { where: { change }, left: memory }: OpenTick,
  candidate: Candidate,
): Promise<readonly string[]> {
  const changed = await change.changedSince(candidate);
  return changed.filter((path) => !path.startsWith("git: ") && !memory.tolerated.includes(path));
}

function concludeCommit(outcome: CommitOutcome): TickEvent {
  switch (outcome.kind) {
    case "committed":
      return {
        ...makeSettled({ action: "commit", commit: outcome.commit, branch: outcome.branch }),
        notes: [...outcome.notes],
      };
    case "nothing-to-commit":
      return makeSettled({ action: "commit" });
    case "refused": {
      const { cause, message } = outcome;
      return { type: "interrupted", code: "STOP_INTERRUPTED", cause, message };
    }
    default:
      return unreachable(outcome);
  }
}

/**
 * Rolls back. If the work cannot be saved, as on a full disk, that is reported and no reason to leave
 * the repository as a builder left it.
 */
async function rollBack(session: OpenTick, state: Settling): Promise<TickEvent> {
  const {
    where: { settlement },
  } = session;
  await settlement.reopen().catch(() => null); // If it fails, the rollback says why.
  removeStrays(session.where.store);
  const { salvage, isWhole, notes } = await trySalvage(session, state);
  try {
    const unkept = await settlement.discard();
    const own = await commitOwn(session, state);
    const whole = isWhole ? { whole: true as const } : {};
    const event = { ...makeSettled({ action: "rollback", salvage, ...own.committed }), ...whole };
    return addOwnData(own, addNotes(event, [...notes, ...unkept]));
  } catch (error) {
    if (!(error instanceof RollbackError) || notes.length === 0) throw error;
    // A repair by hand must not look for the work in the wrong place.
    const message = [error.message, ...notes].join("; ");
    return { type: "rollback_failed", message, differences: error.differences.slice(0, 200) };
  }
}

type SettledEvent = Extract<TickEvent, { type: "settled" }>;

function addNotes(event: SettledEvent, notes: readonly string[]): SettledEvent {
  return notes.length === 0 ? event : { ...event, notes: [...notes] };
}

interface SalvageResult {
  readonly salvage: string | null;
  readonly isWhole: boolean;
  readonly notes: readonly string[];
}

async function trySalvage(session: OpenTick, state: Settling): Promise<SalvageResult> {
  const {
    tick: { runId, config },
    where: { stateDirectory, runDirectory },
  } = session;
  try {
    // Once more: a person may save a file in the moment in which it is read.
    const kept = await saveWork(session, state).catch(() => saveWork(session, state));
    if (kept === null || kept === "nothing") return { salvage: null, isWhole: kept === "nothing", notes: [] };
    // After a crash the drop folder still exists, which nobody needs.
    const left_out = kept.left_out.filter(({ path }) => !isWrittenByRelais(path, config));
    const notes = listUnkeptNotes({ left_out });
    const isWhole = kept.whole === true;
    if (kept.files.length === 0) return { salvage: null, isWhole, notes };
    session.left.keptSha256 = hashKept(kept);
    const folder = locateKeptFolder(stateDirectory, "salvage", runId);
    await copyKeptPatch(session.where.store.redo, folder, join(runDirectory, "diff.patch"));
    return { salvage: runId, isWhole, notes };
  } catch (error) {
    const reason = describeError(error);
    return { salvage: null, isWhole: false, notes: [writeUnkeptNote("the work", reason)] };
  }
}

/** Without a task, the rules of the configuration. */
export function listSalvageRules(session: OpenTick, task: Task | null): Rules {
  return task === null ? combineRules(session.tick.config, null) : readRules(session, task);
}

/** After an interrupted rollback the earlier salvage counts: part of the work may be reverted already. */
async function saveWork(session: OpenTick, { facts, outcome }: Settling): Promise<KeptWork | "nothing" | null> {
  const {
    tick: { runId },
    where: { store, stateDirectory, runDirectory, change },
  } = session;
  const earlier = await findWork({ stateDirectory, lines: [] }, "salvage", runId);
  if (earlier.kind === "found") return earlier.work;
  // Collected again: a check or a person may have changed something since the judgement.
  const now = () => change.collect(listSalvageRules(session, findTask(facts)), "unchanged");
  const judged = findJudgement(facts)?.evidence_sha256 ?? null;
  // Without the candidate this is a recovery, and a rollback may have begun before.
  const addReverted = (found: Evidence) =>
    session.left.candidate === null && judged !== null ? addRecorded(found, runDirectory, judged) : found;
  const evidence = (await readTriedWork(runDirectory, judged)) ?? (await addReverted((await now()).evidence));
  const { isLawful, isNothing } = weighWork(session, facts, evidence);
  if (isNothing) return isLawful ? "nothing" : null;
  // An interrupted commit has the runner's own files, such as the tree, whole or half written: its repetition writes them again.
  const isRunners = (path: string) =>
    isOwnFile(path, session.tick.config) || isWrittenByRelais(path, session.tick.config);
  return keepSalvage({ store, stateDirectory, runId, code: outcome.code, evidence, isLawful, isRunners });
}

/** The workflow knows the size limit, and judges adopted work again. What holds a change breaks no rule. */
const LAWFUL: readonly Code[] = ["SUCCESS", HELD, "STOP_DIFF_TOO_LARGE"];

/** Whether reverted work can be adopted later, because its session finished and kept the rules. */
function weighWork({ tick: { config } }: OpenTick, facts: PreparedFacts, evidence: Evidence) {
  // A crash leaves the drop folders of the runner, which are no change.
  const drops = `${config.workspace_dir}/.tmp`;
  const isDrop = (path: string) => path === drops || path.startsWith(`${drops}/`);
  const changes = evidence.changes.filter(({ path }) => !isDrop(path));
  const isJudged = LAWFUL.includes(judge({ ...evidence, changes }).code);
  // Of too much new content, only a part is saved.
  const isWhole = evidence.excess === undefined && isFinished(facts);
  const isNothing = changes.every(({ path }) => isWrittenByRelais(path, config));
  return { isLawful: isWhole && (isJudged || wasJudged(facts)), isNothing };
}

/** A tick without a builder has no unfinished work. */
function isFinished(facts: PreparedFacts): boolean {
  return !("building" in facts) || ("built" in facts && facts.built.failure === null);
}

/** An interrupted commit looks like the builder's, but the judgement before it found none. */
function wasJudged(facts: PreparedFacts): boolean {
  return "building" in facts && "judged" in facts && ["SUCCESS", HELD].includes(facts.judged.code);
}
