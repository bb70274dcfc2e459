import { LANDING_OPTIONS } from "../terminal/choice-options.ts";
import { defineCommand } from "../terminal/command.ts";
import type { OptionSpecs } from "../terminal/option-spec.ts";
import { SUMMARIES } from "../terminal/summaries.ts";

const options = {
  message: {
    type: "text",
    short: "m",
    value: "TEXT",
    help: "The message of the commit [the sentence, in the style of the last commits]",
  },
  edit: { type: "flag", short: "e", help: "Edit the message first" },
  reason: { type: "text", value: "TEXT", help: "Why a held change is wanted; the journal keeps it" },
  ...LANDING_OPTIONS,
} as const satisfies OptionSpecs;

export type AcceptOptions = typeof options;

export const acceptSpec = defineCommand({
  name: "accept",
  summary: SUMMARIES.accept,
  usage: ["[-m TEXT | -e]", "RUN [-m TEXT] [--reason TEXT] [--allow GLOB]... [--update-tests GLOB]... [OPTION]..."],
  description: [
    "Commits exactly the judged paths of the last tick, with their judged content, on the branch that you are on.",
    "Other edits and staged files stay out. The message ends with the trailers of relais. Refused if a path was",
    "edited or something was committed since.",
    "",
    "With RUN it accepts a held change: the work is put on top of HEAD, judged and checked there, with exactly",
    "the findings lifted for which it was held, and committed. Anything else that is found stops it, unless an",
    "option allows it. Or it answers a relais in another terminal that asks about a change. For the last tick that",
    "was kept, it is the same as without RUN. Where the environment tells of an agent, no held change is accepted.",
    "Exit status 0: committed or accepted; 10: refused, nothing changed; 14: held again, for something new.",
  ],
  options,
  mustFinish: true,
  positionals: { max: 1, help: [["RUN", "The tick that waits: its id, or the beginning or end of it"]] },
  examples: [
    { line: "relais accept", explains: "commit it" },
    { line: 'relais accept -m "fix(till): count each item"', explains: "with your own message" },
    { line: "relais accept 1f3c", explains: "keep a change that is held" },
    { line: "relais accept --json", explains: "commit and branch as JSON, for a script" },
  ],
  load: async () => (await import("./accept-command.ts")).runAccept,
});
