import type { TickEvent } from "../records/event.ts";
import type { LiveEvent } from "../records/live-event.ts";
import { countNoun, shorten } from "../base/words.ts";
import { joinLines } from "./report-words.ts";

const WORDS_CHARS = 200;

/** One line for a recorded event; null for events without one. */
export function describeRecorded(event: TickEvent): string | null {
  const words = describeEvent(event);
  return words === null ? null : joinLines(shorten(words, WORDS_CHARS));
}

type Type = TickEvent["type"];
type EventOf<T extends Type> = Extract<TickEvent, { readonly type: T }>;

const DECISIONS = {
  accept: "accepted",
  reject: "rejected",
  edit: "edited; judged again",
  none: "nobody decided in time",
} as const;

const WORDS: { readonly [T in Type]?: (event: EventOf<T>) => string | null } = {
  tick_started: ({ workflow }) => `plan: Starting (${workflow})`,
  plan_started: ({ driver }) => `plan: asking ${driver} for a task`,
  plan_rejected: ({ cause }) => `plan: invalid task (${cause}); retrying`,
  planned: ({ task, also = [] }) => {
    const more = also.length === 0 ? "" : `, and ${countNoun(also.length, "more task")}`;
    return `plan: ${task.intent ?? task.task_id}${more}`;
  },
  baselined: (event) => `plan: ${describeBaseline(event)}`,
  refused: ({ code, message }) => `plan: ${code}${message === null ? "" : `: ${message}`}`,
  build_started: ({ driver, landed, attempts, tasks }) => {
    if (tasks !== undefined) return `build: ${tasks.join(", ")} side by side`;
    if (landed !== undefined) return `build: landing ${landed.name}`;
    return attempts === undefined ? `build: ${driver} started` : `build: ${attempts} attempts started`;
  },
  build_ended: ({ failure }) => (failure === null ? "build: done" : `build: ${failure.code} (${failure.cause})`),
  judged: ({ code, touched_paths_total }) => `judge: ${code}, ${countNoun(touched_paths_total, "path")}`,
  verified: ({ code, runs }) => `verify: ${describeChecks(runs.length, code)}`,
  review_started: ({ sessions }) => `review: ${sessions.map(({ reviewer }) => reviewer).join(", ")}`,
  review_answered: ({ reviews }) => `review: ${reviews.map(({ name, vote }) => `${name}: ${vote}`).join(", ")}`,
  asked: ({ until }) => `ask: waiting for your decision until ${until}`,
  decided: ({ decision, message }) => `ask: ${DECISIONS[decision]}${message === null ? "" : `: ${message}`}`,
  reviewed: ({ code, reviews }) => `review: ${describeVotes(code, reviews)}`,
  settled: ({ action, commit }) => `settle: ${action}${commit === null ? "" : ` ${commit.slice(0, 12)}`}`,
  rollback_failed: ({ message }) => `settle: could not revert: ${message}`,
  interrupted: ({ code, cause }) => `interrupted: ${code} (${cause})`,
  tick_ended: ({ code }) => `end: ${code}`,
  series_waiting: ({ until }) => `series: waiting until ${until.slice(11, 19)}`,
  series_resumed: () => "series: resumed",
  series_ended: ({ end, message }) => `series: ended, ${end}: ${message}`,
};

function describeChecks(count: number, code: string | null): string {
  if (count === 0 && code === null) return "no checks";
  return `${countNoun(count, "check")}, ${code ?? "all passed"}`;
}

function describeBaseline({ runs, code, kept, skipped }: EventOf<"baselined">): string {
  if (skipped === true) return "the checks take too long to be run before the build";
  const red = runs.filter(({ exit_code: status }) => status !== 0).length;
  const words = red === 0 ? "all pass" : `${red} fail`;
  return `before the build, ${countNoun(runs.length, "check")}: ${code ?? words}${kept === true ? " (known)" : ""}`;
}

function describeVotes(code: string | null, reviews: EventOf<"reviewed">["reviews"]): string {
  if (code !== "STOP_REVIEW_REFUSED") return code ?? "approved";
  const agree = reviews.filter(({ vote }) => vote === "approve").length;
  return `${agree} of ${countNoun(reviews.length, "reviewer")} agree`;
}

function describeEvent<T extends Type>(event: EventOf<T>): string | null {
  const words: ((event: EventOf<T>) => string | null) | undefined = WORDS[event.type];
  return words === undefined ? null : words(event);
}

/** A notice about a session that says nothing for long. */
export function describeSilence({ role, seconds, notice, of }: Extract<LiveEvent, { kind: "silent" }>): string {
  const next = notice === of ? "; restarting it next" : "";
  return `${role}: stale, no output for ${seconds} s (notice ${notice} of ${of})${next}`;
}

/** One line for what an attempt recorded. */
export function describeAttempt({ number, task, line }: Extract<LiveEvent, { kind: "attempt" }>): string | null {
  const words = describeRecorded(line.event);
  return words === null ? null : `${task ?? `attempt ${number}`}: ${words}`;
}
