/** The status in one sentence: a problem, a decision for you, or the end of the last tick. */
import { countNoun } from "../../core/words/count-noun.ts";
import { pickVerdictMark } from "../cards/report-words.ts";
import type { Status } from "../../contract/answers/status.ts";
import type { Tone } from "../text/canvas.ts";

interface Headline {
  readonly mark: string;
  readonly tone: Tone;
  readonly title: string;
}

const bad = (title: string): Headline => ({ mark: "✗", tone: "bad", title });

export function renderStatusHeadline(view: Status): Headline {
  return running(view) ?? trouble(view) ?? waiting(view) ?? rest(view);
}

function running({ running: at }: Status): Headline | null {
  if (at === null) return null;
  const isWaiting = (at.waitsUntil ?? null) !== null;
  return {
    mark: "…",
    tone: "strong",
    title: isWaiting ? "Waiting for a rate limit." : "relais is running here.",
  };
}

function trouble({ unfinished, damagedLock, lost, missingLines, notPutBack, config }: Status): Headline | null {
  if (unfinished !== null) return bad("A tick was interrupted; recover it first.");
  if (damagedLock !== null || lost !== null || missingLines > 0) return bad("The files of relais are damaged.");
  if (notPutBack !== null) return bad("The repository could not be restored exactly.");
  if (config.kind === "missing") return { mark: "!", tone: "strong", title: "relais is not set up here yet." };
  return config.kind === "unusable" ? bad("The configuration cannot be used.") : null;
}

function waiting({ question, accepted, openSeries, waiting: things = [] }: Status): Headline | null {
  if (question !== null && question.answer === null)
    return { mark: "?", tone: "strong", title: "A question waits for your answer." };
  if (accepted !== null) {
    const title = `A change of ${countNoun(accepted.files, "file")} waits: accept or undo.`;
    return { mark: "✓", tone: "good", title };
  }
  if (things.length > 0) {
    const title = things.length === 1 ? "One thing waits for you." : `${things.length} things wait for you.`;
    return { mark: "!", tone: "strong", title };
  }
  return openSeries.length === 0 ? null : { mark: "…", tone: "strong", title: "A series can be continued." };
}

/** Where nothing waits: the end of the last tick. */
function rest({ lastTick, preflight }: Status): Headline {
  if (preflight?.kind === "blocked") return bad("Not ready: no tick can start.");
  if (lastTick === null) return untried(preflight !== null);
  const { mark, tone } = pickVerdictMark(lastTick);
  return { mark, tone, title: LAST[lastTick.verdict] };
}

/** Only a preflight knows whether a tick can start. */
function untried(isReady: boolean): Headline {
  if (isReady) return { mark: "✓", tone: "good", title: "Ready for the first tick." };
  return { mark: "…", tone: "strong", title: "relais is set up; no tick has run yet." };
}

const LAST = {
  success: "Last run succeeded.",
  stop: "Last run failed; its changes were reverted.",
  blocked: "Last run could not start.",
} as const;
