import type { KeptWork, LeftOut } from "../../records/kept-work.ts";
import { shorten } from "../../base/words.ts";

export const NOT_KEPT = "not kept in salvage: ";

const NAMED_MAX = 3;
const NOTE_CHARS = 400;

/** Null for what nobody misses: files that the runner or a build makes again, and folders. */
const WORDS: Readonly<Record<LeftOut["reason"], string | null>> = {
  forbidden: "a forbidden path",
  nested_repository: "inside another repository",
  name: "a name that git does not take",
  size: "too large",
  ignored: null,
  runner_owned: null,
  type: null,
};

/** The number of paths that somebody may miss, those that the list has no room for included. */
export function countMissed({ left_out, left_out_total }: Pick<KeptWork, "left_out" | "left_out_total">): number {
  const made = left_out.filter(({ reason }) => WORDS[reason] === null);
  return left_out_total - made.length;
}

/** One note for each of the first paths, and one for the others. */
export function listUnkeptNotes({ left_out }: Pick<KeptWork, "left_out">): readonly string[] {
  const missed = left_out.flatMap(({ path, reason }) => {
    const words = WORDS[reason];
    return words === null ? [] : [writeUnkeptNote(path, words)];
  });
  if (missed.length <= NAMED_MAX) return missed;
  return [...missed.slice(0, NAMED_MAX), writeUnkeptNote("others", "`relais salvage show` lists them")];
}

/** A path of a reverted change that somebody edited since. */
export function writeEditedNote(path: string): string {
  return shorten(`left as it was edited meanwhile: ${path}`, NOTE_CHARS);
}

/** By a person, or by a program of the tick that left its place. */
export function writeOriginalNote(paths: readonly string[]): string {
  return shorten(`changed in your repository meanwhile, not by relais: ${nameSome(paths)}; look at them`, NOTE_CHARS);
}

/** Files that relais writes for people, after a power cut for example. */
export function writeLostNote(paths: readonly string[]): string {
  return shorten(
    `not restored, because the stored text is lost: ${nameSome(paths)}; relais writes again what it needs`,
    NOTE_CHARS,
  );
}

function nameSome(paths: readonly string[]): string {
  const others = paths.length > NAMED_MAX ? ` and ${paths.length - NAMED_MAX} more` : "";
  return `${paths.slice(0, NAMED_MAX).join(", ")}${others}`;
}

export function writeUnkeptNote(what: string, why: string): string {
  const end = ` (${shorten(why, NOTE_CHARS / 2)})`;
  return `${NOT_KEPT}${shorten(what, NOTE_CHARS - NOT_KEPT.length - end.length)}${end}`;
}
