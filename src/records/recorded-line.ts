/**
 * A line of the journal, validated for speed: a long history has a million of them.
 *
 * The variant of valibot tries one kind of event after the other. Here the name of an event leads to its kind at once;
 * everything else is the same, and what is refused here is explained by the thorough validator.
 */
import * as v from "valibot";
import { JournalLine, TickEvent } from "./event.ts";

const kinds = new Map<unknown, (typeof TickEvent.options)[number]>(
  TickEvent.options.map((kind) => [kind.entries.type.literal, kind]),
);

const RecordedEvent = v.lazy((event): v.GenericSchema<TickEvent> => kinds.get(readType(event)) ?? TickEvent);

function readType(event: unknown): unknown {
  return typeof event === "object" && event !== null && "type" in event ? event.type : null;
}

export const RecordedLine = v.strictObject({ ...JournalLine.entries, event: RecordedEvent });
