import { defineCommand, defineGroup } from "../terminal/command.ts";
import { SUMMARIES } from "../terminal/summaries.ts";

export const milestoneSpec = defineGroup({
  name: "milestone",
  summary: SUMMARIES.milestone,
  description: ["`budgets.per_milestone` caps what a milestone may spend. `relais status` shows what it has spent."],
  subcommands: [
    defineCommand({
      name: "next",
      summary: "Close the milestone, archive what it has spent, and open the next one",
      usage: ["[NAME]"],
      description: [
        "The counters begin anew; those of the closed milestone are in relais/history/milestones. Without a name, the",
        "next task names it. The caps of a series (`budgets.per_run`) stay. Refused to an agent.",
        "Exit status 0: opened; 10: refused, nothing changed.",
      ],
      positionals: { max: 1, help: [["NAME", "the name of the next milestone"]] },
      examples: [
        { line: "relais milestone next", explains: "the next task names it" },
        { line: "relais milestone next M-2", explains: "under this name" },
      ],
      load: async () => (await import("./milestone-command.ts")).openNext,
    }),
  ],
});
