/** The session of a campaign that runs right now, and how long it has been silent: a fold of live events. */
import type { Config } from "../../config/config.ts";
import type { JournalLine, TickEvent } from "../../records/event.ts";
import type { LiveEvent } from "../../records/live-event.ts";
import { parseMoment } from "../../base/words.ts";

export interface LiveSession {
  readonly role: "worker" | "verifier";
  readonly heardMs: number;
  readonly notices: number;
}

export interface LiveCampaign {
  readonly isCampaign: boolean;
  readonly session: LiveSession | null;
}

export const NO_LIVE_CAMPAIGN: LiveCampaign = { isCampaign: false, session: null };

export function foldLiveCampaign(live: LiveCampaign, event: LiveEvent): LiveCampaign {
  if (event.kind === "opened") return event.lines.reduce(foldLine, live);
  if (event.kind === "recorded") return foldLine(live, event.line);
  if (event.kind !== "agent" || live.session === null) return live;
  return { ...live, session: { ...live.session, heardMs: event.atMs, notices: 0 } };
}

const SESSION_ENDS: readonly TickEvent["type"][] = ["build_ended", "reviewed", "interrupted", "tick_ended"];

function foldLine(live: LiveCampaign, { event, at }: JournalLine): LiveCampaign {
  if (event.type === "tick_started") return { isCampaign: event.workflow === "campaign", session: null };
  if (SESSION_ENDS.includes(event.type)) return { ...live, session: null };
  const role = live.isCampaign ? findStartedRole(event) : null;
  return role === null ? live : { ...live, session: { role, heardMs: parseMoment(at), notices: 0 } };
}

function findStartedRole(event: TickEvent): LiveSession["role"] | null {
  if (event.type === "review_started") return "verifier";
  return event.type === "build_started" && event.kept === undefined ? "worker" : null;
}

export function isStale(heardMs: number, nowMs: number, { heartbeat_stale_seconds }: Config["campaign"]): boolean {
  return nowMs - heardMs > heartbeat_stale_seconds * 1000;
}

export type SilenceNotice = Extract<LiveEvent, { kind: "silent" }>;

/** The last notice comes before the restart. */
export function findSilenceNotice(
  { role, heardMs, notices }: LiveSession,
  nowMs: number,
  { heartbeat_stale_seconds, idle_nudge_seconds, max_nudges }: Config["campaign"],
): SilenceNotice | null {
  const seconds = (nowMs - heardMs) / 1000;
  if (notices >= max_nudges || seconds < heartbeat_stale_seconds + notices * idle_nudge_seconds) return null;
  return {
    kind: "silent",
    atMs: nowMs,
    role,
    seconds: Math.floor(seconds),
    notice: notices + 1,
    of: max_nudges,
  };
}
