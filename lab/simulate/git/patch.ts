/** The difference of two texts as git prints it. With lines that occur once, there is only one. */

interface Edit {
  readonly kind: " " | "-" | "+";
  readonly line: string;
}

function splitLines(text: string): readonly string[] {
  const lines = text.split("\n");
  const last = lines.pop() ?? "";
  return [...lines.map((line) => `${line}\n`), ...(last === "" ? [] : [last])];
}

/** The longest common lines, by a table: the files of the simulation are small. */
function listEdits(before: readonly string[], after: readonly string[]): readonly Edit[] {
  const width = after.length + 1;
  const table = new Uint32Array((before.length + 1) * width);
  for (let one = before.length - 1; one >= 0; one -= 1)
    for (let other = after.length - 1; other >= 0; other -= 1)
      table[one * width + other] =
        before[one] === after[other]
          ? (table[(one + 1) * width + other + 1] ?? 0) + 1
          : Math.max(table[(one + 1) * width + other] ?? 0, table[one * width + other + 1] ?? 0);
  const edits: Edit[] = [];
  let one = 0;
  let other = 0;
  while (one < before.length || other < after.length) {
    const left = before[one];
    const right = after[other];
    if (left !== undefined && left === right) {
      edits.push({ kind: " ", line: left });
      one += 1;
      other += 1;
    } else if (
      left !== undefined &&
      (right === undefined || (table[(one + 1) * width + other] ?? 0) >= (table[one * width + other + 1] ?? 0))
    ) {
      edits.push({ kind: "-", line: left });
      one += 1;
    } else {
      edits.push({ kind: "+", line: right ?? "" });
      other += 1;
    }
  }
  return edits;
}

/** Hunks with so many lines of context. */
export function renderHunks(before: string, after: string, context: number): string {
  const edits = listEdits(splitLines(before), splitLines(after));
  const isNear = edits.map((_, at) =>
    edits.slice(Math.max(0, at - context), at + context + 1).some(({ kind }) => kind !== " "),
  );
  let text = "";
  let one = 1;
  let other = 1;
  for (let at = 0; at < edits.length;) {
    if (isNear[at] !== true) {
      one += 1;
      other += 1;
      at += 1;
      continue;
    }
    const end = isNear.findIndex((near, index) => index > at && !near);
    const hunk = edits.slice(at, end === -1 ? edits.length : end);
    const olds = hunk.filter(({ kind }) => kind !== "+").length;
    const news = hunk.filter(({ kind }) => kind !== "-").length;
    const heading = findHeading(edits.slice(0, at));
    text += `@@ -${nameRange(one, olds)} +${nameRange(other, news)} @@${heading}\n${hunk.map(renderLine).join("")}`;
    one += olds;
    other += news;
    at += hunk.length;
  }
  return text;
}

const HEADING_MAX = 80;

/** The last line above that begins with a letter, as git shows where a hunk is. */
function findHeading(above: readonly Edit[]): string {
  const found = above.findLast(({ kind, line }) => kind !== "+" && /^[A-Za-z_$]/.test(line));
  return found === undefined ? "" : ` ${found.line.slice(0, HEADING_MAX).trimEnd()}`;
}

const nameRange = (start: number, count: number): string =>
  count === 0 ? `${start - 1},0` : count === 1 ? String(start) : `${start},${count}`;

function renderLine({ kind, line }: Edit): string {
  return line.endsWith("\n") ? `${kind}${line}` : `${kind}${line}\n\\ No newline at end of file\n`;
}
