import type { CommandSpec } from "../../framework/command.ts";

export const demoSpec: CommandSpec = {
  name: "demo",
  summary: "See it work: ticks and whole workflows on sample repositories, offline",
  usage: ["[all | tick | tree | goal | campaign] [--into DIR]"],
  description: [
    "Plays one act after the other, each on a sample repository of its own. `tick`: a change that is kept, an edit",
    "outside the task, a failing check, a builder that tampers, and a crash. `tree`: a goal that is taken apart, done,",
    "failed once, mended and finished. `goal`: turns of work, reviewers, and a vote that does not count. `campaign`: a",
    "story that is wrong once, fixed as the runner asked, and verified. All of it is run by this very executable, with a",
    "builder that plays a script: no agent, no account and no network is needed, only git. Nothing outside the folder is",
    "touched, and the folder stays for you to look at. Exit status 0: everything came out as it should.",
  ],
  positionals: {
    max: 1,
    help: [["ACT", "all, tick, tree, goal or campaign [all]"]],
    choices: ["all", "tick", "tree", "goal", "campaign"],
  },
  options: {
    into: { type: "text", value: "DIR", help: "Use this folder, empty or not there yet [a temporary one]" },
  },
  examples: [
    { line: "relais demo", explains: "watch it" },
    { line: "relais demo tree", explains: "only this act" },
    { line: "relais demo --into ~/relais-demo", explains: "in a place where you can find it again" },
    { line: "relais demo --json", explains: "what happened, for a script" },
  ],
  load: () => import("./demo-command.ts"),
};
