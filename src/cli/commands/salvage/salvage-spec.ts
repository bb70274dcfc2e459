import type { CommandSpec } from "../../framework/command.ts";

export const salvageSpec: CommandSpec = {
  name: "salvage",
  summary: "Find work that was put back, look at it, bring it back",
  usage: ["[list]", "show [RUN]", "apply [RUN]"],
  description: [
    "What a tick puts back is kept outside the repository, but for what lies under forbidden globs.",
    "`apply` writes it into the working tree again, uncommitted and unjudged, provided that every path",
    "is what it was when the work began. Exit status 0: done; 10: refused, and nothing was changed.",
  ],
  positionals: {
    max: 2,
    choices: ["list", "show", "apply"],
    help: [
      ["list, show or apply", "what to do [list]"],
      ["RUN", "a tick: its name, or the beginning or the end of it [the newest]"],
    ],
  },
  options: {},
  examples: [
    { line: "relais salvage", explains: "everything that is kept" },
    { line: "relais salvage show", explains: "the newest, with its patch" },
    { line: "relais salvage apply 1a2b3c4d", explains: "back into the working tree" },
  ],
  load: () => import("./salvage-command.ts"),
};
