import type { JobView, SeenWorker } from "../queue/pure/engine.ts";

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
