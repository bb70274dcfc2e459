import { defineCommand } from "../terminal/command.ts";
import { SUMMARIES } from "../terminal/summaries.ts";

export const fetchSpec = defineCommand({
  name: "fetch",
  summary: SUMMARIES.fetch,
  usage: ["JOB"],
  description: [
    "Brings the commits of a job that has ended into this repository, as the branch relais/JOB, and its reverted work",
    "as commits under refs/relais/salvage/JOB. The journal and the output go to the state directory. The working tree,",
    "the index and other branches are not touched; a branch only moves forward. It may be repeated.",
    "Exit status 0: fetched; 10: refused, nothing changed.",
  ],
  positionals: { max: 1, help: [["JOB", "its name, or the beginning or end of it"]] },
  examples: [{ line: "relais fetch 1a2b", explains: "its branch, journal and salvage" }],
  load: async () => (await import("./fetch-command.ts")).runFetch,
});
