import type { JournalLine, TickEvent } from "../records/event.ts";
import { countNoun, shorten } from "../base/words.ts";
import { formatDuration } from "../base/duration-text.ts";
import { joinLines } from "./report-words.ts";
import type { Style } from "../base/style.ts";

const WORDS_CHARS_MAX = 200;
const SHORT_COMMIT = 12;
const TYPE_WIDTH = 16;

type EventType = TickEvent["type"];
type EventOf<T extends EventType> = Extract<TickEvent, { readonly type: T }>;

/** The words for each kind of event besides its name; untrusted text is escaped afterwards. */
const WORDS: { readonly [T in EventType]: (event: EventOf<T>) => string } = {
  tick_started: ({ workflow, worktree }) => `${workflow} in ${worktree}`,
  refused: ({ code, cause, message }) => joinReason(code, cause, message),
  preflight_passed: ({ base_commit, warnings }) => [`on ${base_commit.slice(0, SHORT_COMMIT)}`, ...warnings].join("; "),
  prepared: ({ isolation }) => isolation,
  plan_started: ({ driver }) => driver,
  plan_rejected: ({ cause, message }) => `${cause}: ${message}`,
  planned: ({ task }) => `${task.task_id}${task.intent === undefined ? "" : `: ${task.intent}`}`,
  baselined: ({ runs, code }) => `${countNoun(runs.length, "check")}${code === null ? "" : `, ${code}`}`,
  build_started: ({ driver, landed }) => (landed === undefined ? driver : describeLanded(landed)),
  handed_over: ({ role, from, to, cause }) => `${role}: ${to} in the place of ${from}, ${cause}`,
  build_ended: ({ failure, duration_ms }) =>
    `after ${formatDuration(duration_ms)}${failure === null ? "" : `: ${joinReason(failure.code, failure.cause)}`}`,
  judged: ({ code, cause, touched_paths_total, findings_total }) =>
    [
      joinReason(code, cause),
      countNoun(touched_paths_total, "path"),
      ...(findings_total === 0 ? [] : [countNoun(findings_total, "finding")]),
    ].join(", "),
  written: () => "",
  verified: ({ code, cause, runs }) =>
    `${countNoun(runs.length, "check")}${code === null ? "" : `, ${joinReason(code, cause)}`}`,
  review_started: ({ sessions }) => sessions.map(({ reviewer }) => reviewer).join(", "),
  review_answered: ({ reviews }) => reviews.map(({ name, vote }) => `${name}: ${vote}`).join(", "),
  reviewed: ({ code, cause, message }) => (code === null ? "approved" : joinReason(code, cause, message)),
  asked: ({ until }) => `a person, until ${until}`,
  decided: ({ decision, message }) => `${decision}${message === null ? "" : `: ${message}`}`,
  settle_started: ({ action }) => action,
  settled: ({ action, commit, branch }) =>
    `${action}${commit === null ? "" : ` ${commit.slice(0, SHORT_COMMIT)}`}${branch === null ? "" : ` on ${branch}`}`,
  rollback_failed: ({ message }) => message,
  interrupted: ({ code, cause, message }) => joinReason(code, cause, message),
  reported: ({ report_sha256 }) => (report_sha256 === null ? "the report could not be written" : ""),
  tick_ended: ({ code, cause }) => joinReason(code, cause),
  accepted: ({ commit, branch }) => `${commit.slice(0, SHORT_COMMIT)} on ${branch}`,
  rejected: ({ by, reason }) => `${by}${reason === null ? "" : `: ${reason}`}`,
  undone: () => "",
  abandoned: ({ message }) => message,
  answered: ({ text }) => text,
  milestone_opened: ({ milestone_id }) => milestone_id ?? "",
  pruned: () => "",
  series_waiting: ({ until }) => `until ${until}`,
  series_resumed: () => "",
  series_ended: ({ end, message }) => `${end}: ${message}`,
};

function describeLanded({ name, accepted }: NonNullable<EventOf<"build_started">["landed"]>): string {
  if (accepted === undefined) return `landing ${name}`;
  const { by, reason } = accepted;
  return `landing ${name}, accepted by ${by}${reason === null ? "" : `: ${reason}`}`;
}

function joinReason(code: string, cause: string | null, message: string | null = null): string {
  return `${code}${cause === null ? "" : ` (${cause})`}${message === null ? "" : `: ${message}`}`;
}

/** One event of the journal on one line: when, which tick, what happened. */
export function renderEvent({ at, run_id, event }: JournalLine, style: Style): string {
  const when = at.replace(/\.\d+Z$/, "Z");
  const words = describeLine(event);
  const type = words === "" ? event.type : event.type.padEnd(TYPE_WIDTH);
  return `${style("faint", when)} ${run_id} ${style("strong", type)}${words === "" ? "" : ` ${words}`}\n`;
}

/** What happened, in one line besides the name of the event. */
export function describeLine(event: TickEvent): string {
  return joinLines(shorten(describeEvent(event), WORDS_CHARS_MAX));
}

function describeEvent<T extends EventType>(event: { [K in T]: EventOf<K> }[T]): string {
  return WORDS[event.type](event);
}
