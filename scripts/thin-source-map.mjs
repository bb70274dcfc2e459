/**
 * Makes a source map small enough to ship: a trace needs the file and the line, so a segment that leads to the same line
 * as the one before it is dropped, and names and original columns with it. `shiftColumn` tells where a generated column is
 * in the shipped text.
 *
 * A segment of the mappings is a list of numbers, each the difference from the same number of the segment before:
 * generated column, source, original line, original column.
 */
const DIGITS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
const CONTINUED = 32;

export function thinSourceMap({ version, sources, mappings }, shiftColumn) {
  const read = { source: 0, line: 0 };
  const written = { source: 0, line: 0 };
  const thinLine = (text, lineNumber) => {
    let column = 0;
    let writtenColumn = 0;
    const kept = [];
    for (const segment of text === "" ? [] : text.split(",")) {
      const [columns, source = 0, line = 0] = numbersIn(segment);
      column += columns;
      read.source += source;
      read.line += line;
      const isSame = kept.length > 0 && read.source === written.source && read.line === written.line;
      if (isSame) continue;
      const shifted = shiftColumn(lineNumber, column);
      kept.push(
        [shifted - writtenColumn, read.source - written.source, read.line - written.line, 0].map(digitsOf).join(""),
      );
      writtenColumn = shifted;
      Object.assign(written, read);
    }
    return kept.join(",");
  };
  return { version, sources, names: [], mappings: mappings.split(";").map(thinLine).join(";") };
}

/** Base 64 with six bits a digit, of which the highest says that more follow; the lowest bit of a number is its sign. */
function numbersIn(segment) {
  const numbers = [];
  let bits = 0;
  let value = 0;
  for (const digit of segment) {
    const part = DIGITS.indexOf(digit);
    value += (part % CONTINUED) * 2 ** bits;
    bits += 5;
    if (part >= CONTINUED) continue;
    numbers.push(value % 2 === 1 ? -(value - 1) / 2 : value / 2);
    bits = 0;
    value = 0;
  }
  return numbers;
}

function digitsOf(number) {
  let value = number < 0 ? -number * 2 + 1 : number * 2;
  let text = "";
  do {
    const rest = Math.floor(value / CONTINUED);
    text += DIGITS[(value % CONTINUED) + (rest > 0 ? CONTINUED : 0)];
    value = rest;
  } while (value > 0);
  return text;
}
