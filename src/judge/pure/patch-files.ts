/** A patch as git writes it, read line by line: a hunk's header says how many lines follow, so no content can pass for a header. */
import { decodePath } from "../../base/path-names.ts";
import { shorten } from "../../base/words.ts";

export interface PatchLine {
  readonly kind: "file" | "header" | "hunk" | "added" | "deleted" | "context" | "binary";
  readonly text: string;
}

/** One file of a patch. */
export interface PatchFile {
  readonly path: string;
  /** Its name before a rename or copy. */
  readonly oldPath: string | null;
  readonly status: "added" | "deleted" | "modified" | "renamed" | "copied";
  readonly added: number;
  readonly deleted: number;
  readonly isBinary: boolean;
  /** Git's modes in octal; null where they are not in the patch, because they did not change. */
  readonly oldMode: string | null;
  readonly newMode: string | null;
}

const HUNK = /^@@ -\d+(?:,(?<before>\d+))? \+\d+(?:,(?<after>\d+))? @@/u;
const SECTION = "diff --git ";

export function listPatchLines(patch: string): readonly PatchLine[] {
  const left = { before: 0, after: 0 };
  let isBinary = false;
  return splitPatch(patch).map((text): PatchLine => {
    if (left.before + left.after > 0) return { kind: takeContent(left, text), text };
    const hunk = HUNK.exec(text)?.groups;
    if (hunk !== undefined) {
      left.before = Number(hunk["before"] ?? 1);
      left.after = Number(hunk["after"] ?? 1);
      return { kind: "hunk", text };
    }
    isBinary = !text.startsWith(SECTION) && (isBinary || text === "GIT binary patch");
    return { kind: isBinary ? "binary" : readOuterKind(text), text };
  });
}

/** Counts a line of a hunk. The notice about a missing line break is not one of its lines. */
function takeContent(left: { before: number; after: number }, text: string): "added" | "deleted" | "context" {
  const kind = readContentKind(text);
  if (text.startsWith("\\")) return kind;
  if (kind !== "added") left.before -= 1;
  if (kind !== "deleted") left.after -= 1;
  return kind;
}

function readOuterKind(text: string): "file" | "header" | "context" {
  if (text.startsWith(SECTION)) return "file";
  return text.startsWith("\\") ? "context" : "header";
}

function splitPatch(patch: string): readonly string[] {
  return patch === "" ? [] : patch.replace(/\n$/u, "").split("\n");
}

function readContentKind(text: string): "added" | "deleted" | "context" {
  if (text.startsWith("+")) return "added";
  return text.startsWith("-") ? "deleted" : "context";
}

const QUOTED_LINES = 30;
const QUOTED_CHARS = 120;

/** What a patch adds and deletes, without the numbers of lines, which other commits move; cut for a card. */
export function quoteChanges(patch: string): string {
  const lines = listPatchLines(patch).flatMap((line) => {
    if (line.kind === "file") return [readSection(line.text).path];
    return line.kind === "added" || line.kind === "deleted" ? [line.text] : [];
  });
  const shown = lines.length > QUOTED_LINES ? lines.slice(0, QUOTED_LINES - 1) : lines;
  const rest = lines.length - shown.length;
  return [...shown.map((line) => shorten(line, QUOTED_CHARS)), ...(rest === 0 ? [] : [`and ${rest} more lines`])].join(
    "\n",
  );
}

export function listPatchFiles(lines: readonly PatchLine[]): readonly PatchFile[] {
  const files: PatchFile[] = [];
  for (const line of lines) {
    const last = files.at(-1);
    if (line.kind === "file") files.push(readSection(line.text));
    else if (last !== undefined) files[files.length - 1] = extendFile(last, line);
  }
  return files;
}

const NEW_FILE = { oldPath: null, status: "modified", added: 0, deleted: 0, isBinary: false } as const;

/** Without a rename both names are the same, so each takes half of the line. */
function readSection(text: string): PatchFile {
  const names = text.slice(SECTION.length);
  const quoted = /^"(?:\\.|[^"\\])*"/u.exec(names)?.[0];
  const first = quoted ?? names.slice(0, (names.length - 1) / 2);
  return { ...NEW_FILE, path: readName(first), oldMode: null, newMode: null };
}

function extendFile(file: PatchFile, { kind, text }: PatchLine): PatchFile {
  if (kind === "added") return { ...file, added: file.added + 1 };
  if (kind === "deleted") return { ...file, deleted: file.deleted + 1 };
  if (kind === "binary") return { ...file, isBinary: true };
  return kind === "header" ? readHeader(file, text) : file;
}

type ReadHeader = (file: PatchFile, value: string) => PatchFile;

const HEADERS: readonly (readonly [string, ReadHeader])[] = [
  ["new file mode ", (file, newMode) => ({ ...file, status: "added", newMode })],
  ["deleted file mode ", (file, oldMode) => ({ ...file, status: "deleted", oldMode })],
  ["old mode ", (file, oldMode) => ({ ...file, oldMode })],
  ["new mode ", (file, newMode) => ({ ...file, newMode })],
  ["rename from ", (file, name) => ({ ...file, status: "renamed", oldPath: unquote(name) })],
  ["rename to ", (file, name) => ({ ...file, path: unquote(name) })],
  ["copy from ", (file, name) => ({ ...file, status: "copied", oldPath: unquote(name) })],
  ["copy to ", (file, name) => ({ ...file, path: unquote(name) })],
  ["Binary files ", (file) => ({ ...file, isBinary: true })],
];

function readHeader(file: PatchFile, text: string): PatchFile {
  const [name = "", read] = HEADERS.find(([start]) => text.startsWith(start)) ?? [];
  return read === undefined ? file : read(file, text.slice(name.length));
}

/** A name behind `a/` or `b/`. */
function readName(text: string): string {
  return unquote(text).replace(/^[ab]\//u, "");
}

const ESCAPES: Readonly<Record<string, string>> = {
  a: "\u0007",
  b: "\b",
  f: "\f",
  n: "\n",
  r: "\r",
  t: "\t",
  v: "\v",
};

/** Git quotes a name with unusual characters and writes their bytes in octal. */
function unquote(text: string): string {
  if (!text.startsWith('"')) return text;
  const bytes = writeBytes(text.slice(1, -1)).replaceAll(
    /\\(?:(?<octal>[0-7]{3})|(?<other>.))/gsu,
    (_, octal: string | undefined, other: string | undefined) =>
      octal === undefined
        ? (ESCAPES[other ?? ""] ?? other ?? "")
        : String.fromCharCode(Number.parseInt(octal, 8) & 0xff),
  );
  return decodePath(bytes).text;
}

/** Without `core.quotePath` git leaves other letters as they are between its escapes. */
function writeBytes(text: string): string {
  return Array.from(new TextEncoder().encode(text), (byte) => String.fromCharCode(byte)).join("");
}
