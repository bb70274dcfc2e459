import { defineCommand } from "../terminal/command.ts";
import type { OptionSpecs } from "../terminal/option-spec.ts";
import { SUMMARIES } from "../terminal/summaries.ts";

const options = {
  "no-open": { type: "flag", help: "Only print the link" },
  port: { type: "number", value: "PORT", min: 1, max: 65_535, help: "The port on 127.0.0.1; without it, any free one" },
  idle: {
    type: "number",
    value: "SECONDS",
    unit: "seconds",
    min: 0,
    help: "End so long after the last page was closed; 0 is never. Without it, 900",
  },
  "read-only": { type: "flag", help: "Show everything, decide nothing" },
} as const satisfies OptionSpecs;

export type UiOptions = typeof options;

export const uiSpec = defineCommand({
  name: "ui",
  summary: SUMMARIES.ui,
  usage: ["[--no-open] [--port PORT] [--idle SECONDS] [--read-only]"],
  description: [
    "Serves a page on 127.0.0.1 and opens it: what happens now, every tick with its change, checks, votes and",
    "transcript, costs, and what waits for you. It shows every repository of yours that has a journal, follows them",
    "live, and does what `accept`, `reject`, `undo`, `answer`, `salvage apply`, `pause`, `stop` and `queue` do, each",
    "after a confirmation. The link contains a token: only you can use the page, and only with it. It ends with Ctrl-C, with",
    "its terminal, or when nobody looks any more. It needs no repository.",
    "Exit status 130 after Ctrl-C, otherwise 0; 10: the port cannot be used.",
  ],
  options,
  examples: [
    { line: "relais ui", explains: "open the page" },
    { line: "relais ui --no-open --port 8123", explains: "print the link; the port for a tunnel from another machine" },
    { line: "relais ui --read-only", explains: "without buttons that change something" },
  ],
  load: async () => (await import("./ui-command.ts")).runUi,
});
