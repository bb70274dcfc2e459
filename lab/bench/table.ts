/** The measured rows as a table in Markdown. */
import { writeRows } from "../../scripts/write-rows.ts";
import { type Spread, spreadOf } from "./rounds.ts";
import { FLOOR, MS, NODE, type Row, type Samples } from "./rows.ts";

export const HEADS = ["", "wall, ms", "CPU, ms", "MB", "÷ empty Node", "÷ floor", "target: must / best", "measured"];

/** One line of the table. */
export function writeRow(row: Row, samples: Samples): readonly string[] {
  const wall = spreadOf(samples, "wallMs", row.value);
  const ratios = new Map(
    row.divisors.map(({ title, value }) => [title, wall.median / spreadOf(samples, "wallMs", value).median] as const),
  );
  const peak = spreadOf(samples, "peakMb", row.value).median;
  const ratio = (title: string): string => writeNumber(ratios.get(title) ?? Number.NaN);
  const values = new Map<string | null, number>([...ratios, [null, peak], [MS, wall.median]]);
  const measured = row.targets.map(({ against, must, best }) => {
    const value = values.get(against) ?? Number.NaN;
    return `${writeNumber(value)} ${compare(value, { must, best })}`;
  });
  return [
    row.title,
    writeSpread(wall),
    writeNumber(spreadOf(samples, "cpuMs", row.value).median),
    writeNumber(peak),
    ratio(NODE),
    ratio(FLOOR),
    row.targets.map(writeTarget).join("; "),
    measured.join("; "),
  ];
}

function writeTarget({ against, must, best }: Row["targets"][number]): string {
  const unit = against === MS ? MS : `÷ ${against}`;
  return `${must} / ${best} ${against === null ? "MB" : unit}`;
}

export function compare(value: number, { must, best }: { readonly must: number; readonly best: number }): string {
  if (Number.isNaN(value)) return "unknown";
  if (value <= best) return "best";
  return value <= must ? "met" : "**missed**";
}

function writeSpread({ median, lower, upper }: Spread): string {
  return `${writeNumber(median)} (${writeNumber(lower)} to ${writeNumber(upper)})`;
}

/** Three digits: more would be noise. */
export function writeNumber(value: number): string {
  if (Number.isNaN(value)) return "";
  const digits = Math.max(0, 2 - Math.max(0, Math.floor(Math.log10(Math.max(Math.abs(value), 0.01)))));
  return value.toFixed(Math.min(digits, 2)).replace(/^-(?<zero>0(?:\.0*)?)$/, "$<zero>");
}

export function writeTable(lines: readonly (readonly string[])[]): string {
  return writeRows(HEADS, lines);
}
