import type { TranscriptEntry } from "../records/transcript-entry.ts";
import { readClaudeTranscript } from "./claude-transcript.ts";
import { readCodexTranscript } from "./codex-transcript.ts";
import type { Driver } from "./driver.ts";

export interface TranscriptReader {
  readonly line: (text: string) => readonly TranscriptEntry[];
  /** After the last line. */
  readonly rest: () => readonly TranscriptEntry[];
}

/** Lines before the first of a session are shown only if nothing else was said: mostly why it did not start. */
const STRAY_LINES_MAX = 50;

/** Reads a transcript line by line, whole, as a person would read it. */
export function readTranscript(driver: Driver["name"]): TranscriptReader {
  if (driver === "patch") return { line: () => [], rest: () => [] };
  if (driver === "claude_code" || driver === "codex") return readJsonTranscript();
  return { line: (text) => [{ type: "output", text }], rest: () => [] };
}

/** Both programs, because a session may be handed over, and a reviewer may have an agent of its own. */
function readJsonTranscript(): TranscriptReader {
  const readers = [readClaudeTranscript(), readCodexTranscript()];
  let isStarted = false;
  let isKnown = false;
  let stray: string[] = [];
  return {
    line: (text) => {
      const entries = readers.flatMap((reader) => reader.line(text));
      // Claude Code prints its requests between the lines of a session if a service is slow.
      isStarted ||= text.startsWith("{");
      isKnown ||= entries.length > 0;
      if (!isStarted && text.trim() !== "") stray = [...stray.slice(1 - STRAY_LINES_MAX), text];
      return entries;
    },
    rest: () => [
      ...readers.flatMap((reader) => reader.rest()),
      ...(isKnown ? [] : stray.map((text): TranscriptEntry => ({ type: "output", text }))),
    ],
  };
}
