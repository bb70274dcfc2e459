import type { TickEvent } from "../../contract/journal/event.ts";
import { counted } from "../../core/words/counted.ts";
import { shorten } from "../../core/words/shorten.ts";
import { oneLine } from "../cards/report-words.ts";

const WORDS_CHARS = 200;

/** A step of a tick in one line, for whoever reads along; null for what is not worth one. */
export function recordedWords(event: TickEvent): string | null {
  const words = wordsOf(event);
  return words === null ? null : oneLine(shorten(words, WORDS_CHARS));
}

type Type = TickEvent["type"];
type EventOf<T extends Type> = Extract<TickEvent, { readonly type: T }>;

const WORDS: { readonly [T in Type]?: (event: EventOf<T>) => string | null } = {
  tick_started: ({ workflow }) => `plan: a tick of ${workflow} begins`,
  plan_started: ({ driver }) => `plan: ${driver} is asked for a task`,
  plan_rejected: ({ cause }) => `plan: the answer is no task (${cause}); asked again`,
  planned: ({ task }) => `plan: ${task.intent ?? task.task_id}`,
  refused: ({ code, message }) => `plan: ${code}${message === null ? "" : `: ${message}`}`,
  build_started: ({ driver }) => `build: ${driver} begins`,
  build_ended: ({ failure }) =>
    failure === null ? "build: done" : `build: ${failure.code} (${failure.cause})`,
  judged: ({ code, touched_paths_total }) => `judge: ${code}, ${counted(touched_paths_total, "path")}`,
  verified: ({ code, runs }) => `verify: ${counted(runs.length, "check")}, ${code ?? "all green"}`,
  review_started: ({ sessions }) => `review: ${sessions.map(({ reviewer }) => reviewer).join(", ")}`,
  review_answered: ({ reviews }) =>
    `review: ${reviews.map(({ name, vote }) => `${name}: ${vote}`).join(", ")}`,
  reviewed: ({ code }) => `review: ${code ?? "approved"}`,
  settled: ({ action, commit }) => `settle: ${action}${commit === null ? "" : ` ${commit.slice(0, 12)}`}`,
  rollback_failed: ({ message }) => `settle: it could not be put back: ${message}`,
  interrupted: ({ code, cause }) => `interrupted: ${code} (${cause})`,
  tick_ended: ({ code }) => `end: ${code}`,
  series_waiting: ({ until }) => `series: waits until ${until.slice(11, 19)}`,
  series_resumed: () => "series: resumed",
  series_ended: ({ end, message }) => `series: ended, ${end}: ${message}`,
};

function wordsOf<T extends Type>(event: EventOf<T>): string | null {
  const words: ((event: EventOf<T>) => string | null) | undefined = WORDS[event.type];
  return words === undefined ? null : words(event);
}
