/** The tables of docs/hostile-builders.md: one for each place and sandbox, with a column for each user and file system. */
import { type Builder, CLASSES } from "../test/hostile/builder.ts";
import type { HostileReport, Outcome } from "../test/hostile/driver.ts";
import { type Setting, SETTINGS } from "../test/hostile/setting.ts";

type Counts = Readonly<Partial<Record<Outcome, number>>>;

interface Column extends Setting {
  readonly user: string;
  readonly fileSystem: string;
}

/** What became of all builders in one setting. */
export interface Measured extends Column {
  readonly date: string;
  readonly node: string;
  /** By class. */
  readonly counts: Readonly<Record<string, Counts>>;
  readonly escapes: readonly string[];
}

const OUTCOMES = ["found", "prevented", "told", "passed", "escaped"] as const;
const PLACES = { in_place: "In place", overlay: "In an overlay", clone: "In a clone" } as const;
const SANDBOXES = { off: "without a sandbox", auto: "in the sandbox" } as const;

const nameSetting = ({ isolation, sandbox }: Setting): string => `${PLACES[isolation]}, ${SANDBOXES[sandbox]}`;

export function nameColumn(column: Column): string {
  return `${nameSetting(column)}, as ${column.user}, ${column.fileSystem}`;
}

export function countOutcomes(
  builders: readonly Builder[],
  reports: ReadonlyMap<string, HostileReport>,
): Measured["counts"] {
  return Object.fromEntries(
    CLASSES.map((name) => {
      const outcomes = builders
        .filter((builder) => builder.class === name)
        .map(({ id }) => reports.get(id)?.outcome ?? "escaped");
      const counts = [...OUTCOMES, "skipped" as const].map(
        (outcome) => [outcome, outcomes.filter((one) => one === outcome).length] as const,
      );
      return [name, Object.fromEntries(counts.filter(([, count]) => count > 0))];
    }),
  );
}

export function summarize(all: readonly Measured[], builders: readonly Builder[]): string {
  const tables = SETTINGS.flatMap((setting) => {
    const columns = all.filter((one) => nameSetting(one) === nameSetting(setting));
    return columns.length === 0 ? [`### ${nameSetting(setting)}\n\nNot measured.`] : [writeTable(setting, columns)];
  });
  return [`There are ${builders.length} builders.`, ...tables].join("\n\n");
}

function writeTable(setting: Setting, columns: readonly Measured[]): string {
  const rows = [...CLASSES, "all"].map((name) => [name, ...columns.map((column) => writeCell(column, name))]);
  const heads = columns.map(({ user, fileSystem }) => `as ${user}, ${fileSystem}`);
  return [
    `### ${nameSetting(setting)}`,
    "",
    `| ${["class", ...heads].join(" | ")} |`,
    `| ${["---", ...heads.map(() => "---")].join(" | ")} |`,
    ...rows.map((row) => `| ${row.join(" | ")} |`),
    "",
    ...columns.map((column, place) => `- ${heads[place] ?? ""}: ${describeRun(column)}`),
  ].join("\n");
}

function writeCell({ counts }: Measured, name: string): string {
  const chosen = name === "all" ? Object.values(counts) : [counts[name] ?? {}];
  const sums = OUTCOMES.map((outcome) => ({
    outcome,
    sum: chosen.reduce((sum, one) => sum + (one[outcome] ?? 0), 0),
  }));
  return sums.flatMap(({ outcome, sum }) => (sum === 0 ? [] : [`${sum} ${outcome}`])).join(", ");
}

function describeRun({ date, node, escapes }: Measured): string {
  const escaped = escapes.length === 0 ? "no escape" : `escapes: ${escapes.map((id) => `\`${id}\``).join(", ")}`;
  return `measured on ${date} with Node ${node}; ${escaped}.`;
}
