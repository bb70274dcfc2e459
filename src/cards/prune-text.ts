/** The result of `relais history prune`: deleted folders, kept folders, remaining size. */
import type { PrunedHistory } from "../records/pruned-history.ts";
import { countNoun } from "../base/count-noun.ts";
import { type Canvas, listFacts, renderFacts, renderParagraph, VERBOSE_HINT } from "../base/canvas.ts";
import { neutralise } from "../base/neutralise.ts";

interface PruneOptions extends Canvas {
  /** Whether long lists are shown to their end. */
  readonly isWhole: boolean;
}

const SHOWN = 20;
const MEGABYTE = 1024 * 1024;
/** Less is shown as nothing. */
const TOLD_BYTES_MIN = MEGABYTE / 10;

export function renderPruned(view: PrunedHistory, options: PruneOptions): string {
  const list = (label: string, texts: readonly string[]) => {
    const marked = texts.map((text) => ({ mark: "-", tone: "faint", text: neutralise(text) }) as const);
    return listFacts(label, marked, { max: options.isWhole ? Infinity : SHOWN, hint: VERBOSE_HINT });
  };
  const facts = [
    ...list(
      "removed",
      view.removed.map(({ runId, bytes }) => `${runId}, ${formatMegabytes(bytes)}`),
    ),
    ...list(
      "kept",
      view.held.map(({ runId, reason }) => `${runId}: ${reason}`),
    ),
  ];
  const lines = [
    ...renderParagraph(summarise(view), options),
    ...renderFacts(facts, options),
    ...(view.bytesAfter <= view.bytesMax ? [] : renderParagraph(describeStillLarge(view), options)),
    ...(view.privateBytes < TOLD_BYTES_MIN ? [] : renderParagraph(describeStateDirectory(view), options)),
  ];
  return `${lines.join("\n")}\n`;
}

function summarise({ isDryRun, removed, bytesBefore, bytesAfter }: PrunedHistory): string {
  if (removed.length === 0) return `Nothing to delete: the history has ${formatMegabytes(bytesBefore)}.`;
  const freed = formatMegabytes(bytesBefore - bytesAfter);
  const left = `${formatMegabytes(bytesAfter)} ${isDryRun ? "would remain" : "remain"}`;
  const what = `${countNoun(removed.length, "folder")}, ${freed}`;
  return isDryRun ? `Would delete ${what}; ${left}.` : `Deleted ${what}; ${left}.`;
}

function describeStillLarge({ bytesMax }: PrunedHistory): string {
  return `Still larger than history.max_mb (${formatMegabytes(bytesMax)}): run \`relais history prune\` without options, settle the kept ticks (\`relais status\`), or raise history.max_mb.`;
}

/** The size of the state directory; shown only where it is worth mentioning. */
function describeStateDirectory({ isDryRun, privateBytes }: PrunedHistory): string {
  return `Also ${isDryRun ? "would free" : "freed"} ${formatMegabytes(privateBytes)} in the state directory.`;
}

function formatMegabytes(bytes: number): string {
  return `${(bytes / MEGABYTE).toFixed(1)} MB`;
}
