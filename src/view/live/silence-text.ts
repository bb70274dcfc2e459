import type { LiveEvent } from "../../contract/journal/live-event.ts";

/** A notice about a session that says nothing for long. */
export function renderSilence({ role, seconds, notice, of }: Extract<LiveEvent, { kind: "silent" }>): string {
  const next = notice === of ? "; restarting it next" : "";
  return `${role}: stale, no output for ${seconds} s (notice ${notice} of ${of})${next}`;
}
