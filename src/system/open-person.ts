import { createInterface } from "node:readline/promises";

export interface Person {
  /** An empty answer is the suggestion, if there is one. Null once the person is gone. */
  readonly ask: (question: string, suggestion?: string) => Promise<string | null>;
  readonly say: (text: string) => void;
  readonly leave: () => void;
}

/** The person at the terminal; null where there is none. */
export function openPerson(signal: AbortSignal): Person | null {
  if (!process.stdin.isTTY || !process.stdout.isTTY) return null;
  const lines = createInterface({ input: process.stdin, output: process.stdout });
  let isGone = false;
  const gone = new Promise<null>((resolve) => {
    lines.once("close", () => {
      isGone = true;
      resolve(null);
    });
  });
  // While a line is read, the terminal hands an interrupt to readline, and not to the process.
  lines.on("SIGINT", () => lines.close());
  return {
    ask: async (question, suggestion) => {
      if (isGone || signal.aborted) return null;
      const hint = suggestion === undefined ? "" : ` [${suggestion}]`;
      const answer = await Promise.race([lines.question(`${question}${hint}: `, { signal }).catch(() => null), gone]);
      return answer?.trim() === "" ? (suggestion ?? "") : (answer?.trim() ?? null);
    },
    say: (text) => process.stdout.write(text),
    leave: () => lines.close(),
  };
}
