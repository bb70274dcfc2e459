/** The tables of docs/hostile-builders.md: one for each place and sandbox, with a column for each user and file system. */
import { BUILDER_CLASSES } from "../src/drill/pure/builder-class.ts";
import type { HostileBuilder } from "../src/drill/pure/hostile-builder.ts";
import { nameSetting, SETTINGS } from "../test/attacks/setting.ts";
import type { Measured } from "./hostile-measured.ts";
import { writeRows } from "./write-rows.ts";

const OUTCOMES = ["found", "prevented", "told", "passed", "escaped"] as const;

/** The page says no more than was run. */
export function summarize(all: readonly Measured[], builders: readonly HostileBuilder[]): string {
  const tables = SETTINGS.map((setting) => {
    const columns = all.filter((one) => nameSetting(one) === nameSetting(setting));
    const table = columns.length === 0 ? "Not measured." : writeTable(columns, builders);
    return `### ${nameSetting(setting)}\n\n${table}`;
  });
  return [`There are ${builders.length} builders.`, ...tables].join("\n\n");
}

function writeTable(columns: readonly Measured[], builders: readonly HostileBuilder[]): string {
  const heads = columns.map(({ user, fileSystem }) => `as ${user}, ${fileSystem}`);
  const rows = [...BUILDER_CLASSES, "all"].map((name) => {
    const own = builders.filter((builder) => name === "all" || builder.class === name);
    return [name, ...columns.map((column) => writeCell(column, own))];
  });
  return [
    writeRows(["class", ...heads], rows),
    "",
    ...columns.map((column, place) => `- ${heads[place] ?? ""}: ${describeRun(column)}`),
  ].join("\n");
}

function writeCell({ outcomes }: Measured, builders: readonly HostileBuilder[]): string {
  const count = (outcome: string | undefined): number => builders.filter(({ id }) => outcomes[id] === outcome).length;
  const counts = [
    ...OUTCOMES.map((outcome) => [count(outcome), outcome] as const),
    [count(undefined), "not run"] as const,
  ];
  return counts.flatMap(([number, words]) => (number === 0 ? [] : [`${number} ${words}`])).join(", ");
}

function describeRun({ date, node, outcomes }: Measured): string {
  const escapes = Object.entries(outcomes).flatMap(([id, outcome]) => (outcome === "escaped" ? [`\`${id}\``] : []));
  return `${date}, Node ${node}; ${escapes.length === 0 ? "no escape" : `escapes: ${escapes.join(", ")}`}.`;
}
