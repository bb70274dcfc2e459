/** The tables of lab/crash/measured.md: one for each place and sandbox, with a column for each user. */
import { nameSetting, SETTINGS } from "../../test/attacks/setting.ts";
import type { CrashedTick, MeasuredCrashes } from "./crash-measured.ts";
import { writeRows } from "../../scripts/write-rows.ts";

const ALL = "all";

/** How many positions were tried. */
export const countTried = ({ before, torn, after }: CrashedTick): number => before + torn + after;

/** The page says no more than was run. */
export function summarizeCrashes(all: readonly MeasuredCrashes[]): string {
  const tables = SETTINGS.map((setting) => {
    const columns = all.filter((one) => nameSetting(one) === nameSetting(setting));
    return `### ${nameSetting(setting)}\n\n${columns.length === 0 ? "Not measured." : writeTable(columns)}`;
  });
  return tables.join("\n\n");
}

function writeTable(columns: readonly MeasuredCrashes[]): string {
  const heads = columns.map(({ user }) => `as ${user}`);
  const kinds = [...new Set(columns.flatMap(({ ticks }) => Object.keys(ticks)))];
  const rows = [...kinds, ALL].map((kind) => [
    kind,
    ...columns.map(({ ticks }) => {
      const own = Object.entries(ticks).filter(([name]) => kind === ALL || name === kind);
      return own.length === 0 ? "not run" : writeCell(own.map(([, tick]) => tick));
    }),
  ]);
  return [
    writeRows(["tick", ...heads], rows),
    "",
    ...columns.map((column, place) => `- ${heads[place] ?? ""}: ${describeRun(column)}`),
  ].join("\n");
}

function writeCell(ticks: readonly CrashedTick[]): string {
  const sum = (count: (tick: CrashedTick) => number): number => ticks.reduce((total, tick) => total + count(tick), 0);
  const counts = [
    [sum((tick) => tick.reverted), "reverted"],
    [sum((tick) => tick.kept), "kept"],
    [sum((tick) => tick.missed), "missed"],
    [sum((tick) => tick.failures.length), "failed"],
  ] as const;
  const parts = counts.flatMap(([number, word]) => (number === 0 ? [] : [`${number} ${word}`]));
  return `${sum(countTried)} of ${sum((tick) => tick.positions)}: ${parts.join(", ")}`;
}

function describeRun({ date, node, fileSystem, step, ticks }: MeasuredCrashes): string {
  const share = step === 1 ? "every position" : `one position out of ${step}`;
  const failures = Object.entries(ticks).flatMap(([kind, tick]) => tick.failures.map((one) => `\`${kind}: ${one}\``));
  const end = failures.length === 0 ? "no failure" : `failures: ${failures.join(", ")}`;
  return `${date}, Node ${node}, ${fileSystem}, ${share}; ${end}.`;
}
