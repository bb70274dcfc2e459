import { measureBlastRadius } from "./blast-radius.ts";
import { type Gate, type GateRefusal, listVisibleChanges } from "./gate.ts";

/**
 * Bytes per line of the cap. No honest line is that long, so only a change of few enormous lines meets this limit
 * first.
 */
const BYTES_PER_LINE = 1000;

/** Refuses a change that is larger than its caps in files, in lines or, for enormous lines, in bytes. */
export const diffSize: Gate = {
  id: "diff-size",
  refuse: (gateInput) => {
    const { max_files_touched: filesMax, max_lines_changed: linesMax } = gateInput.evidence.rules;
    const changes = listVisibleChanges(gateInput);
    const { files_touched: files, lines_added, lines_deleted } = measureBlastRadius(changes);
    const bytes = changes.reduce((sum, change) => sum + change.bytes_changed, 0);
    return [
      ...findExcess("files changed", files, filesMax),
      ...findExcess("lines changed", lines_added + lines_deleted, linesMax),
      ...findExcess("bytes changed", bytes, linesMax === null ? null : linesMax * BYTES_PER_LINE),
    ];
  },
};

function findExcess(what: string, measured: number, cap: number | null): GateRefusal[] {
  if (cap === null || measured <= cap) return [];
  const rule = `${measured} ${what}; the limit is ${cap}.`;
  return [{ code: "STOP_DIFF_TOO_LARGE", subject: "the change as a whole", rule, glob: null }];
}
