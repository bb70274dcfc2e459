import { type Completed, completedWords } from "./completion-words.ts";
import { bashCompletions } from "./completions-bash.ts";
import { fishCompletions } from "./completions-fish.ts";
import { zshCompletions } from "./completions-zsh.ts";
import type { RunCommand } from "../../framework/command.ts";

/** `relais completions bash`, `zsh` and `fish`. */
export const bash = completionsOf("bash", bashCompletions);
export const zsh = completionsOf("zsh", zshCompletions);
export const fish = completionsOf("fish", fishCompletions);

function completionsOf(shell: string, render: (completed: Completed) => string): RunCommand {
  return (_, { json, out, vocabulary }) => {
    const script = render(completedWords(vocabulary));
    out(json ? `${JSON.stringify({ shell, script })}\n` : script);
    return Promise.resolve({ kind: "ended", status: 0 });
  };
}
