/** The status in one sentence: a problem, a decision for you, or the end of the last tick. */
import { countNoun } from "../base/count-noun.ts";
import { pickVerdictMark } from "./report-words.ts";
import type { Status } from "../records/status.ts";
import { BAD, GOOD, PENDING, QUESTION, type Sign, WARNING } from "../base/canvas.ts";

interface Headline extends Sign {
  readonly title: string;
}

export function renderStatusHeadline(view: Status): Headline {
  return describeRunning(view) ?? describeTrouble(view) ?? describeWaiting(view) ?? describeLastEnd(view);
}

function describeRunning({ running }: Status): Headline | null {
  if (running === null) return null;
  if ((running.asksUntil ?? null) !== null) return { ...QUESTION, title: "A change waits for your decision." };
  return { ...PENDING, title: running.waitsUntil === null ? "relais is running here." : "Waiting for a rate limit." };
}

function describeTrouble(status: Status): Headline | null {
  const { unfinished, damagedLock, lost, missingLines, notPutBack, config } = status;
  if (unfinished !== null) return { ...BAD, title: "A tick was interrupted; recover it first." };
  if (damagedLock !== null || lost !== null || missingLines > 0)
    return { ...BAD, title: "The files of relais are damaged." };
  if (notPutBack !== null) return { ...BAD, title: "The repository could not be restored exactly." };
  return config.kind === "unusable" ? { ...BAD, title: "The configuration cannot be used." } : null;
}

function describeWaiting({ question, accepted, openSeries, waiting = [] }: Status): Headline | null {
  if (question !== null && question.answer === null) return { ...QUESTION, title: "A question waits for your answer." };
  if (accepted !== null)
    return { ...GOOD, title: `A change of ${countNoun(accepted.files, "file")} waits: accept or undo.` };
  if (waiting.length > 0) {
    const title = waiting.length === 1 ? "One thing waits for you." : `${waiting.length} things wait for you.`;
    return { ...WARNING, title };
  }
  return openSeries.length === 0 ? null : { ...PENDING, title: "A series can be continued." };
}

/** Where nothing waits: the end of the last tick. Only a preflight knows whether a tick can start. */
function describeLastEnd({ lastTick, preflight, config }: Status): Headline {
  if (preflight?.kind === "blocked") return { ...BAD, title: "Not ready: no tick can start." };
  if (lastTick !== null)
    return {
      ...pickVerdictMark(lastTick),
      title: lastTick.turn == null ? LAST[lastTick.verdict] : `${lastTick.turn}.`,
    };
  if (preflight !== null) return { ...GOOD, title: "Ready for the first tick." };
  const title = config.kind === "missing" ? "No tick has run here yet." : "relais is set up; no tick has run yet.";
  return { ...PENDING, title };
}

const LAST = {
  success: "Last run succeeded.",
  stop: "Last run failed; its changes were reverted.",
  blocked: "Last run could not start.",
} as const;
