/** What was removed from the history, what had to stay, and how much is left. */
import type { PrunedHistory } from "../../contract/answers/pruned-history.ts";
import { counted } from "../../core/words/counted.ts";
import { type Canvas, marked, paragraph } from "../text/canvas.ts";
import { neutralise } from "../text/neutralise.ts";

interface PruneOptions extends Canvas {
  /** Whether long lists are shown to their end. */
  readonly isWhole: boolean;
}

const SHOWN = 20;
const MEGABYTE = 1024 * 1024;
/** Less is shown as nothing. */
const TOLD_BYTES_MIN = MEGABYTE / 10;

export function pruneText(view: PrunedHistory, options: PruneOptions): string {
  const { removed, held } = view;
  const lines = [
    ...paragraph(summary(view), options),
    ...list(
      "removed",
      removed.map(({ runId, bytes }) => `${runId}, ${megabytes(bytes)}`),
      options,
    ),
    ...list(
      "kept",
      held.map(({ runId, reason }) => `${runId}: ${reason}`),
      options,
    ),
    ...(view.privateBytes < TOLD_BYTES_MIN ? [] : paragraph(privately(view), options)),
  ];
  return `${lines.join("\n")}\n`;
}

function summary({ isDryRun, removed, bytesBefore, bytesAfter }: PrunedHistory): string {
  if (removed.length === 0) return `Nothing is to be removed: the history holds ${megabytes(bytesBefore)}.`;
  const freed = megabytes(bytesBefore - bytesAfter);
  const left = `${megabytes(bytesAfter)} ${isDryRun ? "would be" : "are"} left`;
  const what = `${counted(removed.length, "folder")}, ${freed}`;
  return isDryRun ? `Would remove ${what}; ${left}.` : `Removed ${what}; ${left}.`;
}

/** What relais keeps for itself is nobody's concern unless there is much of it. */
function privately({ isDryRun, privateBytes }: PrunedHistory): string {
  return `In the state directory ${megabytes(privateBytes)} ${isDryRun ? "would be" : "are"} freed besides.`;
}

function list(label: string, texts: readonly string[], options: PruneOptions): readonly string[] {
  const shown = options.isWhole ? texts : texts.slice(0, SHOWN);
  const hidden = texts.length - shown.length;
  const more = hidden === 0 ? [] : [`and ${hidden} more; -v shows them`];
  return [...shown.map(neutralise), ...more].flatMap((text, index) =>
    marked(index === 0 ? label : "", { mark: "-", tone: "faint", text }, options),
  );
}

function megabytes(bytes: number): string {
  return `${(bytes / MEGABYTE).toFixed(1)} MB`;
}
