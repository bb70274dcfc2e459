/**
 * Writes every character beyond ASCII as an escape, which means the same in strings, templates and expressions. V8 keeps a
 * text with a single one of them in two bytes for each character, and reads it more slowly.
 */
const BEYOND = /[^\0-\x7f]/g;

export function escapeText(code) {
  return code.replaceAll(BEYOND, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`);
}

/** Where a column of each line of the text is after that. */
export function makeColumnShift(code) {
  const lines = code.split("\n").map((line) => Array.from(line.matchAll(BEYOND), ({ index }) => index));
  const added = String.raw`\u0000`.length - 1;
  return (line, column) => {
    const before = (lines[line] ?? []).filter((index) => index < column);
    return column + added * before.length;
  };
}
