import { neutralise } from "../text/neutralise.ts";
import type { Style } from "../text/style.ts";

interface PatchOptions {
  readonly style: Style;
  /** Whether it is shown to its end. */
  readonly isWhole: boolean;
}

const LINES_SHOWN = 200;

/** A patch to read: coloured and escaped, so it cannot be applied. */
export function renderPatchLines(patch: string, { style, isWhole }: PatchOptions): readonly string[] {
  const lines = patch.replace(/\n$/, "").split("\n");
  const shown = isWhole ? lines : lines.slice(0, LINES_SHOWN);
  const hidden = lines.length - shown.length;
  return [
    ...shown.map((line) => renderPatchLine(line, style)),
    ...(hidden > 0 ? [`and ${hidden} more lines; see them with -v`] : []),
  ];
}

function renderPatchLine(line: string, style: Style): string {
  const harmless = neutralise(line.replaceAll("\t", "    "));
  if (/^(?:diff |index |--- |\+\+\+ |@@)/.test(line)) return style("faint", harmless);
  if (line.startsWith("+")) return style("good", harmless);
  return line.startsWith("-") ? style("bad", harmless) : harmless;
}
