import type { CommandSpec } from "../../framework/command.ts";

export const completionsSpec: CommandSpec = {
  name: "completions",
  summary: "Print the completions of a shell",
  usage: ["bash | zsh | fish"],
  description: [
    "The script offers the commands, their options and the words that these take. It is made from the same definitions as",
    "the help, so it belongs to this version: load it anew after an update.",
  ],
  positionals: {
    max: 1,
    choices: ["bash", "zsh", "fish"],
    help: [["SHELL", "bash, zsh or fish"]],
  },
  options: {},
  examples: [
    { line: 'eval "$(relais completions bash)"', explains: "in ~/.bashrc" },
    {
      line: 'relais completions zsh > "${fpath[1]}/_relais"',
      explains: "once, in a folder of zsh's functions",
    },
    { line: "relais completions fish > ~/.config/fish/completions/relais.fish", explains: "once" },
  ],
  load: () => import("./completions-command.ts"),
};
