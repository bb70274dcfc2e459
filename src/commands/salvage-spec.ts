import { defineCommand, defineGroup } from "../terminal/command.ts";
import { SUMMARIES } from "../terminal/summaries.ts";

const RUN = {
  max: 1,
  help: [["RUN", "a tick: first or last letters of its id [the newest]"]],
} as const;

export const salvageSpec = defineGroup({
  name: "salvage",
  summary: SUMMARIES.salvage,
  description: [
    "The work of a reverted tick is kept outside the repository, except files under forbidden globs.",
    "`relais salvage` alone lists it.",
  ],
  defaultTo: "list",
  subcommands: [
    defineCommand({
      name: "list",
      summary: "List the kept work",
      description: ["Newest first, with rescued commits and ignored files."],
      examples: [{ line: "relais salvage list --json", explains: "for a script" }],
      load: async () => (await import("./salvage-command.ts")).listSalvageCommand,
    }),
    defineCommand({
      name: "show",
      summary: "Show the kept work of one tick, with its patch",
      usage: ["[RUN]"],
      description: ["Exit status 0: shown; 10: not found or damaged."],
      positionals: RUN,
      examples: [{ line: "relais salvage show", explains: "the newest" }],
      load: async () => (await import("./salvage-command.ts")).showSalvageCommand,
    }),
    defineCommand({
      name: "apply",
      summary: "Write the kept work of one tick into the working tree",
      usage: ["[RUN]"],
      description: [
        "Uncommitted and not judged. Refused if one of its paths has changed since the work began. To have it judged,",
        "with `--allow`, `--new-files` and the like: `relais land RUN`.",
        "Exit status 0: done; 10: refused, nothing changed.",
      ],
      positionals: RUN,
      examples: [{ line: "relais salvage apply 1a2b3c4d", explains: "back into the working tree" }],
      load: async () => (await import("./salvage-command.ts")).apply,
    }),
  ],
  examples: [
    { line: "relais salvage", explains: "all kept work" },
    { line: "relais salvage show", explains: "the newest, with its patch" },
    { line: "relais salvage apply 1a2b3c4d", explains: "back into the working tree" },
  ],
});
