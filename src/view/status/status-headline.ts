/** Where things stand in one sentence: what is wrong, what waits for a person, or that nothing does. */
import { counted } from "../../core/words/counted.ts";
import { verdictMark } from "../cards/report-words.ts";
import type { Status } from "../../contract/answers/status.ts";
import type { Tone } from "../text/canvas.ts";

interface Headline {
  readonly mark: string;
  readonly tone: Tone;
  readonly title: string;
}

const bad = (title: string): Headline => ({ mark: "✗", tone: "bad", title });

export function statusHeadline(view: Status): Headline {
  return running(view) ?? trouble(view) ?? waiting(view) ?? rest(view);
}

function running({ running: at }: Status): Headline | null {
  if (at === null) return null;
  const isWaiting = (at.waitsUntil ?? null) !== null;
  return {
    mark: "…",
    tone: "strong",
    title: isWaiting ? "relais waits for a rate limit." : "relais is at work here.",
  };
}

function trouble({
  unfinished,
  damagedLock,
  lost,
  missingLines,
  notPutBack,
  config,
}: Status): Headline | null {
  if (unfinished !== null) return bad("A tick was cut short, and has to be brought to its end.");
  if (damagedLock !== null || lost !== null || missingLines > 0)
    return bad("The files of relais are damaged.");
  if (notPutBack !== null) return bad("The repository could not be put back exactly.");
  if (config.kind === "missing")
    return { mark: "!", tone: "strong", title: "relais is not set up here yet." };
  return config.kind === "unusable" ? bad("The configuration cannot be used.") : null;
}

function waiting({ question, accepted, openSeries }: Status): Headline | null {
  if (question !== null && question.answer === null)
    return { mark: "?", tone: "strong", title: "A question waits for your answer." };
  if (accepted !== null) {
    const title = `A change of ${counted(accepted.files, "file")} waits: take it, or give it back.`;
    return { mark: "✓", tone: "good", title };
  }
  return openSeries.length === 0 ? null : { mark: "…", tone: "strong", title: "A series can go on." };
}

/** Nothing waits: then how the last tick ended is the news. */
function rest({ lastTick, preflight }: Status): Headline {
  if (preflight?.kind === "blocked") return bad("No tick can start now.");
  if (lastTick === null) return untried(preflight !== null);
  const { mark, tone } = verdictMark(lastTick);
  return { mark, tone, title: LAST[lastTick.verdict] };
}

/** Whether a tick could start is said by whoever was asked to look. */
function untried(isReady: boolean): Headline {
  if (isReady) return { mark: "✓", tone: "good", title: "Ready for the first tick." };
  return { mark: "…", tone: "strong", title: "relais is set up, and no tick has run yet." };
}

const LAST = {
  success: "Nothing waits, and the last tick was green.",
  stop: "Nothing waits; the last tick was stopped, and put back.",
  blocked: "Nothing waits; the last tick could not start.",
} as const;
