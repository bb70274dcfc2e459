import { defineCommand } from "../terminal/command.ts";
import type { OptionSpecs } from "../terminal/option-spec.ts";
import { SUMMARIES } from "../terminal/summaries.ts";

const options = {
  abandon: { type: "flag", help: "Give up a tick that cannot be reverted; changes no file" },
  yes: { type: "flag", help: "Also do what git does not confirm, without a question" },
} as const satisfies OptionSpecs;

export type RecoverOptions = typeof options;

export const recoverSpec = defineCommand({
  name: "recover",
  summary: SUMMARIES.recover,
  usage: ["[--yes | --abandon]"],
  description: [
    "Finds the interrupted tick, restores the repository to its state before the build, and writes the report.",
    "Lines missing from the journal are first restored from their copies. With no interrupted tick, it only writes",
    "the workspace documents again from the journal. If a path cannot be restored, it says which; --abandon then",
    "gives the tick up: the repository stays as it is, and new ticks can start.",
    "The saved state could be forged, so relais compares it with git. It lists content to be written that is not",
    "committed, changes to git's own data, and files to be removed that are committed or not kept in salvage. On a",
    "terminal it then asks; otherwise it does nothing without --yes.",
    "Exit status 0: in order; 11: something could not be restored or written.",
  ],
  options,
  mustFinish: true,
  examples: [
    { line: "relais recover", explains: "safe at any time" },
    { line: "relais recover --yes", explains: "after you read the list of paths" },
    { line: "relais recover --abandon", explains: "after you cleaned up the repository yourself" },
  ],
  load: async () => (await import("./recover-command.ts")).runRecover,
});
