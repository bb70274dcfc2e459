import { completedWords } from "./completion-words.ts";
import { bashCompletions } from "./completions-bash.ts";
import { fishCompletions } from "./completions-fish.ts";
import { zshCompletions } from "./completions-zsh.ts";
import type { RunCommand } from "../../framework/command.ts";

const SHELLS = { bash: bashCompletions, zsh: zshCompletions, fish: fishCompletions } as const;

/** `relais completions`. */
export const run: RunCommand = ({ positionals: [shell] }, { json, out, vocabulary }) => {
  if (!isShell(shell)) {
    const message =
      shell === undefined
        ? "a shell is needed: bash, zsh or fish"
        : `the shell is bash, zsh or fish, not "${shell}"`;
    return Promise.resolve({ kind: "misused", message, problems: [] });
  }
  const script = SHELLS[shell](completedWords(vocabulary));
  out(json ? `${JSON.stringify({ shell, script })}\n` : script);
  return Promise.resolve({ kind: "ended", status: 0 });
};

function isShell(name: string | undefined): name is keyof typeof SHELLS {
  return name !== undefined && Object.hasOwn(SHELLS, name);
}
