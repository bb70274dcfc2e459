import type { KeptWork, LeftOut } from "../../contract/documents/kept-work.ts";
import { shorten } from "./shorten.ts";

/** How a note begins that names work which was put back and is not in salvage. */
export const NOT_KEPT = "not kept in salvage: ";

const NAMED_MAX = 3;
const NOTE_CHARS = 400;

/** Nobody misses what the runner or a build makes again, nor a folder, which comes back with its files. */
const WORDS: Readonly<Record<LeftOut["reason"], string | null>> = {
  forbidden: "a forbidden path",
  nested_repository: "inside another repository",
  name: "a name that git does not take",
  size: "too large",
  ignored: null,
  runner_owned: null,
  type: null,
};

/** One note for each of the first paths that were put back and could not be kept, and one for the others. */
export function listUnkeptNotes({ left_out }: Pick<KeptWork, "left_out">): readonly string[] {
  const missed = left_out.flatMap(({ path, reason }) => {
    const words = WORDS[reason];
    return words === null ? [] : [writeUnkeptNote(path, words)];
  });
  if (missed.length <= NAMED_MAX) return missed;
  return [...missed.slice(0, NAMED_MAX), writeUnkeptNote("others", "`relais salvage show` lists them")];
}

/** What was not kept, and why, in one line of a report. */
export function writeUnkeptNote(what: string, why: string): string {
  const end = ` (${shorten(why, NOTE_CHARS / 2)})`;
  return `${NOT_KEPT}${shorten(what, NOTE_CHARS - NOT_KEPT.length - end.length)}${end}`;
}
