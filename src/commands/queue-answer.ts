import { type CommandFailure, refuse } from "../records/command-failure.ts";
import { type JobView, QueueError, type QueueErrorKind, type SeenWorker } from "../queue/pure/engine.ts";
import { findRun } from "../journal/pure/journal-runs.ts";
import { type Queue, withQueue } from "../jobs/decide-job.ts";
import { type CommandEnd, type Misused, refuseMisuse, type Session } from "../terminal/command.ts";
import { readCommandEnd } from "../terminal/refusal-answer.ts";

/** What the commands around the queue share. */

/** Opens the queue for a command, and prints why it cannot be used. */
export async function onQueue(
  session: Session,
  use: (queue: Queue) => Promise<CommandEnd | CommandFailure>,
): Promise<CommandEnd> {
  try {
    return readCommandEnd(await withQueue(session.environment, use), session);
  } catch (error) {
    if (!(error instanceof QueueError)) throw error;
    return readCommandEnd(explainQueueError(error), session);
  }
}

function explainQueueError({ kind, message }: QueueError): CommandFailure {
  const sentence = `${message.charAt(0).toUpperCase()}${message.slice(1)}.`.replace(/\.\.$/, ".");
  if (kind === "refused")
    return refuse({ cause: "job_refused", message: sentence, next: "Change that and submit it again." });
  const code = "BLOCKED_QUEUE_UNAVAILABLE";
  return { kind: "blocked", code, cause: `queue_${kind}`, message: sentence, problems: [], remedy: REMEDIES[kind] };
}

const REMEDIES: Readonly<Record<Exclude<QueueErrorKind, "refused">, string>> = {
  unreachable: "Start the server, or check the way to it, with `relais doctor`; then try again.",
  unwritable: "Make room or allow writing there, and try again; docs/queue.md says more.",
  damaged: "Restore what the message names from a copy; docs/queue.md says more.",
  newer: "Update relais on this machine.",
};

type ChosenJob = { readonly kind: "job"; readonly view: JobView } | Misused;

/** Finds a job by its name, or by the beginning or end of it; the word `job-` may be left out. */
export function findNamedJob(asked: string | undefined, views: readonly JobView[]): ChosenJob {
  if (asked === undefined) return refuseMisuse("name a job; `relais queue` lists them");
  const ids = views.map(({ id }) => id);
  const asWritten = findRun(asked, ids);
  const found = asWritten.kind === "none" ? findRun(`job-${asked}`, ids) : asWritten;
  const view = found.kind === "run" ? views.find(({ id }) => id === found.runId) : undefined;
  if (view !== undefined) return { kind: "job", view };
  if (found.kind === "several") return refuseMisuse(`"${asked}" matches several jobs`, found.runIds.slice(0, 10));
  return refuseMisuse(`there is no job "${asked}"; \`relais queue\` lists them`);
}

function describeWorker({ id, host, pid, silentMs, lost }: SeenWorker): object {
  return { id, host, pid, silent_seconds: silentMs === null ? null : Math.round(silentMs / 1000), lost };
}

/** A job with `--json`. */
export function makeJobDocument(view: JobView): object {
  const { id, spec, terms, phase, isPaused, submittedAt, attempt, worker, startedAt, endedAt, waitsFor } = view;
  return {
    job: id,
    phase,
    paused: isPaused,
    command: spec.command,
    arguments: spec.arguments,
    title: spec.title,
    repository: spec.repository.kind === "url" ? spec.repository.url : spec.repository.path,
    base: spec.base,
    key: spec.key,
    needs: spec.needs,
    caps: spec.caps,
    terms,
    submitted_at: submittedAt,
    started_at: startedAt,
    ended_at: endedAt,
    attempt,
    token: Number(view.token),
    worker: worker && describeWorker(worker),
    waits_for: waitsFor,
    asked: view.asked,
    spent: view.spent,
    result: view.result,
    attachments: view.attachments,
    losses: view.losses,
  };
}
