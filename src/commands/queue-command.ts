import * as v from "valibot";
import { JournalLine } from "../records/event.ts";
import type { JobView, JobAsk } from "../queue/pure/engine.ts";
import { parseWith } from "../base/schema-error.ts";
import { type Queue, decideJob } from "../jobs/decide-job.ts";
import { describeRecorded } from "../cards/recorded-words.ts";
import { renderQueue, renderHeldQueue, renderJob, renderJobDecision } from "../cards/job-text.ts";
import { neutralise } from "../base/style.ts";
import { makeJobDocument, findNamedJob, onQueue } from "./queue-answer.ts";
import { type Session, type CommandEnd, refuseMisuse, type RunCommand } from "../terminal/command.ts";
import { type CommandFailure, refuse } from "../records/command-failure.ts";
import { PRIORITY_MAX } from "../queue/pure/job.ts";
import { printAnswer } from "../terminal/print-answer.ts";
import type { QueueFollowOptions } from "./queue-spec.ts";

/** Prints each job again when it changes, until a signal. */
export async function followQueue({ engine }: Queue, views: readonly JobView[], session: Session): Promise<void> {
  const signal = AbortSignal.any([session.signal, session.unread]);
  const shown = new Map(views.map((view) => [view.id, nameState(view)]));
  for await (const _ of engine.changes(signal)) {
    for (const view of await engine.jobs()) {
      if (shown.get(view.id) === nameState(view)) continue;
      shown.set(view.id, nameState(view));
      if (session.json) session.out(`${JSON.stringify(makeJobDocument(view))}\n`);
      else session.out(renderQueue([view], { isHeld: false, canvas: session }));
    }
  }
}

/** What a line of the list is about. */
function nameState({ phase, attempt, asked, isPaused, terms, waitsFor, worker }: JobView): string {
  return [phase, attempt, asked, isPaused, terms.priority, waitsFor, worker?.lost].join(" ");
}

/** Prints the journal of a job while it grows, until the job ends or a signal comes. */
export async function followJob({ engine }: Queue, { id }: JobView, session: Session): Promise<void> {
  const signal = AbortSignal.any([session.signal, session.unread]);
  for await (const { text, attempt } of engine.followToEnd(id, signal)) printLine({ text, attempt }, session);
}

function printLine({ text, attempt }: { readonly text: string; readonly attempt: number }, session: Session): void {
  if (session.json) return session.out(`${text}\n`);
  const parsed = parseWith(v.pipe(v.string(), v.parseJson(), JournalLine), text);
  if (parsed.kind === "invalid") return;
  const words = describeRecorded(parsed.value.event);
  if (words !== null) session.out(`${parsed.value.at.slice(11, 19)} attempt ${attempt}: ${neutralise(words)}\n`);
}

export const listQueue: RunCommand<QueueFollowOptions> = ({ options }, session) =>
  onQueue(session, async (queue) => {
    const views = sortJobs(await queue.engine.jobs());
    const isHeld = await queue.engine.isHeld();
    const limits = await queue.engine.limits.list();
    const budget = (await queue.budget?.read()) ?? null;
    const document = { held: isHeld, jobs: views.map(makeJobDocument), limits, budget };
    const text = (): string => renderQueue(views, { isHeld, canvas: session, limits, budget });
    const end = printAnswer({ document, text, isAsked: true }, session);
    if (options.flag("follow")) await followQueue(queue, views, session);
    return end;
  });

function sortJobs(views: readonly JobView[]): readonly JobView[] {
  return views.toSorted((one, other) => (one.submittedAt < other.submittedAt ? -1 : 1));
}

export const showJob: RunCommand<QueueFollowOptions> = ({ positionals: [asked], options }, session) =>
  withJob(asked, session, async ({ view, queue }) => {
    const isFollowed = options.flag("follow");
    if (isFollowed) await followJob(queue, view, session);
    const now = (isFollowed ? await queue.engine.find(view.id) : view) ?? view;
    return printAnswer({ document: makeJobDocument(now), text: () => renderJob(now, session), isAsked: true }, session);
  });

interface NamedJob {
  readonly view: JobView;
  readonly queue: Queue;
}

function withJob(
  asked: string | undefined,
  session: Session,
  use: (named: NamedJob) => Promise<CommandEnd | CommandFailure>,
): Promise<CommandEnd> {
  return onQueue(session, async (queue) => {
    const found = findNamedJob(asked, await queue.engine.jobs());
    return found.kind === "misused" ? found : use({ view: found.view, queue });
  });
}

function askJob(what: JobAsk, asked: string | undefined, session: Session): Promise<CommandEnd> {
  return withJob(asked, session, async ({ view: { id }, queue }) => {
    const decided = await decideJob(queue.engine, id, what);
    if (decided.kind !== "decided") return decided;
    const document = { job: id, asked: what, answer: decided.answer };
    return printAnswer({ document, text: () => renderJobDecision(decided) }, session);
  });
}

export const cancelJob: RunCommand = ({ positionals: [asked] }, session) => askJob("cancel", asked, session);

export const pauseJob: RunCommand = ({ positionals: [asked] }, session) =>
  asked === undefined ? hold(true, session) : askJob("pause", asked, session);

export const resumeJob: RunCommand = ({ positionals: [asked] }, session) =>
  asked === undefined ? hold(false, session) : askJob("resume", asked, session);

function hold(isHeld: boolean, session: Session): Promise<CommandEnd> {
  return onQueue(session, async ({ engine }) => {
    await engine.hold(isHeld);
    return printAnswer({ document: { held: isHeld }, text: () => renderHeldQueue(isHeld) }, session);
  });
}

export const retryJob: RunCommand = ({ positionals: [asked] }, session) =>
  withJob(asked, session, async ({ view: { id }, queue }) => {
    const decided = await decideJob(queue.engine, id, "retry");
    if (decided.kind !== "decided") return decided;
    return printAnswer({ document: { job: id, phase: "waiting" }, text: () => renderJobDecision(decided) }, session);
  });

export const moveJob: RunCommand = ({ positionals: [asked, text = ""] }, session) => {
  const priority = /^-?\d$/.test(text) ? Number(text) : Number.NaN;
  if (Number.isNaN(priority))
    return Promise.resolve(refuseMisuse(`a priority is a whole number from -${PRIORITY_MAX} to ${PRIORITY_MAX}`));
  return withJob(asked, session, async ({ view: { id, phase }, queue }) => {
    const answer = await queue.engine.move(id, priority);
    if (answer === "moved")
      return printAnswer(
        { document: { job: id, priority }, text: () => `${id} has the priority ${priority}.\n` },
        session,
      );
    const next = `See \`relais queue show ${id}\`.`;
    return refuse({ cause: "job_not_waiting", message: `The job ${id} does not wait: ${phase}.`, next });
  });
};
