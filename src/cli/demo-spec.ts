import type { CommandSpec } from "./command.ts";

export const demoSpec: CommandSpec = {
  name: "demo",
  summary: "See it work: five ticks on a sample repository, offline",
  usage: ["[--into DIR]"],
  description: [
    "Makes a sample repository and takes it through a change that is kept, an edit outside the task, a failing",
    "check, a builder that tampers, and a crash. Each one is run by this very executable, with a builder that plays",
    "a script: no agent, no account and no network is needed, only git. Nothing outside the folder is touched, and",
    "the folder stays for you to look at. Exit status 0: everything came out as it should.",
  ],
  positionals: { max: 0, help: [] },
  options: {
    into: { type: "text", value: "DIR", help: "Use this folder, empty or not there yet [a temporary one]" },
  },
  examples: [
    { line: "relais demo", explains: "watch it" },
    { line: "relais demo --into ~/relais-demo", explains: "in a place where you can find it again" },
    { line: "relais demo --json", explains: "what happened, for a script" },
  ],
  load: () => import("./demo-command.ts"),
};
