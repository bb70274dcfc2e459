import { type Completed, listCompletions } from "./completion-words.ts";
import { makeBashCompletions } from "./completions-bash.ts";
import { makeFishCompletions } from "./completions-fish.ts";
import { makeZshCompletions } from "./completions-zsh.ts";
import type { RunCommand } from "../terminal/command.ts";

export const bash = defineCompletions("bash", makeBashCompletions);
export const zsh = defineCompletions("zsh", makeZshCompletions);
export const fish = defineCompletions("fish", makeFishCompletions);

function defineCompletions(shell: string, render: (completed: Completed) => string): RunCommand {
  return async (_, { json, out, loadVocabulary }) => {
    const script = render(listCompletions(await loadVocabulary()));
    out(json ? `${JSON.stringify({ shell, script })}\n` : script);
    return { kind: "ended", status: 0 };
  };
}
