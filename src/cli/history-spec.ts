import type { CommandSpec } from "./command.ts";

export const historySpec: CommandSpec = {
  name: "history",
  summary: "Say what happened, show a tick, its change, or judge it again",
  usage: ["[list]", "show [RUN]", "diff [RUN]", "replay [RUN]"],
  description: [
    "`show` tells everything about one tick, `diff` prints its change: as a patch that git can apply",
    "where the output is a file or a pipe, made harmless where it is a terminal. `replay` derives the",
    "verdict of one tick, or of all of them, from the recorded evidence once more and compares it with",
    "everything that was recorded. Exit status 0: done; 10: something differs or is not there.",
  ],
  positionals: {
    max: 2,
    help: [
      ["list, show, diff or replay", "what to do [list]"],
      ["RUN", "a tick: its name, or the beginning or the end of it [the newest; replay: all]"],
    ],
  },
  options: {},
  examples: [
    { line: "relais history", explains: "the last ticks; -v shows all of them" },
    { line: "relais history show 1a2b3c4d", explains: "one tick" },
    { line: "relais history diff | git apply", explains: "the newest change as a patch" },
    { line: "relais history replay", explains: "is every verdict still what the evidence says?" },
  ],
  load: () => import("./history-command.ts"),
};
