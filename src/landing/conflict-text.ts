/** A conflict in words, short enough for a prompt. */
import { shorten } from "../base/shorten.ts";

export interface ConflictFile {
  readonly path: string;
  /** The whole file with markers; null where there is no text to show. */
  readonly marked: string | null;
}

export interface Conflict {
  readonly files: readonly ConflictFile[];
  /** Git's own sentences. */
  readonly messages: readonly string[];
}

const FILES_MAX = 8;
const FILE_CHARS_MAX = 1500;
const MESSAGE_CHARS_MAX = 200;
const AROUND_LINES = 2;

/** The sides are called "here" and "the change". */
export function describeConflict({ files, messages }: Conflict): string {
  const shown = files.slice(0, FILES_MAX).map(describeFile);
  const rest = files.length > FILES_MAX ? [`And ${files.length - FILES_MAX} more files.`] : [];
  const said = messages.slice(0, FILES_MAX).map((message) => shorten(nameSides(message), MESSAGE_CHARS_MAX));
  return [...said, ...shown, ...rest].join("\n");
}

const SIDE_ID = /\b[0-9a-f]{40,64}\b/g;

/** Git calls the sides by the ids of commits that nobody knows. */
function nameSides(message: string): string {
  const [first] = message.match(SIDE_ID) ?? [];
  return message.replaceAll(SIDE_ID, (id) => (id === first ? "one side" : "the other side"));
}

function describeFile({ path, marked }: ConflictFile): string {
  const hunks = marked === null ? "" : pickHunks(marked);
  return hunks === "" ? `--- ${path}` : `--- ${path}\n${shortenText(hunks)}`;
}

function shortenText(text: string): string {
  return text.length <= FILE_CHARS_MAX ? text : `${text.slice(0, FILE_CHARS_MAX)}\n[cut]`;
}

/** The lines between the markers, with a few around them. */
function pickHunks(marked: string): string {
  const lines = marked.split("\n");
  const isWanted = lines.map(() => false);
  let isInside = false;
  for (const [at, line] of lines.entries()) {
    const isEnd = line.startsWith(">>>>>>> ");
    if (line.startsWith("<<<<<<< ")) isInside = true;
    const [from, to] = isInside ? [at - AROUND_LINES, at + (isEnd ? AROUND_LINES : 0)] : [0, -1];
    for (let near = Math.max(0, from); near <= to; near++) isWanted[near] = true;
    if (isEnd) isInside = false;
  }
  return lines
    .filter((_, at) => isWanted[at])
    .map((line) => line.replace(/^<<<<<<< .*$/, "<<<<<<< here").replace(/^>>>>>>> .*$/, ">>>>>>> the change"))
    .join("\n");
}
