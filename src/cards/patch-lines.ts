import { listPatchFiles, listPatchLines, type PatchLine } from "../judge/pure/patch-files.ts";
import { neutralise } from "../base/neutralise.ts";
import type { Style, Tone } from "../base/style.ts";

interface PatchOptions {
  readonly style: Style;
  /** Whether it is shown to its end. */
  readonly isWhole: boolean;
}

const LINES_SHOWN = 200;

/** A patch to read: coloured and escaped, so it cannot be applied. */
export function renderPatchLines(patch: string, { style, isWhole }: PatchOptions): readonly string[] {
  const lines = foldBinary(listPatchLines(patch));
  const shown = isWhole ? lines : lines.slice(0, LINES_SHOWN);
  const hidden = lines.length - shown.length;
  return [
    ...shown.map((line) => renderPatchLine(line, style)),
    ...(hidden > 0 ? [`and ${hidden} more lines; see them with -v`] : []),
  ];
}

/** Nobody reads the bytes of a binary file; git says in one line that they differ. */
function foldBinary(lines: readonly PatchLine[]): readonly PatchLine[] {
  let file: PatchLine | null = null;
  return lines.flatMap((line, index): readonly PatchLine[] => {
    if (line.kind === "file") file = line;
    if (line.kind !== "binary") return [line];
    if (lines[index - 1]?.kind === "binary" || file === null) return [];
    return [{ kind: "header", text: `Binary file ${listPatchFiles([file])[0]?.path ?? ""} differs` }];
  });
}

const TONES: Readonly<Record<PatchLine["kind"], Tone | null>> = {
  file: "strong",
  header: "faint",
  hunk: "faint",
  binary: "faint",
  added: "good",
  deleted: "bad",
  context: null,
};

/** The names of blobs are for programs. */
const FULL_INDEX = /^index ([0-9a-f]{7})[0-9a-f]+\.\.([0-9a-f]{7})[0-9a-f]+/u;

function renderPatchLine({ kind, text }: PatchLine, style: Style): string {
  const short = kind === "header" ? text.replace(FULL_INDEX, "index $1..$2") : text;
  const harmless = neutralise(short.replaceAll("\t", "    "));
  const tone = TONES[kind];
  return tone === null || harmless === "" ? harmless : style(tone, harmless);
}
