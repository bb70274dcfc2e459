/** The difference of two files that are no text, as `git diff --binary` prints it. */
import { deflateSync } from "node:zlib";

const DIGITS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz!#$%&()*+-;<=>?@^_`{|}~";
const LINE_BYTES = 52;
const WORD_BYTES = 4;
const WORD_DIGITS = 5;
const LOOKED_AT_BYTES = 8000;

/** As git decides it: by a zero near the beginning. */
export const isBinary = (content: Buffer): boolean => content.subarray(0, LOOKED_AT_BYTES).includes(0);

/** Both contents as a whole. Git prints a delta where that is shorter, which says the same. */
export function renderBinary(before: Buffer, after: Buffer): string {
  return `GIT binary patch\n${renderLiteral(after)}\n${renderLiteral(before)}\n`;
}

function renderLiteral(content: Buffer): string {
  const packed = deflateSync(content);
  let lines = "";
  for (let at = 0; at < packed.length; at += LINE_BYTES) lines += renderLine(packed.subarray(at, at + LINE_BYTES));
  return `literal ${content.length}\n${lines}`;
}

/** Its length as a letter, then words of four bytes in five digits each. */
function renderLine(bytes: Buffer): string {
  const length = String.fromCharCode((bytes.length <= 26 ? 64 : 70) + bytes.length);
  const padded = Buffer.concat([bytes, Buffer.alloc((WORD_BYTES - (bytes.length % WORD_BYTES)) % WORD_BYTES)]);
  let text = "";
  for (let at = 0; at < padded.length; at += WORD_BYTES) text += renderWord(padded.readUInt32BE(at));
  return `${length}${text}\n`;
}

function renderWord(word: number): string {
  let text = "";
  for (let left = word; text.length < WORD_DIGITS; left = Math.floor(left / DIGITS.length))
    text = `${DIGITS[left % DIGITS.length] ?? ""}${text}`;
  return text;
}
