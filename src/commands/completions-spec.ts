import { defineCommand, defineGroup } from "../terminal/command.ts";
import { SUMMARIES } from "../terminal/summaries.ts";

export const completionsSpec = defineGroup({
  name: "completions",
  summary: SUMMARIES.completions,
  description: [
    "Completes commands, options and their values. The script belongs to this version of relais: load it again",
    "after an update.",
  ],
  subcommands: [
    defineCommand({
      name: "bash",
      summary: "Print completions for bash",
      description: ["Works with bash 3.2 and later."],
      examples: [{ line: 'eval "$(relais completions bash)"', explains: "in ~/.bashrc" }],
      load: async () => (await import("./completions-command.ts")).bash,
    }),
    defineCommand({
      name: "zsh",
      summary: "Print completions for zsh",
      description: ["Save it in a folder of $fpath, or evaluate it."],
      examples: [
        {
          line: 'relais completions zsh > "${fpath[1]}/_relais"',
          explains: "once, into a folder of $fpath",
        },
      ],
      load: async () => (await import("./completions-command.ts")).zsh,
    }),
    defineCommand({
      name: "fish",
      summary: "Print completions for fish",
      description: ["fish loads the file on its own."],
      examples: [{ line: "relais completions fish > ~/.config/fish/completions/relais.fish", explains: "once" }],
      load: async () => (await import("./completions-command.ts")).fish,
    }),
  ],
});
