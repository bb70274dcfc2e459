import { defineCommand, defineGroup } from "../terminal/command.ts";
import type { OptionSpecs } from "../terminal/option-spec.ts";
import { SUMMARIES } from "../terminal/summaries.ts";

const options = {
  into: { type: "text", value: "DIR", help: "A new or empty folder [a temporary one]" },
} as const satisfies OptionSpecs;

export type DemoOptions = typeof options;

interface Act {
  readonly name: string;
  readonly summary: string;
  readonly description: string;
}

/** One sub-command for each act, and one for all of them. */
const act = ({ name, summary, description }: Act) =>
  defineCommand({
    name,
    summary,
    usage: ["[--into DIR]"],
    description: [description, "Exit status 0: every step ended as expected."],
    options,
    examples: [
      {
        line: `relais demo ${name} --into ~/relais-demo`,
        explains: "in a folder of your choice",
      },
    ],
    load: async () => (await import("./demo-command.ts")).showAct(name),
  });

export const demoSpec = defineGroup({
  name: "demo",
  summary: SUMMARIES.demo,
  description: [
    "Plays one act after another, each in its own sample repository, with this relais and a scripted builder. It",
    "needs git, and no agent, account or network. Nothing outside the folder is touched; the folder stays for you",
    "to look at. `relais demo` alone plays all acts.",
  ],
  defaultTo: "all",
  subcommands: [
    act({ name: "all", summary: "Play all acts", description: "Plays every act in turn." }),
    act({
      name: "tick",
      summary: "Single ticks",
      description: "A kept change, an edit outside the task, a failing check, a tampering builder and a crash.",
    }),
    act({
      name: "tree",
      summary: "The tree workflow",
      description: "A goal is split, worked on, fails once, is fixed and completed.",
    }),
    act({
      name: "goal",
      summary: "The goal workflow",
      description: "Turns of work, reviewers and an invalid vote.",
    }),
    act({
      name: "campaign",
      summary: "The campaign workflow",
      description: "A story fails once, is fixed from the issue list and verified.",
    }),
  ],
  examples: [
    { line: "relais demo", explains: "watch it" },
    { line: "relais demo tree", explains: "only this act" },
    { line: "relais demo --into ~/relais-demo", explains: "in a folder of your choice" },
    { line: "relais demo --json", explains: "the results, for a script" },
  ],
});
