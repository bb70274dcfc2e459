/**
 * Which names a change may bring into a repository.
 *
 * A new name has to mean the same thing to git, to every operating system that may check it out and to the person who
 * reads it in a report. So it may not hide characters, break out of a line, turn into `.git` when a file system folds
 * it, or be impossible to create elsewhere. Names that were there before are the repository's own affair and never
 * come here. Invisible characters are accepted only inside an emoji; the scripts that use joiners in ordinary words
 * have to do without them in new names.
 */
import { foldName } from "./fold-name.ts";

const PATH_BYTES_MAX = 1024;
const COMPONENT_BYTES_MAX = 255;

/** C0, DEL and C1, the two Unicode line breaks, and halves of surrogate pairs. */
const CONTROL = /[\p{Cc}\u{2028}\u{2029}\p{Cs}]/u;
/** Joiners, bidirectional controls, fillers, tags and variation selectors: what a reader does not see. */
const INVISIBLE = /\p{Default_Ignorable_Code_Point}|[\u{fff9}-\u{fffb}]/gu;
/** The invisible characters that hold an emoji together. */
const EMOJI_GLUE =
  /(?<=\p{Extended_Pictographic}[\u{fe0f}\p{Emoji_Modifier}]*)\u{200d}(?=\p{Extended_Pictographic})|(?<=\p{Extended_Pictographic})\u{fe0f}|\u{fe0f}(?=\u{20e3})/gu;
const NOT_PORTABLE = /[:*?"<>|]/u;
const DEVICE = /^(?:con|prn|aux|nul|conin\$|conout\$|clock\$|com[0-9¹²³]|lpt[0-9¹²³])$/u;

const encoder = new TextEncoder();

/** A name as evidence records it: text, and the exact bytes where they are not UTF-8. */
interface RecordedName {
  readonly path: string;
  readonly path_base64: string | null;
}

/** The reason why a new name is refused, as the end of a sentence that begins with "it"; null for a safe one. */
export function findUnsafeName({ path, path_base64 }: RecordedName): string | null {
  if (path_base64 !== null) return "is not valid UTF-8";
  if (encoder.encode(path).length > PATH_BYTES_MAX) return `is longer than ${PATH_BYTES_MAX} bytes`;
  for (const component of path.split("/")) {
    const reason = unsafeComponent(component);
    if (reason !== null) return reason;
  }
  return null;
}

/** Whether some file system takes this component for `.git`: other case, ignorable characters, short names, streams. */
export function isGitLike(component: string): boolean {
  const [base = ""] = foldName(component.replace(INVISIBLE, "")).split(":");
  const trimmed = base.replace(/[. ]+$/u, "");
  return trimmed === ".git" || /^git~\d+$/u.test(trimmed);
}

function unsafeComponent(component: string): string | null {
  return structureProblem(component) ?? characterProblem(component) ?? portabilityProblem(component);
}

function structureProblem(component: string): string | null {
  if (component === "") return "has an empty component";
  if (component === "." || component === "..") return `has the component \`${component}\``;
  if (isGitLike(component)) return "has a component that a file system may take for `.git`";
  if (encoder.encode(component).length > COMPONENT_BYTES_MAX) {
    return `has a component longer than ${COMPONENT_BYTES_MAX} bytes`;
  }
  return null;
}

function characterProblem(component: string): string | null {
  const control = CONTROL.exec(component);
  if (control !== null) return `contains the control character ${codePoint(control[0])}`;
  const invisible = component.replace(EMOJI_GLUE, "").match(INVISIBLE)?.[0];
  if (invisible !== undefined) return `contains the invisible character ${codePoint(invisible)}`;
  if (component.includes("\\")) return "contains a backslash";
  const character = NOT_PORTABLE.exec(component);
  return character === null ? null : `contains \`${character[0]}\`, which not every system can store`;
}

function portabilityProblem(component: string): string | null {
  if (component.trim() !== component) return "has a component that begins or ends with white space";
  if (component.endsWith(".")) return "has a component that ends with a dot";
  const [stem = ""] = foldName(component).split(".");
  return DEVICE.test(stem.trimEnd()) ? "has a component that is the name of a Windows device" : null;
}

function codePoint(character: string): string {
  return `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}`;
}
