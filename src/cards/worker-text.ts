/** A worker for people: a line for each thing that happens, a frame of its slots, and its end. */
import type { WorkerEvent, WorkerSummary } from "../queue/pure/job.ts";
import { unreachable } from "../base/errors.ts";
import { shorten } from "../base/words.ts";
import { describeRecorded } from "./recorded-words.ts";
import { BAD, GOOD, NEUTRAL, PENDING, type Sign, WARNING } from "../base/canvas.ts";
import { formatDuration } from "../base/duration-text.ts";
import { neutralise, type Style } from "../base/style.ts";

const OUTCOMES: Readonly<Record<"done" | "failed" | "cancelled", Sign>> = {
  done: GOOD,
  failed: BAD,
  cancelled: WARNING,
};

/** Null for what only the frame shows. */
export function describeWorkerEvent(event: WorkerEvent, isDetailed: boolean): string | null {
  switch (event.kind) {
    case "claimed":
      return neutralise(`${event.job}: attempt ${event.attempt} in slot ${event.slot}: ${event.title}`);
    case "line": {
      const words = isDetailed ? describeRecorded(event.line.event) : null;
      return words === null ? null : neutralise(`${event.job}: ${words}`);
    }
    case "finished": {
      const { outcome, summary, branch } = event.result;
      const where = branch === null ? "" : ` (${branch})`;
      return neutralise(`${OUTCOMES[outcome].mark} ${event.job} ${outcome}: ${summary}${where}`);
    }
    case "released":
      return neutralise(`${event.job} waits again: ${event.why}`);
    case "fenced":
      return neutralise(`${event.job} is in other hands now; its session was ended, its work is in salvage`);
    case "warned":
      return neutralise(`warning: ${event.message}`);
    default:
      return unreachable(event);
  }
}

/** What a slot does; null is idle. */
export interface SlotView {
  readonly job: string;
  readonly title: string;
  readonly sinceMs: number;
  readonly doing: string;
}

/** One line for each slot. */
export function renderWorkerFrame(
  slots: readonly (SlotView | null)[],
  columns: number,
  now: number,
  style: Style,
): string[] {
  return slots.map((slot, at) => {
    const { mark, tone } = slot === null ? NEUTRAL : PENDING;
    const lead = `${mark} slot ${at + 1}`;
    if (slot === null) return `${style("faint", lead)}  waiting for a job`;
    const time = formatDuration(Math.max(0, now - slot.sinceMs));
    const text = neutralise(`${slot.job}  ${time}  ${slot.doing}: ${slot.title}`);
    return `${style(tone, lead)}  ${shorten(text, Math.max(20, columns - lead.length - 3))}`;
  });
}

export function renderWorkerSummary(counts: WorkerSummary): string {
  const parts = Object.entries(counts).flatMap(([name, count]) => (count === 0 ? [] : [`${count} ${name}`]));
  return parts.length === 0 ? "No job was taken.\n" : `Jobs: ${parts.join(", ")}.\n`;
}

/** What a slot shows after an event of its job; undefined where the event is not about it. */
export function updateSlot(slot: SlotView | null, event: WorkerEvent, now: number): SlotView | null {
  if (event.kind === "claimed") return { job: event.job, title: event.title, sinceMs: now, doing: "starting" };
  if (event.kind !== "line") return event.kind === "warned" ? slot : null;
  const words = describeRecorded(event.line.event);
  return slot === null || words === null ? slot : { ...slot, doing: words };
}
