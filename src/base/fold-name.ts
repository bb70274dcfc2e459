const foldCharacter = (character: string): string => character.toLowerCase().toUpperCase().toLowerCase();
const ASCII_ONLY = /^\p{ASCII}*$/u;

/**
 * Reduces a name to what a file system that ignores case and normalisation would compare.
 *
 * Every character goes down, up and down again, so that letters with several forms meet (`ſ` and `s`, `ς` and `σ`, `ẞ`
 * and `ss`). It works on single, decomposed characters, because the case of a whole word depends on its surroundings.
 */
export function foldName(name: string): string {
  if (ASCII_ONLY.test(name)) return name.toLowerCase();
  return Array.from(name.normalize("NFD"), foldCharacter).join("").normalize("NFC");
}
