/** Words of different kinds narrow the choice (`tick overlay`), words of one kind widen it (`status judge`). */
import { ENDS } from "./bench-repository.ts";
import type { Row } from "./rows.ts";
import { PLACES, SANDBOXES, SIZES } from "./tick-rows.ts";

const KINDS: readonly (readonly string[])[] = [SIZES.map(String), PLACES, SANDBOXES, ENDS];

export function listWords(rows: readonly Row[]): readonly string[] {
  return [...new Set(rows.flatMap(({ words }) => words))];
}

export function chooseRows(rows: readonly Row[], words: readonly string[]): readonly Row[] {
  const wanted = [...KINDS.map((kind) => words.filter((word) => kind.includes(word))), words.filter(isName)];
  return rows.filter((row) =>
    wanted.every((some) => some.length === 0 || some.some((word) => row.words.includes(word))),
  );
}

function isName(word: string): boolean {
  return !KINDS.some((kind) => kind.includes(word));
}
