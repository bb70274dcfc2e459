import { defineCommand, defineGroup } from "../../framework/command.ts";

const none = { positionals: { max: 0, help: [] }, options: {}, usage: [""] } as const;

export const completionsSpec = defineGroup({
  name: "completions",
  summary: "Print the completions of a shell",
  description: [
    "The script offers the commands, their options and the words that these take. It is made from the same definitions as",
    "the help, so it belongs to this version: load it anew after an update.",
  ],
  subcommands: [
    defineCommand({
      ...none,
      name: "bash",
      summary: "Print the completions of bash",
      description: ["Works with bash 3.2 and later."],
      examples: [{ line: 'eval "$(relais completions bash)"', explains: "in ~/.bashrc" }],
      load: async () => (await import("./completions-command.ts")).bash,
    }),
    defineCommand({
      ...none,
      name: "zsh",
      summary: "Print the completions of zsh",
      description: ["A function for a folder of $fpath; it can also be evaluated."],
      examples: [
        {
          line: 'relais completions zsh > "${fpath[1]}/_relais"',
          explains: "once, in a folder of zsh's functions",
        },
      ],
      load: async () => (await import("./completions-command.ts")).zsh,
    }),
    defineCommand({
      ...none,
      name: "fish",
      summary: "Print the completions of fish",
      description: ["fish loads the file by itself."],
      examples: [
        { line: "relais completions fish > ~/.config/fish/completions/relais.fish", explains: "once" },
      ],
      load: async () => (await import("./completions-command.ts")).fish,
    }),
  ],
  examples: [
    { line: 'eval "$(relais completions bash)"', explains: "in ~/.bashrc" },
    {
      line: 'relais completions zsh > "${fpath[1]}/_relais"',
      explains: "once, in a folder of zsh's functions",
    },
    { line: "relais completions fish > ~/.config/fish/completions/relais.fish", explains: "once" },
  ],
});
