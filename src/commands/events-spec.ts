import { defineCommand } from "../terminal/command.ts";
import type { OptionSpecs } from "../terminal/option-spec.ts";
import { SUMMARIES } from "../terminal/summaries.ts";

const options = {
  follow: { type: "flag", short: "f", help: "Print new events until Ctrl-C" },
  run: { type: "text", value: "ID", help: "Only this tick: first or last letters of its id" },
} as const satisfies OptionSpecs;

export type EventsOptions = typeof options;

export const eventsSpec = defineCommand({
  name: "events",
  summary: SUMMARIES.events,
  usage: ["[--follow] [--run ID]"],
  description: [
    "One line per event: time, tick and text. With --json each line is the event as in the journal",
    "(schemas/event.schema.json). --follow covers all worktrees of the repository and survives a repaired or new",
    "journal; it ends with Ctrl-C or when its reader is gone. Writes nothing.",
    "Exit status 0; 11: no repository, or the journal is damaged.",
  ],
  options,
  examples: [
    { line: "relais events", explains: "the whole journal" },
    { line: "relais events --follow", explains: "watch from another terminal" },
    { line: "relais events --run 1a2b3c4d", explains: "one tick" },
    { line: "relais events --follow --json", explains: "one JSON event per line, for a program" },
  ],
  load: async () => (await import("./events-command.ts")).runEvents,
});
