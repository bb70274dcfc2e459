import { defineCommand } from "../terminal/command.ts";
import type { OptionSpecs } from "../terminal/option-spec.ts";
import { SUMMARIES } from "../terminal/summaries.ts";

const options = {
  reason: { type: "text", value: "TEXT", help: "Why; the next attempt of a series reads it" },
} as const satisfies OptionSpecs;

export type RejectOptions = typeof options;

export const rejectSpec = defineCommand({
  name: "reject",
  summary: SUMMARIES.reject,
  usage: ["RUN [--reason TEXT]"],
  description: [
    "A held change does not wait any more; its work stays in salvage. Or a relais in another terminal that asks",
    "about a change reverts it and keeps it in salvage; a series goes on, and its next attempt reads the reason.",
    "For a change that was kept already, use `relais undo`.",
    "Exit status 0: rejected; 10: refused, because that change does not wait.",
  ],
  options,
  positionals: { max: 1, help: [["RUN", "The tick: its id, or the beginning or end of it"]] },
  examples: [{ line: "relais reject 1f3c --reason 'keep the old name'", explains: "revert it, and say why" }],
  load: async () => (await import("./reject-command.ts")).runReject,
});
