import { CHECKS, type LiveEvent, type LiveListener } from "../records/live-event.ts";
import { describeRecorded, describeSilence } from "../cards/recorded-words.ts";
import { renderAgentDoing } from "../cards/agent-event-text.ts";
import type { Session } from "./command.ts";
import { drawBelow } from "./live.ts";

/** The roles that can be watched alone; `runner` is relais itself. */
export type WatchedRole = "runner" | "orchestrator" | "builder" | "reviewer" | "verifier";

/** How many of the recorded steps a viewer begins with. */
const PAST_LINES_MAX = 200;

/** Prints what one role does, a line with the time for each step. Below the steps of the runner is the live view. */
export function showRole(session: Session, role: WatchedRole): LiveListener {
  const draw = role === "runner" ? drawBelow(session) : null;
  return (event) => {
    for (const [atMs, words] of listRoleLines(event, role))
      session.out(`${new Date(atMs).toISOString().slice(11, 19)} ${words}\n`);
    draw?.(event);
  };
}

type TimedWords = readonly [atMs: number, words: string];

function listRoleLines(event: LiveEvent, role: WatchedRole): readonly TimedWords[] {
  if (role === "runner" && (event.kind === "opened" || event.kind === "recorded")) return listSteps(event);
  if (event.kind === "silent")
    return role === "runner" || role === SPEAKERS[event.role] ? [[event.atMs, describeSilence(event)]] : [];
  if (event.kind !== "agent" || findRole(event.speaker) !== role) return [];
  const words = renderAgentDoing(event.event);
  return words === null ? [] : [[event.atMs, words]];
}

const SPEAKERS = { worker: "builder", verifier: "verifier" } as const;

/** What checks print belongs to the runner, which runs them. */
function findRole(speaker: string): string {
  return speaker === CHECKS ? "runner" : (speaker.split(" ")[0] ?? speaker);
}

function listSteps(event: Extract<LiveEvent, { kind: "opened" | "recorded" }>): readonly TimedWords[] {
  const lines =
    event.kind === "recorded" ? [event.line] : event.lines.filter((line) => line.series_id === event.seriesId);
  return lines.slice(-PAST_LINES_MAX).flatMap((line) => {
    const words = describeRecorded(line.event);
    return words === null ? [] : [[Date.parse(line.at), words]];
  });
}
