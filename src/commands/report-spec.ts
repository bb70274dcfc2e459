import { defineCommand } from "../terminal/command.ts";
import type { OptionSpecs } from "../terminal/option-spec.ts";
import { SUMMARIES } from "../terminal/summaries.ts";

const options = {
  html: { type: "text", value: "FILE", help: "The file to write; an existing one is replaced" },
} as const satisfies OptionSpecs;

export type ReportOptions = typeof options;

export const reportSpec = defineCommand({
  name: "report",
  summary: SUMMARIES.report,
  usage: ["[RUN|SERIES] --html FILE"],
  description: [
    "Writes pages about a tick or a whole series into one HTML file: verdict, change, checks, votes, time, cost,",
    "salvage and transcripts. It opens from disk, without a server and without a request, and",
    "can be sent to others: it holds everything that the agents read and said in these ticks. Without a name it is",
    "the newest series; a single tick is a series of one.",
    "Exit status 0; 10: no such tick, or the file cannot be written; 11: no repository.",
  ],
  options,
  positionals: { max: 1, help: [["RUN|SERIES", "The id of a tick or of a series, or the beginning or end of it"]] },
  examples: [
    { line: "relais report --html report.html", explains: "the newest tick or series" },
    { line: "relais report 1a2b3c4d --html /tmp/tick.html", explains: "one tick" },
  ],
  load: async () => (await import("./report-command.ts")).runReport,
});
