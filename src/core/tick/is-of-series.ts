import type { TickEvent } from "../../contract/journal/event.ts";

/** What is recorded about a series. */
export type SeriesEvent = Extract<TickEvent, { type: "series_waiting" | "series_resumed" | "series_ended" }>;

/** Whether an event tells of the series after its last tick; it changes nothing about the tick. */
export function isOfSeries(event: TickEvent): event is SeriesEvent {
  return event.type === "series_waiting" || event.type === "series_resumed" || event.type === "series_ended";
}
