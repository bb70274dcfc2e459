/**
 * `relais accept RUN` and `relais reject RUN`: a decision about a change that waits for an answer in another terminal.
 *
 * The request names the question, and the runner alone records the decision; this process waits until it has done so.
 */
import { setTimeout as delay } from "node:timers/promises";
import { type CommandFailure, type Refusal, refuse } from "../records/command-failure.ts";
import type { AcceptedChange, AskedDecision } from "../records/decisions.ts";
import { findLastAcceptedRun, findRun } from "../journal/pure/journal-runs.ts";
import { listTickRecords, type TickRecord } from "../tick/pure/tick-records.ts";
import { type Misuse, reportMisuse } from "../workspace/misuse.ts";
import { listRepositoryLines } from "../workspace/lines-of-repository.ts";
import { writeRequest } from "../workspace/request-file.ts";
import { withSnapshot } from "../workspace/with-snapshot.ts";
import type { WorkspaceRequest, WorkspaceSnapshot } from "../workspace/workspace.ts";
import { type AcceptRequest, acceptLast } from "./accept-last.ts";
import { findHolder } from "../workspace/pause-runner.ts";

interface Wish {
  /** The id of a tick, or its beginning or end. */
  readonly run: string;
  readonly decision: "accept" | "reject";
  readonly message: string | null;
}

type Decided = AskedDecision | CommandFailure | Misuse;

/** Accepts a change that waits for an answer; for the last tick that ended, the same as `relais accept`. */
export async function acceptRun(request: AcceptRequest, run: string): Promise<AcceptedChange | Decided> {
  const found = await withSnapshot(request, (snapshot) => findWanted(snapshot, run));
  if (found.kind !== "tick") return found;
  const { record, isLastKept } = found;
  if (record.state.phase !== "done" && request.message !== undefined)
    return reportMisuse("another relais asks about this change and writes its message: leave out -m and -e");
  if (record.state.phase !== "done") return decideAsked(request, { run, decision: "accept", message: null });
  if (isLastKept) return acceptLast(request);
  const { runId } = record;
  const message = `The change of ${runId} does not wait for a decision: that tick is over, and it is not the last kept one.`;
  return refuse({ cause: "not_asked", runId, message, next: "`relais accept` commits the last one." });
}

/** Rejects it; the reason goes to the next attempt. */
export function rejectRun(
  request: WorkspaceRequest,
  { run, reason }: { readonly run: string; readonly reason: string | null },
): Promise<Decided> {
  return decideAsked(request, { run, decision: "reject", message: reason });
}

async function decideAsked(request: WorkspaceRequest, wish: Wish): Promise<Decided> {
  const asked = await withSnapshot(request, (snapshot) => askRunner(snapshot, wish));
  if (asked.kind !== "asked") return asked;
  for (let look = 0; look < LOOKS_MAX && !request.signal.aborted; look += 1) {
    await delay(LOOK_MS);
    const answer = await withSnapshot(request, (snapshot) => readAnswer(snapshot, asked, wish));
    if (answer.kind !== "open") return answer;
  }
  const { runId } = asked;
  const message = `The relais that asks about the change of ${runId} does not answer.`;
  return refuse({ cause: "no_answer", runId, message, next: "See `relais status`." });
}

const LOOK_MS = 100;
/** Together long enough for the comparison of a large tree. */
const LOOKS_MAX = 600;

interface AskedRunner {
  readonly kind: "asked";
  readonly runId: string;
  readonly question: string;
}

async function askRunner(snapshot: WorkspaceSnapshot, wish: Wish): Promise<AskedRunner | Refusal | Misuse> {
  const found = findWanted(snapshot, wish.run);
  if (found.kind !== "tick") return found;
  const { runId, state } = found.record;
  const holder = await findHolder(snapshot);
  if (state.phase !== "ask" || holder === null) return refuseNotAsked(found.record, wish.decision);
  const { question } = state.asked;
  const { decision, message } = wish;
  await writeRequest(snapshot.stateDirectory, "decision", { run_id: runId, question, decision, message });
  return { kind: "asked", runId, question };
}

function refuseNotAsked({ runId, state }: TickRecord, decision: Wish["decision"]): Refusal {
  const isOver = state.phase === "done";
  const message = `The change of ${runId} does not wait for a decision${isOver ? ": that tick is over" : ""}.`;
  const next = isOver && decision === "reject" ? "`relais undo` reverts the last kept change." : "See `relais status`.";
  return refuse({ cause: "not_asked", runId, message, next });
}

async function readAnswer(
  snapshot: WorkspaceSnapshot,
  { runId, question }: AskedRunner,
  { decision }: Wish,
): Promise<AskedDecision | Refusal | { readonly kind: "open" }> {
  const decided = snapshot.lines.find(
    ({ run_id, event }) => run_id === runId && event.type === "decided" && event.question === question,
  )?.event;
  if (decided?.type === "decided") {
    if (decided.decision === decision || decided.decision === "edit")
      return { kind: "decided", runId, decision: decided.decision, message: decided.message };
    const message = `The change of ${runId} was decided otherwise: ${decided.decision}.`;
    return refuse({ cause: "decided_already", runId, message, next: "See `relais status`." });
  }
  if ((await findHolder(snapshot)) !== null) return { kind: "open" };
  const message = `The relais that asked about the change of ${runId} is gone.`;
  return refuse({ cause: "not_running", runId, message, next: "Run `relais recover`." });
}

type Wanted = { readonly kind: "tick"; readonly record: TickRecord; readonly isLastKept: boolean } | Misuse;

function findWanted({ lines, repository }: WorkspaceSnapshot, run: string): Wanted {
  const own = listRepositoryLines(lines, repository);
  const records = listTickRecords(own).toReversed();
  const found = findRun(
    run,
    records.map(({ runId }) => runId),
  );
  if (found.kind === "several") return reportMisuse(`"${run}" matches several ticks`, found.runIds.slice(0, 10));
  const record = found.kind === "run" ? records.find(({ runId }) => runId === found.runId) : undefined;
  if (record === undefined) return reportMisuse(`there is no tick "${run}"`);
  const isLastKept = findLastAcceptedRun(own, repository.root)?.runId === record.runId;
  return { kind: "tick", record, isLastKept };
}
