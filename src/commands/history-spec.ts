import { defineCommand, defineGroup } from "../terminal/command.ts";
import type { OptionSpecs } from "../terminal/option-spec.ts";
import { SUMMARIES } from "../terminal/summaries.ts";

const COUNT = { type: "number", min: 0, max: 1_000_000 } as const;

const pruneOptions = {
  keep: { ...COUNT, value: "N", help: "Keep the newest N runs" },
  "older-than": { ...COUNT, value: "DAYS", unit: "days", help: "Delete runs older than DAYS days" },
  "to-mb": { ...COUNT, value: "N", unit: "MB", help: "Delete until the history takes at most N MB" },
  "dry-run": { type: "flag", help: "Show what would be deleted" },
} as const satisfies OptionSpecs;

export type HistoryPruneOptions = typeof pruneOptions;

const RUN = (byDefault: string) => ({
  max: 1,
  help: [["RUN", `a tick: first or last letters of its id [${byDefault}]`]] as const,
});

export const historySpec = defineGroup({
  name: "history",
  summary: SUMMARIES.history,
  description: ["`relais history` alone lists the last ticks."],
  defaultTo: "list",
  subcommands: [
    defineCommand({
      name: "list",
      summary: "List the last ticks",
      description: ["Newest first; -v shows all."],
      examples: [{ line: "relais history list -v", explains: "all ticks" }],
      load: async () => (await import("./list-history.ts")).listHistoryCommand,
    }),
    defineCommand({
      name: "show",
      summary: "Show everything about one tick",
      usage: ["[RUN]"],
      description: ["Exit status 0: shown; 10: not found or damaged."],
      positionals: RUN("the newest"),
      examples: [{ line: "relais history show 1a2b3c4d", explains: "one tick" }],
      load: async () => (await import("./history-command.ts")).showHistory,
    }),
    defineCommand({
      name: "diff",
      summary: "Print the change of one tick",
      usage: ["[RUN]"],
      description: ["In a file or pipe: a patch for git. On a terminal: with control characters made visible."],
      positionals: RUN("the newest"),
      examples: [{ line: "relais history diff | git apply", explains: "the newest change as a patch" }],
      load: async () => (await import("./history-command.ts")).diff,
    }),
    defineCommand({
      name: "replay",
      summary: "Judge past ticks again from their recorded evidence",
      usage: ["[RUN]"],
      description: [
        "Judges the recorded evidence of one tick, or of all, again. Compares the verdict and every file of the tick",
        "with the journal. Exit status 0: the same; 10: something differs.",
      ],
      positionals: RUN("all"),
      examples: [{ line: "relais history replay", explains: "does every verdict still match its evidence?" }],
      load: async () => (await import("./history-command.ts")).replayHistory,
    }),
    defineCommand({
      name: "prune",
      summary: "Delete old runs",
      usage: ["[--keep N | --older-than DAYS | --to-mb N] [--dry-run]"],
      description: [
        "Deletes the folders of the oldest runs first. Keeps unfinished ticks and work that waits for you. Without an",
        "option it goes down to half of history.max_mb. Exit status 0: done; 10: something could not be deleted.",
      ],
      options: pruneOptions,
      examples: [
        { line: "relais history prune --keep 100", explains: "keep the newest hundred" },
        { line: "relais history prune --older-than 30 --dry-run", explains: "what would be deleted?" },
      ],
      load: async () => (await import("./history-prune.ts")).prune,
    }),
  ],
  examples: [
    { line: "relais history", explains: "the last ticks; -v shows all" },
    { line: "relais history show 1a2b3c4d", explains: "one tick" },
    { line: "relais history diff | git apply", explains: "the newest change as a patch" },
    { line: "relais history replay", explains: "does every verdict still match its evidence?" },
    { line: "relais history prune --keep 100", explains: "keep the newest hundred" },
  ],
});
