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

/**
 * Which names a change may add to a repository. A new name must mean the same to git, to every operating system and to
 * a reader. So it may not hide characters, break a line, become `.git` on some file system, or be impossible elsewhere.
 * Existing names are not checked. Invisible characters are accepted only inside an emoji; scripts that use joiners in
 * ordinary words have to do without them.
 */

const PATH_BYTES_MAX = 1024;
const COMPONENT_BYTES_MAX = 255;

/** C0, DEL and C1, the two Unicode line breaks, and halves of surrogate pairs. */
const CONTROL = /[\p{Cc}\u{2028}\u{2029}\p{Cs}]/u;
/** Joiners, bidirectional controls, fillers, tags and variation selectors. */
const INVISIBLE = /\p{Default_Ignorable_Code_Point}|[\u{fff9}-\u{fffb}]/gu;
const EMOJI_GLUE =
  /(?<=\p{Extended_Pictographic}[\u{fe0f}\p{Emoji_Modifier}]*)\u{200d}(?=\p{Extended_Pictographic})|(?<=\p{Extended_Pictographic})\u{fe0f}|\u{fe0f}(?=\u{20e3})/gu;
const NOT_PORTABLE = /[:*?"<>|]/u;
const DEVICE = /^(?:con|prn|aux|nul|conin\$|conout\$|clock\$|com[0-9¹²³]|lpt[0-9¹²³])$/u;

const encoder = new TextEncoder();

interface RecordedName {
  readonly path: string;
  readonly path_base64: string | null;
}

/** The end of a sentence that starts with "it"; null for a safe name. */
export function findUnsafeName({ path, path_base64 }: RecordedName): string | null {
  if (path_base64 !== null) return "is not valid UTF-8";
  if (encoder.encode(path).length > PATH_BYTES_MAX) return `is longer than ${PATH_BYTES_MAX} bytes`;
  for (const component of path.split("/")) {
    const reason =
      findStructureProblem(component) ?? findCharacterProblem(component) ?? findPortabilityProblem(component);
    if (reason !== null) return reason;
  }
  return null;
}

/** Other case, ignorable characters, short names, streams. */
export function isGitLike(component: string): boolean {
  const [base = ""] = foldName(component.replace(INVISIBLE, "")).split(":");
  const trimmed = base.replace(/[. ]+$/u, "");
  return trimmed === ".git" || /^git~\d+$/u.test(trimmed);
}

function findStructureProblem(component: string): string | null {
  if (component === "") return "has an empty component";
  if (component === "." || component === "..") return `has the component \`${component}\``;
  if (isGitLike(component)) return "has a component that a file system may take for `.git`";
  if (encoder.encode(component).length > COMPONENT_BYTES_MAX) {
    return `has a component longer than ${COMPONENT_BYTES_MAX} bytes`;
  }
  return null;
}

function findCharacterProblem(component: string): string | null {
  const control = CONTROL.exec(component);
  if (control !== null) return `contains the control character ${formatCodePoint(control[0])}`;
  const invisible = component.replace(EMOJI_GLUE, "").match(INVISIBLE)?.[0];
  if (invisible !== undefined) return `contains the invisible character ${formatCodePoint(invisible)}`;
  if (component.includes("\\")) return "contains a backslash";
  const character = NOT_PORTABLE.exec(component);
  return character === null ? null : `contains \`${character[0]}\`, which not every system can store`;
}

function findPortabilityProblem(component: string): string | null {
  if (component.trim() !== component) return "has a component that begins or ends with white space";
  if (component.endsWith(".")) return "has a component that ends with a dot";
  const [stem = ""] = foldName(component).split(".");
  return DEVICE.test(stem.trimEnd()) ? "has a component that is the name of a Windows device" : null;
}

function formatCodePoint(character: string): string {
  return `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}`;
}

/** Byte strings as text for globs, reports and people. */

export interface PathText {
  readonly text: string;
  /** The exact bytes, only if they are not valid UTF-8. */
  readonly base64: string | null;
}

// A name may start with a byte order mark; a decoder that drops it would make two names one.
const UTF8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

export function decodePath(bytes: string): PathText {
  if (!/[\u0080-\u00ff]/.test(bytes)) return { text: bytes, base64: null };
  try {
    return { text: UTF8.decode(Uint8Array.from(bytes, (byte) => byte.charCodeAt(0))), base64: null };
  } catch {
    const text = bytes.replaceAll(/[\u0080-\u00ff]/g, (byte) => `\\x${byte.charCodeAt(0).toString(16)}`);
    return { text, base64: btoa(bytes) };
  }
}
