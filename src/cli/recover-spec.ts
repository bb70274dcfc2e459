import type { CommandSpec } from "./command.ts";

export const recoverSpec: CommandSpec = {
  name: "recover",
  summary: "After a crash: put the repository back and keep the work in salvage",
  usage: [""],
  description: [
    "Finds the tick that was cut short, puts the repository back to what it was before its builder began, and writes",
    "its report. Where nothing was cut short, the documents of the workspace are written again from the journal.",
  ],
  positionals: { max: 0, help: [] },
  options: {},
  examples: [{ line: "relais recover", explains: "safe to run at any time, and twice" }],
  load: () => import("./recover-command.ts"),
};
