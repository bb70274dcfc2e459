import * as v from "valibot";
import { JournalLine } from "../records/event.ts";
import type { JobView } from "../queue/pure/engine.ts";
import { parseWith } from "../base/schema-error.ts";
import type { Queue } from "../jobs/open-queue.ts";
import { describeRecorded } from "../cards/recorded-words.ts";
import { renderQueue } from "../cards/job-text.ts";
import { neutralise } from "../base/neutralise.ts";
import { makeJobDocument } from "./job-document.ts";
import type { Session } from "../terminal/command.ts";

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
