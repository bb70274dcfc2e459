/**
 * A change waits until a person decides.
 *
 * Answers come from the terminal of the runner or, as a request file, from another one. The question has a name that
 * nobody could know before it was asked, so a file that a builder left behind decides nothing. Only the judged change
 * is accepted: if a file changed since, the change is judged and checked again, and the person is asked again.
 */
import { setTimeout as delay } from "node:timers/promises";
import { InvariantError } from "../base/errors.ts";
import type { AskedChange, PersonDecision } from "../records/decisions.ts";
import type { TickEvent } from "../records/event.ts";
import { makeQuestionNotification } from "../journal/pure/make-notification.ts";
import { shortenList } from "../base/words.ts";
import { findBuilt, findReview, findVerification } from "./pure/tick-facts.ts";
import type { StateIn } from "./pure/tick-state.ts";
import { createDispatch } from "../system/drop-folder.ts";
import { readClockMs } from "../system/clock.ts";
import { readChangePatch } from "../evidence/change-patch.ts";
import { type RunningTick, readInterruption } from "./running-tick.ts";
import { notify } from "../workspace/notify.ts";
import { readRequest, removeRequest } from "../workspace/request-file.ts";
import { readCandidate } from "./perform-judge.ts";

export function announceAsk(session: RunningTick): TickEvent {
  const {
    where: { stateDirectory },
    work: { ask },
  } = session;
  if (ask === null) throw new InvariantError("a tick asks that was not told to");
  removeRequest(stateDirectory, "decision");
  const until = new Date(readClockMs() + ask.timeoutSeconds * 1000).toISOString();
  return { type: "asked", question: createDispatch(), until };
}

/** The time of the tick stands still meanwhile. */
export async function performAsk(session: RunningTick, state: StateIn<"ask">): Promise<TickEvent> {
  const startedAt = readClockMs();
  try {
    return await waitForDecision(session, state);
  } finally {
    session.left.askedMs += Math.max(0, readClockMs() - startedAt);
    removeRequest(session.where.stateDirectory, "decision");
  }
}

type Answer = PersonDecision | { readonly decision: "none" | "stopped" };

async function waitForDecision(session: RunningTick, state: StateIn<"ask">): Promise<TickEvent> {
  const {
    tick: { config, signal, seriesId },
    where: { repository },
    work: { ask },
  } = session;
  const { workflow } = state.facts.started;
  const change = describeAsked(session, state);
  const over = new AbortController();
  const notified = notify(
    { config, environment: repository.environment, signal },
    makeQuestionNotification(change, { at: new Date(readClockMs()).toISOString(), seriesId, workflow }),
  );
  try {
    const anyone = AbortSignal.any([signal, over.signal]);
    const person = ask?.person?.(change, anyone) ?? never();
    const answer = await Promise.race([person, waitForOthers(session, state, anyone)]);
    // What the command of the notification writes must be there before the comparison.
    await notified;
    return await conclude(session, state, answer);
  } finally {
    over.abort();
  }
}

const never = (): Promise<never> => new Promise(() => {});

const LOOK_MS = 200;

/** Another terminal, a signal, or the end of the time. */
async function waitForOthers(
  { tick: { runId }, where: { stateDirectory } }: RunningTick,
  { asked }: StateIn<"ask">,
  signal: AbortSignal,
): Promise<Answer> {
  const until = Date.parse(asked.until);
  while (!signal.aborted) {
    const request = await readRequest(stateDirectory, "decision");
    if (request !== null) {
      removeRequest(stateDirectory, "decision");
      const { decision, message } = request;
      const isMeant = request.run_id === runId && request.question === asked.question;
      if (isMeant) return decision === "accept" ? { decision } : { decision, message };
    }
    if (readClockMs() >= until) return { decision: "none" };
    await delay(Math.min(LOOK_MS, Math.max(1, until - readClockMs())), undefined, { signal }).catch(() => null);
  }
  return { decision: "stopped" };
}

async function conclude(session: RunningTick, { asked }: StateIn<"ask">, answer: Answer): Promise<TickEvent> {
  const { question } = asked;
  if (answer.decision === "stopped") return readInterruption(session.tick.signal);
  if (answer.decision === "reject") return { type: "decided", question, ...answer };
  if (answer.decision === "none") return { type: "decided", question, decision: "none", message: null };
  const edited = await listEditedPaths(session);
  if (answer.decision === "accept" && edited.length === 0)
    return { type: "decided", question, decision: "accept", message: null };
  session.left.foreseen = null;
  const message = edited.length === 0 ? null : shortenList(edited);
  return { type: "decided", question, decision: "edit", message };
}

/** Files that differ from the judged ones. Git's own data is compared when the change is settled. */
async function listEditedPaths(session: RunningTick): Promise<readonly string[]> {
  const {
    where: { change },
    left: memory,
  } = session;
  const changed = await change.changedSince(readCandidate(session));
  return changed.filter((path) => !path.startsWith("git: ") && !memory.tolerated.includes(path));
}

function describeAsked(session: RunningTick, { facts, outcome, action, asked }: StateIn<"ask">): AskedChange {
  const { blast_radius, touched_paths, touched_paths_total } = facts.judged;
  const votes = findReview(facts)?.reviews ?? [];
  return {
    runId: session.tick.runId,
    intent: facts.task.intent ?? null,
    summary: findBuilt(facts)?.summary ?? null,
    code: outcome.code,
    change: blast_radius,
    paths: touched_paths,
    pathsTotal: touched_paths_total,
    runs: findVerification(facts)?.runs ?? [],
    approvals: votes.filter(({ vote }) => vote === "approve").length,
    isCommitted: action === "commit",
    until: asked.until,
    root: session.where.place.tree,
    readPatch: async () =>
      (await readChangePatch(session.where.store, session.tick.runId, readCandidate(session).evidence)).patch,
  };
}
