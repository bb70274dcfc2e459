/** The result of `relais history replay`: whether recorded ticks are judged again with the same result. */
import type { OtherFiles, ReplayedTick, ReplayRow } from "../records/replayed-tick.ts";
import { countNoun } from "../base/count-noun.ts";
import { unreachable } from "../base/invariant.ts";
import { neutralise } from "../base/neutralise.ts";
import { type Canvas, measureWidth, renderEntry, renderIndented } from "../base/canvas.ts";
import type { Tone } from "../base/style.ts";
import { measureDisplayWidth } from "../base/display-width.ts";
import { wrapText } from "../base/wrap-text.ts";

interface ReplayOptions extends Canvas {
  /** Whether to show only problems. */
  readonly isQuiet: boolean;
}

interface ReplayView {
  readonly ticks: readonly ReplayRow[];
  /** The line in which the ledger of the workspace is not what the journal is; null where they agree. */
  readonly ledgerLine: number | null;
}

export function renderReplay({ ticks, ledgerLine }: ReplayView, options: ReplayOptions): string {
  const edited = ledgerLine === null ? [] : renderLedgerTrouble(ledgerLine, options);
  return `${renderTicks(ticks, options)}${edited.map((line) => `${line}\n`).join("")}`;
}

function renderLedgerTrouble(line: number, { style, ...canvas }: ReplayOptions): readonly string[] {
  const text = `✗ ledger.jsonl was edited in line ${line}; the journal is the source, \`relais recover\` rewrites it.`;
  return wrapText(text, measureWidth({ style, ...canvas })).map((part) => style("bad", part));
}

function renderTicks(rows: readonly ReplayRow[], options: ReplayOptions): string {
  const { isQuiet } = options;
  if (rows.length === 0) return isQuiet ? "" : "No ticks in the history.\n";
  const bad = rows.filter(({ replayed: { kind } }) => kind === "differs" || kind === "damaged");
  const lines = (isQuiet ? bad : rows).flatMap((row) => renderRow(row, options));
  const summary =
    bad.length === 0
      ? `${countNoun(rows.length, "tick")} as recorded.`
      : `${bad.length} of ${countNoun(rows.length, "tick")} not as recorded.`;
  return [...lines, ...(isQuiet ? [] : ["", summary])].map((line) => `${line}\n`).join("");
}

function renderRow({ runId, replayed }: ReplayRow, canvas: Canvas): readonly string[] {
  const { style } = canvas;
  const name = neutralise(runId);
  const line = (tone: Tone, mark: string, text: string) =>
    renderEntry({ head: `${mark} ${name}`, dressed: `${style(tone, mark)} ${style("strong", name)}`, text }, canvas);
  switch (replayed.kind) {
    case "same":
      return line("good", "✓", `${replayed.judgement.code}${describeUnchecked(replayed)}`);
    case "nothing-judged":
      return line("faint", "-", "ended before the judgement");
    case "pruned":
      return line("faint", "-", "deleted by `relais history prune`");
    case "not-kept":
      return line("faint", "-", "history is off");
    case "damaged": {
      const { file, reason } = replayed;
      const text = `${neutralise(file)} is damaged: ${neutralise(reason)}`;
      return [...line("bad", "✗", text), ...renderOthers(replayed, canvas)];
    }
    case "differs": {
      const { file, place, recorded, derived, sha256 } = replayed;
      return [
        ...line("bad", "✗", `${neutralise(file)} differs at ${neutralise(place)}`),
        ...renderValue("recorded", neutralise(recorded), canvas),
        ...renderValue("found   ", neutralise(derived), canvas),
        ...(sha256 === null
          ? []
          : [
              ...renderValue("sha256 expected", sha256.recorded, canvas),
              ...renderValue("sha256 found   ", sha256.found, canvas),
            ]),
        ...renderOthers(replayed, canvas),
      ];
    }
    default:
      return unreachable(replayed);
  }
}

function describeUnchecked({ isHashChecked, isFolderChecked }: Extract<ReplayedTick, { kind: "same" }>): string {
  if (isFolderChecked) return "";
  return isHashChecked ? "; other files have no recorded hashes" : "; no journal to check the evidence";
}

/** What is compared character by character is never broken. */
function renderValue(label: string, text: string, canvas: Canvas): readonly string[] {
  const line = `    ${label} ${text}`;
  return measureDisplayWidth(line) <= measureWidth(canvas) ? [line] : [`    ${label.trimEnd()}`, `      ${text}`];
}

function renderOthers({ others }: OtherFiles, canvas: Canvas): readonly string[] {
  return others.flatMap(({ file, reason }) =>
    renderIndented(`also ${neutralise(file)}: ${neutralise(reason)}`, 4, canvas),
  );
}
