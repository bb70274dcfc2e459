/**
 * Several files in one text that a person can read and write: the inputs of a parser, a labelled change, a small project.
 * Each begins with a line of its own, and its lines follow:
 *
 *     %% change/src/cart.mjs
 *     export const total = 0;
 *     %% change/bin/cart.sh (executable)
 *     %% 003 (escaped, no newline)
 *     DIRC\x00\x00\x00\x02 a line of \\ and one more
 *
 * Without `no newline` the last line ends like the others. In an escaped one `\x00` is a byte and `\\` a backslash.
 */

const HEAD = /^%% (?<name>\S+)(?: \((?<notes>[a-z, ]+)\))?$/u;
const NOTES = { escaped: "escaped", cut: "no newline", executable: "executable" };
/** What is shown as it is. A space that is none, a mark of direction and the like would be lost on a reader. */
const PLAIN = /^[\p{L}\p{M}\p{N}\p{P}\p{S} \t\n]$/u;

export function readSections(text) {
  if (text === "") return [];
  if (!text.endsWith("\n")) throw new Error("the last line has no end");
  const sections = [];
  for (const line of text.slice(0, -1).split("\n")) {
    const head = HEAD.exec(line);
    const current = sections.at(-1);
    if (head !== null) sections.push({ name: head.groups.name, notes: readNotes(head.groups.notes, line), body: "" });
    else if (current === undefined) throw new Error(`a line stands above the first section: ${line}`);
    else current.body += `${line}\n`;
  }
  return sections.map(({ name, notes, body }) => {
    const whole = notes.includes(NOTES.cut) ? body.slice(0, -1) : body;
    const data = notes.includes(NOTES.escaped) ? unescape(whole) : Buffer.from(whole);
    return { name, data, isExecutable: notes.includes(NOTES.executable) };
  });
}

function readNotes(text, line) {
  const notes = text === undefined ? [] : text.split(", ");
  const unknown = notes.filter((note) => !Object.values(NOTES).includes(note));
  if (unknown.length > 0) throw new Error(`unknown words in ${line}`);
  return notes;
}

export function writeSections(sections) {
  return sections.map(writeSection).join("");
}

function writeSection({ name, data, isExecutable = false }) {
  const text = data.toString();
  const isPlain = Buffer.from(text).equals(data) && [...text].every((one) => PLAIN.test(one)) && !/^%% /mu.test(text);
  const body = isPlain ? text : escape(data);
  const isCut = !body.endsWith("\n");
  const notes = [
    ...(isPlain ? [] : [NOTES.escaped]),
    ...(isCut ? [NOTES.cut] : []),
    ...(isExecutable ? [NOTES.executable] : []),
  ];
  return `%% ${name}${notes.length === 0 ? "" : ` (${notes.join(", ")})`}\n${body}${isCut ? "\n" : ""}`;
}

function escape(data) {
  let text = "";
  for (let at = 0; at < data.length;) {
    const shown = readCharacter(data, at);
    text += shown === null ? `\\x${data.toString("hex", at, at + 1)}` : shown === "\\" ? "\\\\" : shown;
    at += shown === null ? 1 : Buffer.byteLength(shown);
  }
  return text.replaceAll(/^%(?=% )/gmu, "\\x25");
}

/** The character that begins at this byte; null if there is none that can be shown. */
function readCharacter(data, at) {
  for (const length of [1, 2, 3, 4]) {
    const bytes = data.subarray(at, at + length);
    const text = bytes.toString();
    if (PLAIN.test(text) && Buffer.from(text).equals(bytes)) return text;
  }
  return null;
}

function unescape(text) {
  const pieces = text.split(/\\(\\|x[0-9a-f]{2})/u);
  return Buffer.concat(
    pieces.map((piece, at) =>
      at % 2 === 0 || piece === "\\" ? Buffer.from(piece) : Buffer.from(piece.slice(1), "hex"),
    ),
  );
}
