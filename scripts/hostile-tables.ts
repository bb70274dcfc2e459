/** The table of docs/drill.md: what became of the builders in each setting that was tried. */
import type { HostileBuilder } from "../src/drill/pure/hostile-builder.ts";
import { nameSetting, SETTINGS } from "../test/attacks/setting.ts";
import type { Measured } from "./hostile-measured.ts";
import { writeRows } from "./write-rows.ts";

const OUTCOMES = ["found", "prevented", "told", "passed", "escaped"] as const;

/** The page says no more than was run. */
export function summarize(all: readonly Measured[], builders: readonly HostileBuilder[]): string {
  const rows = SETTINGS.flatMap((setting) => {
    const runs = all.filter((one) => nameSetting(one) === nameSetting(setting));
    if (runs.length === 0) return [[nameSetting(setting), "", "", "not measured"]];
    return runs.map((run) => [
      nameSetting(run),
      `${run.user}, ${run.fileSystem}`,
      run.date,
      countOutcomes(run, builders),
    ]);
  });
  const table = writeRows(["where", "as", "on", "what became of them"], rows);
  const escapes = all.flatMap((run) =>
    Object.entries(run.outcomes).flatMap(([id, outcome]) =>
      outcome === "escaped" ? [`\`${id}\` (${nameSetting(run)})`] : [],
    ),
  );
  const end = escapes.length === 0 ? "No builder escaped." : `Escapes: ${[...new Set(escapes)].join(", ")}.`;
  return `There are ${builders.length} builders.\n\n${table}\n\n${end}`;
}

function countOutcomes({ outcomes }: Measured, builders: readonly HostileBuilder[]): string {
  const count = (outcome: string | undefined): number => builders.filter(({ id }) => outcomes[id] === outcome).length;
  const counts = [
    ...OUTCOMES.map((outcome) => [count(outcome), outcome] as const),
    [count(undefined), "not run"] as const,
  ];
  return counts.flatMap(([number, words]) => (number === 0 ? [] : [`${number} ${words}`])).join(", ");
}
