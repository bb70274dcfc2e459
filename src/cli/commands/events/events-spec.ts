import { defineCommand } from "../../framework/command.ts";
import type { OptionSpecs } from "../../framework/option-spec.ts";

const options = {
  follow: { type: "flag", short: "f", help: "Go on with what is added, until interrupted" },
  run: { type: "text", value: "ID", help: "Only this tick: its name, or the beginning or the end of it" },
} as const satisfies OptionSpecs;

export type EventsOptions = typeof options;

export const eventsSpec = defineCommand({
  name: "events",
  summary: "Print the events of the journal, and follow them as they come",
  usage: ["[--follow] [--run ID]"],
  description: [
    "One line for each event: when it happened, which tick it belongs to, and what it says. With --json each line is the",
    "event as the journal has it (schemas/event.schema.json), and there is no other document. --follow goes on until it",
    "is interrupted or nobody reads it any more; it shows the ticks of every worktree of the repository, and stays with",
    "a journal that is mended or begun anew. Nothing is written. Exit status 0; 11: there is no repository, or the",
    "journal is damaged.",
  ],
  positionals: { max: 0, help: [] },
  options,
  examples: [
    { line: "relais events", explains: "everything that was recorded" },
    { line: "relais events --follow", explains: "watch it from another terminal" },
    { line: "relais events --run 1a2b3c4d", explains: "one tick" },
    { line: "relais events --follow --json", explains: "one event a line, for a program" },
  ],
  load: async () => (await import("./events-command.ts")).run,
});
