export type ChosenAnswer =
  | {
      readonly kind: "answer";
      readonly text: string;
      /** From 1; null for words of their own. */ readonly choice: number | null;
    }
  | { readonly kind: "no-such-choice"; readonly count: number };

/** A number, or the words of a choice in any case, select that choice. */
export function chooseAnswer(words: string, choices: readonly string[]): ChosenAnswer {
  const text = words.trim();
  const number = /^\d{1,4}$/u.test(text) ? Number(text) : null;
  // The choices themselves may be numbers, and then the words count.
  const named = choices.findIndex((choice) => choice.trim().toLowerCase() === text.toLowerCase());
  if (named === -1 && number !== null && choices.length > 0) {
    const choice = choices[number - 1];
    if (choice === undefined) return { kind: "no-such-choice", count: choices.length };
    return { kind: "answer", text: choice, choice: number };
  }
  return named === -1
    ? { kind: "answer", text, choice: null }
    : { kind: "answer", text: choices[named] ?? text, choice: named + 1 };
}
