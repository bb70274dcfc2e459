import { MeasurementError } from "../base/errors.ts";
import { type GitAccess, runGit } from "./git.ts";

export interface PatchSection {
  readonly added: number;
  readonly deleted: number;
  readonly bytes: number;
  readonly binary: boolean;
}

const NEWLINE = 0x0a;
const SPACE = 0x20;
const MINUS = 0x2d;
const PLUS = 0x2b;
/** Longer than two quoted paths of the greatest length. */
const HEADER_BYTES_MAX = 64 * 1024;
const HUNK = /^@@ -\d+(?:,(?<before>\d+))? \+\d+(?:,(?<after>\d+))? @@/;

interface CounterState {
  readonly sections: { added: number; deleted: number; bytes: number; binary: boolean }[];
  /** Lines of the current hunk that are still to come. */
  linesLeft: number;
  /** The beginning of a header line whose end has not arrived. */
  header: string;
  /** The first byte of a content line whose end has not arrived. */
  lineKind: number | null;
}

/**
 * Counts each section of a patch in constant memory. A hunk's header says how many lines follow, so content that looks
 * like a header is still counted as content.
 */
export function makePatchCounter() {
  const state: CounterState = { sections: [], linesLeft: 0, header: "", lineKind: null };
  return {
    take: (chunk: Buffer): void => {
      for (let at = 0; at < chunk.length;) {
        const newline = chunk.indexOf(NEWLINE, at);
        const end = newline === -1 ? chunk.length : newline;
        const isContent = state.lineKind !== null || state.linesLeft > 0;
        (isContent ? takeContent : takeHeader)(state, chunk.subarray(at, end), newline !== -1);
        at = end + 1;
      }
    },
    finish: (): readonly PatchSection[] => {
      if (state.linesLeft !== 0 || state.header !== "" || state.lineKind !== null) throw refusePatch("it ends early");
      return state.sections;
    },
  };
}

function takeHeader(state: CounterState, part: Buffer, isEnd: boolean): void {
  const line = state.header + part.toString("latin1");
  if (line.length > HEADER_BYTES_MAX) throw refusePatch("a header is too long");
  state.header = isEnd ? "" : line;
  if (!isEnd) return;
  if (line.startsWith("diff --git ")) state.sections.push({ added: 0, deleted: 0, bytes: 0, binary: false });
  const hunk = HUNK.exec(line)?.groups;
  if (hunk !== undefined) state.linesLeft = Number(hunk["before"] ?? 1) + Number(hunk["after"] ?? 1);
  if (/^(?:Binary files |GIT binary patch$)/.test(line)) getSection(state).binary = true;
}

function takeContent(state: CounterState, part: Buffer, isEnd: boolean): void {
  const isStart = state.lineKind === null;
  const kind = state.lineKind ?? part[0] ?? NEWLINE;
  state.lineKind = isEnd ? null : kind;
  if (kind === PLUS || kind === MINUS) {
    const section = getSection(state);
    section.bytes += part.length - Number(isStart) + Number(isEnd);
    if (isEnd) section[kind === PLUS ? "added" : "deleted"] += 1;
  }
  if (isEnd) endLine(state, kind);
}

function endLine(state: CounterState, kind: number): void {
  state.linesLeft -= SIDES.get(kind) ?? 0;
  if (state.linesLeft < 0) throw refusePatch("a hunk is longer than it says");
}

/** On how many sides a line is. "\ No newline at end of file" stands between the lines and is none of them. */
const SIDES = new Map([
  [PLUS, 1],
  [MINUS, 1],
  [SPACE, 2],
]);

function getSection(state: CounterState) {
  const section = state.sections.at(-1);
  if (section === undefined) throw refusePatch("it has no beginning");
  return section;
}

function refusePatch(reason: string): MeasurementError {
  return new MeasurementError("the patch", reason);
}

/**
 * The difference between two trees, or a tree and an index, with its lines and bytes counted.
 *
 * One git process prints the list of entries and then the patch, which is counted while it streams and never kept. Its
 * hunk headers say how many lines follow, so no content can pass for a header.
 */

/** One side of an entry: git's mode in octal, and the id of its blob or commit. */
export interface GitSide {
  readonly mode: string;
  readonly id: string;
}

export interface GitDifference {
  /** A byte string. */
  readonly path: string;
  readonly before: GitSide | null;
  readonly after: GitSide | null;
  /** Null where git did not compare the content as text: it is binary or very large. */
  readonly counts: LineCounts | null;
}

export interface LineCounts {
  readonly added: number;
  readonly deleted: number;
  /** The bytes of the added and deleted lines. */
  readonly bytes: number;
}

/** Larger files are not compared line by line: git would hold both sides in memory. */
const BIG_FILE = "core.bigFileThreshold=32m";

const COMMON = [
  "--raw",
  "-p",
  "-z",
  "--full-index",
  "--no-abbrev",
  "--no-renames",
  "--no-color",
  "--no-ext-diff",
  "--no-textconv",
  "--submodule=short",
  // Explicit, so that no .gitmodules can ask for a submodule to be overlooked.
  "--ignore-submodules=none",
];
const FORMAT = ["-U0", ...COMMON];
/** For `git apply`. */
const WHOLE_FORMAT = ["-U3", "--binary", "--src-prefix=a/", "--dst-prefix=b/", ...COMMON];

/**
 * Lists every entry that differs between two trees, or between a tree and the index of the access where `to` is null.
 * Names are exact bytes; a rename is a deletion and an addition.
 */
export async function listGitDifference(
  access: GitAccess,
  { from, to }: { readonly from: string; readonly to: string | null },
): Promise<readonly GitDifference[]> {
  const parser = openDifferenceParser();
  await runGit({
    ...access,
    args: [
      "-c",
      BIG_FILE,
      ...(to === null
        ? ["diff-index", "--cached", "--ita-invisible-in-index", ...FORMAT, from]
        : ["diff-tree", "-r", ...FORMAT, from, to]),
      "--",
    ],
    onStdout: (chunk) => parser.take(chunk),
    outputBytesMax: Number.MAX_SAFE_INTEGER,
  });
  return parser.finish();
}

/** The difference of two trees, and the patch that leads from one to the other unless it is longer than that. */
export async function readGitPatch(
  access: GitAccess,
  { from, to, bytesMax }: { readonly from: string; readonly to: string; readonly bytesMax: number },
): Promise<{ readonly differences: readonly GitDifference[]; readonly patch: Buffer | null }> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  const parser = openDifferenceParser((chunk) => {
    bytes += chunk.length;
    if (bytes <= bytesMax) chunks.push(chunk);
  });
  await runGit({
    ...access,
    args: ["-c", BIG_FILE, "diff-tree", "-r", ...WHOLE_FORMAT, from, to, "--"],
    onStdout: (chunk) => parser.take(chunk),
    outputBytesMax: Number.MAX_SAFE_INTEGER,
  });
  return { differences: parser.finish(), patch: bytes <= bytesMax ? Buffer.concat(chunks) : null };
}

type RawEntry = Omit<GitDifference, "counts">;

/** Takes the output of git in pieces of any length. */
export function openDifferenceParser(onPatch?: (chunk: Buffer) => void) {
  const counter = makePatchCounter();
  const takePatch = (chunk: Buffer): void => {
    onPatch?.(chunk);
    counter.take(chunk);
  };
  let raw: Buffer[] | null = [];
  let entries: readonly RawEntry[] = [];
  return {
    take: (chunk: Buffer): void => {
      if (raw === null) return takePatch(chunk);
      // The list ends with an empty record; NUL NUL occurs nowhere else, because no path is empty.
      const last = raw.at(-1);
      const straddles = last?.at(-1) === 0 && chunk[0] === 0;
      const end = straddles ? -1 : chunk.indexOf("\0\0");
      if (!straddles && end === -1) {
        raw.push(chunk);
        return;
      }
      raw.push(chunk.subarray(0, end + 1));
      entries = parseRawEntries(Buffer.concat(raw));
      raw = null;
      takePatch(chunk.subarray(end + 2));
    },
    finish: (): readonly GitDifference[] => {
      if (raw !== null) entries = parseRawEntries(Buffer.concat(raw));
      return withCounts(entries, counter.finish());
    },
  };
}

const RAW =
  /^:(?<modeBefore>[0-7]{6}) (?<modeAfter>[0-7]{6}) (?<idBefore>[0-9a-f]+) (?<idAfter>[0-9a-f]+) (?<status>[A-Z])$/;

function parseRawEntries(list: Buffer): readonly RawEntry[] {
  const tokens = list.toString("latin1").split("\0");
  if (tokens.pop() !== "") throw new MeasurementError("git diff", "the list of changes ends early");
  const entries: RawEntry[] = [];
  for (let at = 0; at < tokens.length; at += 2) {
    const meta = RAW.exec(tokens[at] ?? "")?.groups;
    const path = tokens[at + 1];
    if (meta === undefined || path === undefined) throw new MeasurementError("git diff", "unreadable list of changes");
    if (meta["status"] === "U") throw new MeasurementError(path, "is unmerged: finish the merge first");
    entries.push({
      path,
      before: parseSide(meta["modeBefore"], meta["idBefore"]),
      after: parseSide(meta["modeAfter"], meta["idAfter"]),
    });
  }
  return entries;
}

function parseSide(mode = "", id = ""): GitSide | null {
  return mode === "000000" ? null : { mode, id };
}

function withCounts(entries: readonly RawEntry[], sections: readonly PatchSection[]): readonly GitDifference[] {
  let next = 0;
  const differences = entries.map((entry) => {
    const own = sections.slice(next, next + countSections(entry));
    next += countSections(entry);
    return { ...entry, counts: own.some(({ binary }) => binary) ? null : sum(own) };
  });
  if (next !== sections.length)
    throw new MeasurementError("git diff", `${sections.length} patches for ${next} changes`);
  return differences;
}

/** Git writes a change of type as a deletion followed by an addition. */
function countSections({ before, after }: RawEntry): number {
  return before !== null && after !== null && before.mode.slice(0, 3) !== after.mode.slice(0, 3) ? 2 : 1;
}

function sum(sections: readonly PatchSection[]): LineCounts {
  const total = { added: 0, deleted: 0, bytes: 0 };
  for (const { added, deleted, bytes } of sections) {
    total.added += added;
    total.deleted += deleted;
    total.bytes += bytes;
  }
  return total;
}
