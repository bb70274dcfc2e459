import { type Completed, listCompletions } from "./completion-words.ts";
import { makeBashCompletions } from "./completions-bash.ts";
import { makeFishCompletions } from "./completions-fish.ts";
import { makeZshCompletions } from "./completions-zsh.ts";
import type { RunCommand } from "../../framework/command.ts";

export const bash = defineCompletions("bash", makeBashCompletions);
export const zsh = defineCompletions("zsh", makeZshCompletions);
export const fish = defineCompletions("fish", makeFishCompletions);

function defineCompletions(shell: string, render: (completed: Completed) => string): RunCommand {
  return (_, { json, out, vocabulary }) => {
    const script = render(listCompletions(vocabulary));
    out(json ? `${JSON.stringify({ shell, script })}\n` : script);
    return Promise.resolve({ kind: "ended", status: 0 });
  };
}
