import { defineCommand, defineGroup } from "../../framework/command.ts";

const RUN = {
  max: 1,
  help: [["RUN", "a tick: its name, or the beginning or the end of it [the newest]"]],
} as const;

export const salvageSpec = defineGroup({
  name: "salvage",
  summary: "Find work that was put back, look at it, bring it back",
  description: [
    "What a tick puts back is kept outside the repository, but for what lies under forbidden globs.",
    "`relais salvage` alone lists it.",
  ],
  defaultTo: "list",
  subcommands: [
    defineCommand({
      name: "list",
      summary: "List what is kept",
      usage: [""],
      description: ["The newest is the first. Commits and ignored files that were rescued are listed too."],
      positionals: { max: 0, help: [] },
      options: {},
      examples: [{ line: "relais salvage list --json", explains: "for a script" }],
      load: async () => (await import("./salvage-command.ts")).list,
    }),
    defineCommand({
      name: "show",
      summary: "Show the kept work of one tick, with its patch",
      usage: ["[RUN]"],
      description: ["Exit status 0: shown; 10: there is nothing, or it is damaged."],
      positionals: RUN,
      options: {},
      examples: [{ line: "relais salvage show", explains: "the newest" }],
      load: async () => (await import("./salvage-command.ts")).show,
    }),
    defineCommand({
      name: "apply",
      summary: "Write the kept work of one tick into the working tree",
      usage: ["[RUN]"],
      description: [
        "Uncommitted and unjudged, provided that every path is what it was when the work began.",
        "Exit status 0: done; 10: refused, and nothing was changed.",
      ],
      positionals: RUN,
      options: {},
      examples: [{ line: "relais salvage apply 1a2b3c4d", explains: "back into the working tree" }],
      load: async () => (await import("./salvage-command.ts")).apply,
    }),
  ],
  examples: [
    { line: "relais salvage", explains: "everything that is kept" },
    { line: "relais salvage show", explains: "the newest, with its patch" },
    { line: "relais salvage apply 1a2b3c4d", explains: "back into the working tree" },
  ],
});
