import { openPerson } from "../../io/machine/ask-person.ts";

/** Asks a person whether to commit; null where nobody is at the terminal. No answer means no. */
export function openOffer(signal: AbortSignal) {
  const person = openPerson(signal);
  if (person === null) return null;
  return {
    acceptCommit: async (paths: readonly string[]): Promise<boolean> => {
      const [first = "", ...more] = paths;
      const what = more.length === 0 ? first : `${first} and ${more.length} more`;
      const answer = await person.ask(`Commit ${what} now? (y/N)`);
      person.leave();
      return /^y(?:es)?$/i.test(answer ?? "");
    },
  };
}
