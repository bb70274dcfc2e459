/** The result of `relais history prune`: deleted folders, kept folders, remaining size. */
import type { PrunedHistory } from "../../contract/answers/pruned-history.ts";
import { countNoun } from "../../core/words/count-noun.ts";
import { type Canvas, renderMarked, renderParagraph } from "../text/canvas.ts";
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
    ...renderParagraph(summary(view), options),
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
    ...(view.privateBytes < TOLD_BYTES_MIN ? [] : renderParagraph(privately(view), options)),
  ];
  return `${lines.join("\n")}\n`;
}

function summary({ isDryRun, removed, bytesBefore, bytesAfter }: PrunedHistory): string {
  if (removed.length === 0) return `Nothing to delete: the history has ${megabytes(bytesBefore)}.`;
  const freed = megabytes(bytesBefore - bytesAfter);
  const left = `${megabytes(bytesAfter)} ${isDryRun ? "would remain" : "remain"}`;
  const what = `${countNoun(removed.length, "folder")}, ${freed}`;
  return isDryRun ? `Would delete ${what}; ${left}.` : `Deleted ${what}; ${left}.`;
}

/** The size of the state directory; shown only where it is worth mentioning. */
function privately({ isDryRun, privateBytes }: PrunedHistory): string {
  return `Also ${isDryRun ? "would free" : "freed"} ${megabytes(privateBytes)} in the state directory.`;
}

function list(label: string, texts: readonly string[], options: PruneOptions): readonly string[] {
  const shown = options.isWhole ? texts : texts.slice(0, SHOWN);
  const hidden = texts.length - shown.length;
  const more = hidden === 0 ? [] : [`and ${hidden} more; see them with -v`];
  return [...shown.map(neutralise), ...more].flatMap((text, index) =>
    renderMarked(index === 0 ? label : "", { mark: "-", tone: "faint", text }, options),
  );
}

function megabytes(bytes: number): string {
  return `${(bytes / MEGABYTE).toFixed(1)} MB`;
}
