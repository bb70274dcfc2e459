import { defineCommand } from "../../framework/command.ts";
import type { OptionSpecs } from "../../framework/option-spec.ts";

const options = {
  abandon: { type: "flag", help: "Give up a tick that cannot be put back; nothing is touched" },
} as const satisfies OptionSpecs;

export type RecoverOptions = typeof options;

export const recoverSpec = defineCommand({
  name: "recover",
  summary: "After a crash: put the repository back and keep the work in salvage",
  usage: ["[--abandon]"],
  description: [
    "Finds the tick that was cut short, puts the repository back to what it was before its builder began, and writes",
    "its report. Where nothing was cut short, the documents of the workspace are written again from the journal.",
    "Lines that the journal has lost are taken from their copies first. What cannot be put back is said; --abandon then",
    "gives that tick up: the repository stays as it is, the journal says so, and ticks can begin again.",
    "Exit status 0: in order; 11: something could not be put back, or a document could not be written.",
  ],
  positionals: { max: 0, help: [] },
  options,
  mustFinish: true,
  examples: [
    { line: "relais recover", explains: "safe to run at any time, and twice" },
    { line: "relais recover --abandon", explains: "once you have put the repository in order yourself" },
  ],
  load: async () => (await import("./recover-command.ts")).run,
});
