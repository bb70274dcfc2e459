import { defineCommand, defineGroup } from "../../framework/command.ts";
import type { OptionSpecs } from "../../framework/option-spec.ts";

const COUNT = { type: "number", min: 0, max: 1_000_000 } as const;

const pruneOptions = {
  keep: { ...COUNT, value: "N", help: "Keep the newest N folders" },
  "older-than": { ...COUNT, value: "DAYS", help: "Remove what began more than DAYS days ago" },
  "to-mb": { ...COUNT, value: "N", help: "Remove until the history holds N MB at most" },
  "dry-run": { type: "flag", help: "Only say what would be removed" },
} as const satisfies OptionSpecs;

export type HistoryPruneOptions = typeof pruneOptions;

const RUN = (byDefault: string) => ({
  max: 1,
  help: [["RUN", `a tick: its name, or the beginning or the end of it [${byDefault}]`]] as const,
});

export const historySpec = defineGroup({
  name: "history",
  summary: "Say what happened, show a tick, its change, judge it again, or make room",
  description: ["`relais history` alone lists the last ticks."],
  defaultTo: "list",
  subcommands: [
    defineCommand({
      name: "list",
      summary: "List the last ticks",
      usage: [""],
      description: ["The newest is the first. -v lists all of them."],
      positionals: { max: 0, help: [] },
      options: {},
      examples: [{ line: "relais history list -v", explains: "all of them" }],
      load: async () => (await import("./history-command.ts")).list,
    }),
    defineCommand({
      name: "show",
      summary: "Show everything about one tick",
      usage: ["[RUN]"],
      description: ["Exit status 0: shown; 10: it is not there or damaged."],
      positionals: RUN("the newest"),
      options: {},
      examples: [{ line: "relais history show 1a2b3c4d", explains: "one tick" }],
      load: async () => (await import("./history-command.ts")).show,
    }),
    defineCommand({
      name: "diff",
      summary: "Print the change of one tick",
      usage: ["[RUN]"],
      description: [
        "As a patch that git can apply where the output is a file or a pipe, made harmless where it is a terminal.",
      ],
      positionals: RUN("the newest"),
      options: {},
      examples: [{ line: "relais history diff | git apply", explains: "the newest change as a patch" }],
      load: async () => (await import("./history-command.ts")).diff,
    }),
    defineCommand({
      name: "replay",
      summary: "Judge ticks again by their recorded evidence",
      usage: ["[RUN]"],
      description: [
        "Derives the verdict of one tick, or of all of them, from the recorded evidence once more and compares it and",
        "every file of the tick with what the journal recorded. Exit status 0: the same; 10: something differs.",
      ],
      positionals: RUN("all"),
      options: {},
      examples: [
        { line: "relais history replay", explains: "is every verdict still what the evidence says?" },
      ],
      load: async () => (await import("./history-command.ts")).replay,
    }),
    defineCommand({
      name: "prune",
      summary: "Remove the folders of old ticks",
      usage: ["[--keep N | --older-than DAYS | --to-mb N] [--dry-run]"],
      description: [
        "The oldest first, but never that of a tick which is not over or whose work still waits for you. Without an",
        "option it brings the history down to half of history.max_mb. Exit status 0: done; 10: something could not be",
        "removed.",
      ],
      positionals: { max: 0, help: [] },
      options: pruneOptions,
      examples: [
        { line: "relais history prune --keep 100", explains: "remove all but the newest hundred" },
        { line: "relais history prune --older-than 30 --dry-run", explains: "what would be removed?" },
      ],
      load: async () => (await import("./history-prune.ts")).prune,
    }),
  ],
  examples: [
    { line: "relais history", explains: "the last ticks; -v shows all of them" },
    { line: "relais history show 1a2b3c4d", explains: "one tick" },
    { line: "relais history diff | git apply", explains: "the newest change as a patch" },
    { line: "relais history replay", explains: "is every verdict still what the evidence says?" },
    { line: "relais history prune --keep 100", explains: "remove all but the newest hundred" },
  ],
});
