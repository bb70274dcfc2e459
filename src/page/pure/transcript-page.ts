import type { LoggedEntry, TranscriptEntry } from "../../records/transcript-entry.ts";
import type { PageTone, TranscriptLine, TranscriptPage, TranscriptSession } from "./page-documents.ts";
import { cutText } from "./harmless.ts";

const ENTRIES_MAX = 2000;
const BODY_CHARS = 8000;
const HEAD_CHARS = 300;

/** What the agents of a tick said and did, by session. */
export function makeTranscriptPage(runId: string, entries: readonly LoggedEntry[]): TranscriptPage {
  const sessions = new Map<string, TranscriptSession>();
  for (const { session, entry } of entries) {
    const { name, driver: agent, startedAt } = session;
    const known = sessions.get(name) ?? { name, agent, startedAt, entries: [], entriesLeftOut: 0 };
    sessions.set(name, addEntry(known, entry));
  }
  return { kind: "transcript", runId, sessions: [...sessions.values()] };
}

function addEntry(session: TranscriptSession, entry: TranscriptEntry): TranscriptSession {
  if (session.entries.length >= ENTRIES_MAX && entry.type !== "ended")
    return { ...session, entriesLeftOut: session.entriesLeftOut + 1 };
  return { ...session, entries: [...session.entries, makeLine(entry)] };
}

const TOOL_TONES: Readonly<Record<string, PageTone>> = { ok: "calm", failed: "bad", denied: "bad", open: "wait" };

function makeLine(entry: TranscriptEntry): TranscriptLine {
  if (entry.type === "used") {
    const { tool, target, status, exit, output } = entry;
    const end = status === "ok" ? "" : ` · ${status}${exit === null ? "" : ` ${exit}`}`;
    const head = cutText(`${tool}${target === null ? "" : ` ${target}`}${end}`, HEAD_CHARS);
    return { kind: "used", tone: TOOL_TONES[status] ?? "calm", head, body: cutText(output, BODY_CHARS) };
  }
  const tone = entry.type === "ended" ? (entry.isGood ? "good" : "bad") : "calm";
  return { kind: entry.type, tone, head: "", body: cutText(entry.text, BODY_CHARS) };
}
