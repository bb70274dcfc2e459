export type SplitCommand =
  { readonly kind: "argv"; readonly argv: readonly string[] } | { readonly kind: "refused"; readonly reason: string };

const WORD = /(?:[^\s'"\\]+|'[^']*'|"[^"\\]*")+/gu;
/** What only a shell understands. A program would get it as an argument. */
const FOR_A_SHELL = /[|&;<>$`*?~()#]/u;

/** No shell ever sees the command. */
export function splitCommand(text: string): SplitCommand {
  const line = text.trim();
  if (line === "") return { kind: "refused", reason: "it is empty" };
  const words = line.match(WORD) ?? [];
  if (line.replaceAll(WORD, "").trim() !== "")
    return { kind: "refused", reason: "a quote is not closed, or a backslash stands in it" };
  const bare = line.replaceAll(/'[^']*'|"[^"]*"/gu, "");
  const special = FOR_A_SHELL.exec(bare)?.[0];
  if (special !== undefined)
    return {
      kind: "refused",
      reason: `no shell runs it, so \`${special}\` means nothing; put it in a script or quote it`,
    };
  return { kind: "argv", argv: words.map((word) => word.replaceAll(/'([^']*)'|"([^"]*)"/gu, "$1$2")) };
}

export function joinCommand(argv: readonly string[]): string {
  return argv.map(quoteWord).join(" ");
}

function quoteWord(word: string): string {
  if (word !== "" && !/[\s'"\\]/u.test(word) && !FOR_A_SHELL.test(word)) return word;
  return word.includes("'") ? `"${word}"` : `'${word}'`;
}
