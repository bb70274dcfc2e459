import { MeasurementError } from "../base/measurement-error.ts";

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
