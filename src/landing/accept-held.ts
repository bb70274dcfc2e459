/**
 * `relais accept RUN` for a held change: the person has seen why it was held and wants it. It is put on top of HEAD, judged
 * and checked there like any landing, with exactly the shown findings lifted. So a new finding or a red check stops it.
 */
import type { Choices } from "../config/choices.ts";
import type { OwnMessage } from "../records/decisions.ts";
import type { JournalLine } from "../records/event.ts";
import { type HeldWork, listHeldWork } from "../journal/pure/held-work.ts";
import { findRun } from "../journal/pure/journal-runs.ts";
import { readRecordedEvidence } from "../journal/recorded-evidence.ts";
import { locateRunDirectory } from "../journal/run-directory.ts";
import { type CommandFailure, type Refusal, refuse } from "../records/command-failure.ts";
import type { Rules } from "../records/evidence.ts";
import { uncommittedPaths } from "../judge/pure/judge.ts";
import { NEEDS_UNCOMMITTED } from "../checks/pure/stage-ends.ts";
import { HELD, isSuspicion, makeAccepted } from "../records/suspicions.ts";
import { locateKeptFolder, namePatchPath } from "../store/rescue.ts";
import { commitIdentity, namePerson } from "../store/commit-identity.ts";
import { findBuilding, findFindings, findJudgement, findOutcome, findStart } from "../tick/pure/tick-facts.ts";
import { listTickRecords, type TickRecord } from "../tick/pure/tick-records.ts";
import { listRepositoryLines } from "../workspace/lines-of-repository.ts";
import { type Misuse, reportMisuse } from "../workspace/misuse.ts";
import { refuseAcceptToAgent } from "../workspace/own-environment.ts";
import { withSnapshot } from "../workspace/with-snapshot.ts";
import type { CommandContext, WorkspaceRequest, WorkspaceSnapshot } from "../workspace/workspace.ts";
import { landChange, type AcceptedRun, type LandAnswer, type LandedTick } from "./land-change.ts";
import { type LandingTerms, NO_TERMS } from "./landing-task.ts";

interface AcceptWish {
  /** The id of a tick, or its beginning or end. */
  readonly run: string;
  readonly reason: string | null;
  /** What the person allows besides what was shown; absent is nothing. */
  readonly choices?: Choices;
  readonly updateTests?: readonly string[];
  readonly message?: OwnMessage;
}

type AcceptAnswer = (LandedTick & { readonly held: string }) | CommandFailure | Misuse;

/** Null where this is no held change. */
export async function acceptHeld(request: CommandContext, wish: AcceptWish): Promise<AcceptAnswer | null> {
  const found = await withSnapshot(request, (snapshot) => readHeld(request, snapshot, wish));
  if (found.kind !== "held") return found.kind === "other" ? null : found;
  const { record, accepts, terms, patchPath } = found;
  const { runId } = record;
  const { message, choices = {}, updateTests = [] } = wish;
  if (message !== undefined && !("text" in message))
    return reportMisuse("a held change is judged again first: give its message with -m");
  const answer = await landChange({
    ...request,
    source: { kind: "salvage", runId },
    terms: { ...terms, choices, wishes: { ...terms.wishes, updateTests } },
    accepts,
    ...(message === undefined ? {} : { message: message.text }),
  });
  return answer.kind === "ended" ? { ...answer, held: runId } : nameConflict(answer, runId, patchPath);
}

function nameConflict(answer: Exclude<LandAnswer, LandedTick>, runId: string, patchPath: string) {
  if (answer.kind !== "conflict") return answer;
  const message = `The change of ${runId} conflicts with what was committed since.`;
  const next = `Merge it by hand: git apply --3way ${patchPath}`;
  return refuse({ cause: "conflict", runId, message, paths: answer.paths, next });
}

interface FoundHeld {
  readonly kind: "held";
  readonly record: TickRecord;
  readonly accepts: AcceptedRun;
  readonly terms: LandingTerms;
  readonly patchPath: string;
}

async function readHeld(
  request: WorkspaceRequest,
  snapshot: WorkspaceSnapshot,
  { run, reason }: AcceptWish,
): Promise<FoundHeld | Refusal | Misuse | { readonly kind: "other" }> {
  const { repository, stateDirectory } = snapshot;
  const lines = listRepositoryLines(snapshot.lines, repository);
  const record = findHeldRecord(lines, run);
  if ("kind" in record) return record;
  const { runId } = record;
  const refusal = refuseAcceptToAgent(`relais accept ${runId}`, request) ?? refuseDecided(record, listHeldWork(lines));
  if (refusal !== null) return refusal;
  const rules = await readJudgedRules(stateDirectory, record);
  const by = namePerson(await commitIdentity(repository), request.environment);
  const shown = listShown(lines, record);
  const accepts = {
    decision: { by, reason },
    findings: shown.filter(({ gate }) => !OF_UNCOMMITTED.includes(gate)).map(makeAccepted),
    // The protected paths that the person's sentence had named.
    typed: (rules?.lifted_paths ?? []).join("\n"),
    awaited: rules?.uncommitted_paths === undefined ? null : listAwaited(shown, rules.uncommitted_paths),
  };
  const patchPath = namePatchPath(locateKeptFolder(stateDirectory, "salvage", runId));
  return { kind: "held", record, accepts, terms: { ...NO_TERMS, command: nameCommand(record) }, patchPath };
}

/** The tick with this name, if it was held. */
export function findHeldRecord(
  lines: readonly JournalLine[],
  run: string,
): TickRecord | Misuse | { readonly kind: "other" } {
  const records = listTickRecords(lines).toReversed();
  const found = findRun(
    run,
    records.map(({ runId }) => runId),
  );
  if (found.kind === "several") return reportMisuse(`"${run}" matches several ticks`, found.runIds.slice(0, 10));
  const record = found.kind === "run" ? records.find(({ runId }) => runId === found.runId) : undefined;
  const isHeld = record !== undefined && record.endedAt !== null && findOutcome(record.state)?.code === HELD;
  return isHeld ? record : { kind: "other" };
}

export function refuseDecided({ runId, state }: TickRecord, waiting: readonly HeldWork[]): Refusal | null {
  if (waiting.some((work) => work.runId === runId)) return null;
  const isRejected = state.phase === "done" && state.isRejected;
  const why = isRejected ? "you rejected it" : "it was kept, or other work took its place";
  const message = `The change of ${runId} does not wait any more: ${why}.`;
  return refuse({
    cause: "decided_already",
    runId,
    message,
    next: `Take it all the same, not judged: \`relais salvage apply ${runId}\`.`,
  });
}

/** What this tick was held for, and what a person had accepted of the same work before. */
function listShown(lines: readonly JournalLine[], { state }: TickRecord): ReturnType<typeof findFindings> {
  const landed = findBuilding(state)?.landed;
  const earlier = landed?.accepted === undefined ? undefined : findHeldRecord(lines, landed.name);
  const before = earlier === undefined || "kind" in earlier ? [] : listShown(lines, earlier);
  return [...before, ...findFindings(state).filter(isSuspicion)];
}

/** No word lifts these: the person commits first. */
const OF_UNCOMMITTED: readonly string[] = [uncommittedPaths.id, NEEDS_UNCOMMITTED];

function listAwaited(shown: ReturnType<typeof findFindings>, uncommitted: readonly string[]): readonly string[] {
  if (shown.some(({ gate }) => gate === NEEDS_UNCOMMITTED)) return uncommitted;
  return shown.filter(({ gate }) => gate === uncommittedPaths.id).map(({ subject }) => subject);
}

/** Null where it was never judged, or nobody can read it any more. */
async function readJudgedRules(stateDirectory: string, { runId, state }: TickRecord): Promise<Rules | null> {
  const judged = findJudgement(state);
  if (judged === null) return null;
  const read = await readRecordedEvidence(locateRunDirectory(stateDirectory, runId), judged.evidence_sha256);
  return read.kind === "evidence" ? read.evidence.rules : null;
}

function nameCommand({ state }: TickRecord): LandingTerms["command"] {
  const workflow = findStart(state)?.workflow ?? "relay";
  return workflow === "goal" || workflow === "tree" || workflow === "campaign" ? workflow : null;
}
