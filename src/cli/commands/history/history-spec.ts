import type { CommandSpec } from "../../framework/command.ts";

export const historySpec: CommandSpec = {
  name: "history",
  summary: "Say what happened, show a tick, its change, judge it again, or make room",
  usage: [
    "[list]",
    "show [RUN]",
    "diff [RUN]",
    "replay [RUN]",
    "prune [--keep N | --older-than DAYS | --to-mb N] [--dry-run]",
  ],
  description: [
    "`show` tells everything about one tick, `diff` prints its change: as a patch that git can apply",
    "where the output is a file or a pipe, made harmless where it is a terminal. `replay` derives the",
    "verdict of one tick, or of all of them, from the recorded evidence once more and compares it and",
    "every file of the tick with what the journal recorded. `prune` removes the folders of old ticks,",
    "the oldest first, but never that of a tick which is not over or whose work still waits for you;",
    "without an option it brings the history down to half of history.max_mb. Exit status 0: done;",
    "10: something differs, is not there, or could not be removed.",
  ],
  positionals: {
    max: 2,
    choices: ["list", "show", "diff", "replay", "prune"],
    help: [
      ["list, show, diff, replay or prune", "what to do [list]"],
      ["RUN", "a tick: its name, or the beginning or the end of it [the newest; replay: all]"],
    ],
  },
  options: {
    keep: { type: "text", value: "N", help: "prune: keep the newest N folders" },
    "older-than": { type: "text", value: "DAYS", help: "prune: remove what began more than DAYS days ago" },
    "to-mb": { type: "text", value: "N", help: "prune: remove until the history holds N MB at most" },
    "dry-run": { type: "flag", help: "prune: only say what would be removed" },
  },
  examples: [
    { line: "relais history", explains: "the last ticks; -v shows all of them" },
    { line: "relais history show 1a2b3c4d", explains: "one tick" },
    { line: "relais history diff | git apply", explains: "the newest change as a patch" },
    { line: "relais history replay", explains: "is every verdict still what the evidence says?" },
    { line: "relais history prune --keep 100", explains: "remove all but the newest hundred" },
  ],
  load: () => import("./history-command.ts"),
};
