import { defineCommand, defineGroup } from "../../framework/command.ts";
import type { OptionSpecs } from "../../framework/option-spec.ts";

const options = {
  into: { type: "text", value: "DIR", help: "Use this folder, empty or not there yet [a temporary one]" },
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
    description: [description, "Exit status 0: everything came out as it should."],
    positionals: { max: 0, help: [] },
    options,
    examples: [
      {
        line: `relais demo ${name} --into ~/relais-demo`,
        explains: "in a place where you can find it again",
      },
    ],
    load: async () => (await import("./demo-command.ts")).playAct(name),
  });

export const demoSpec = defineGroup({
  name: "demo",
  summary: "See it work: ticks and whole workflows on sample repositories, offline",
  description: [
    "Plays one act after the other, each on a sample repository of its own. All of it is run by this very executable,",
    "with a builder that plays a script: no agent, no account and no network is needed, only git. Nothing outside the",
    "folder is touched, and the folder stays for you to look at. `relais demo` alone plays all acts.",
  ],
  defaultTo: "all",
  subcommands: [
    act({ name: "all", summary: "Play all acts", description: "Plays every act, one after the other." }),
    act({
      name: "tick",
      summary: "Single ticks",
      description:
        "A change that is kept, an edit outside the task, a failing check, a builder that tampers, and a crash.",
    }),
    act({
      name: "tree",
      summary: "The tree workflow",
      description: "A goal that is taken apart, done, failed once, mended and finished.",
    }),
    act({
      name: "goal",
      summary: "The goal workflow",
      description: "Turns of work, reviewers, and a vote that does not count.",
    }),
    act({
      name: "campaign",
      summary: "The campaign workflow",
      description: "A story that is wrong once, fixed as the runner asked, and verified.",
    }),
  ],
  examples: [
    { line: "relais demo", explains: "watch it" },
    { line: "relais demo tree", explains: "only this act" },
    { line: "relais demo --into ~/relais-demo", explains: "in a place where you can find it again" },
    { line: "relais demo --json", explains: "what happened, for a script" },
  ],
});
