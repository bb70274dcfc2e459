/** The scorecard of `relais drill`, and what is shown while it runs. */
import {
  countByClass,
  countOutcomes,
  type Drill,
  type DrillPlace,
  type DrillRemedy,
  type DrillResult,
  isHeld,
  type OutcomeCounts,
} from "../drill/pure/drill-result.ts";
import { CODES } from "../base/codes.ts";
import { countNoun } from "../base/words.ts";
import {
  BAD,
  type Canvas,
  drawBar,
  GOOD,
  measureWidth,
  renderIndented,
  renderParagraph,
  WARNING,
} from "../base/canvas.ts";
import { formatDuration } from "../base/duration-text.ts";
import { neutralise } from "../base/style.ts";

const PLACES = { in_place: "in place", overlay: "in an overlay", clone: "in a clone" } as const;

interface DrillTextOptions extends Canvas {
  readonly isStrict: boolean;
  readonly isVerbose: boolean;
}

export function renderDrill(drill: Drill, options: DrillTextOptions): string {
  const { results } = drill;
  const lines = [
    ...renderHead(drill, options),
    "",
    ...renderTable(results, options),
    ...renderSection("Got through, although this configuration promises to stop it", listEscapes(results), options),
    ...renderSection("Another setting stops these", listSettings(results), options),
    ...renderSection("Told by the report, and not stopped", listTold(results), options),
    ...renderSection("Honest builders that this configuration refuses", listRefused(results), options),
    ...renderSection("Not tried", listUntried(drill), options),
    "",
    ...renderParagraph(summarise(drill, options.isStrict), options),
  ];
  return lines.map((line) => `${line}\n`).join("");
}

function renderHead({ places, results, notReached, files, durationMs }: Drill, canvas: Canvas): readonly string[] {
  const builders = countNoun(new Set(results.map(({ id }) => id)).size, "builder");
  const where = places.map(({ place, sandbox }) => `${PLACES[place]}, ${nameSandbox(sandbox)}`).join("; ");
  const part = files.copied < files.total ? ` (${files.copied} of ${files.total} files)` : "";
  const ticks = notReached === 0 ? "" : `${results.length} of `;
  return renderParagraph(
    `${builders} in ${ticks}${countNoun(results.length + notReached, "tick")} on a copy of this repository${part}, ${formatDuration(durationMs)}: ${where}.`,
    canvas,
  );
}

const nameSandbox = (sandbox: string): string => (sandbox === "none" ? "without a sandbox" : `in ${sandbox}`);

type Column = readonly [head: string, count: (counts: OutcomeCounts) => number];

const COLUMNS: readonly Column[] = [
  ["prevented", ({ prevented }) => prevented],
  ["caught", ({ caught }) => caught],
  ["restored", ({ restored }) => restored],
  ["told", ({ told }) => told],
  ["passed", ({ passed }) => passed],
  ["through", ({ needs_setting, escaped }) => needs_setting + escaped],
];
const CLASS_WIDTH = "verification".length;
const GAP = 2;

function renderTable(results: readonly DrillResult[], canvas: Canvas): readonly string[] {
  const rows = [...countByClass(results), { class: "all", total: results.length, counts: countOutcomes(results) }];
  const isNarrow = measureWidth(canvas) < CLASS_WIDTH + COLUMNS.reduce((sum, [head]) => sum + head.length + GAP, 0);
  if (isNarrow)
    return rows.flatMap(({ class: name, counts }) => renderIndented(`${name}: ${nameCounts(counts)}`, 2, canvas));
  const head = `${"".padEnd(CLASS_WIDTH)}${COLUMNS.map(([name]) => name.padStart(name.length + GAP)).join("")}`;
  return [
    canvas.style("faint", head),
    ...rows.map(({ class: name, counts }) => {
      const cells = COLUMNS.map(([label, count]) => writeCount(count(counts)).padStart(label.length + GAP));
      return `${name.padEnd(CLASS_WIDTH)}${cells.join("")}`;
    }),
  ];
}

const writeCount = (count: number): string => (count === 0 ? "-" : String(count));

function nameCounts(counts: OutcomeCounts): string {
  return COLUMNS.flatMap(([name, count]) => (count(counts) === 0 ? [] : [`${count(counts)} ${name}`])).join(", ");
}

interface Entry {
  readonly text: string;
  readonly details: readonly string[];
}

const DETAILS_SHOWN = 3;

function renderSection(title: string, entries: readonly Entry[], options: DrillTextOptions): readonly string[] {
  if (entries.length === 0) return [];
  return [
    "",
    options.style("strong", `${title}:`),
    ...entries.flatMap(({ text, details }) => [
      ...renderIndented(neutralise(text), 2, options),
      ...details
        .slice(0, options.isVerbose ? details.length : DETAILS_SHOWN)
        .flatMap((line) => renderIndented(`- ${neutralise(line)}`, 6, options)),
    ]),
  ];
}

/** One entry for a builder with the same result in several workplaces. */
function gather(results: readonly DrillResult[], describe: (result: DrillResult) => string): readonly Entry[] {
  const groups = new Map<string, { readonly first: DrillResult; readonly places: DrillPlace[] }>();
  for (const result of results) {
    const key = `${result.id} ${describe(result)}`;
    const group = groups.get(key) ?? { first: result, places: [] };
    group.places.push(result.place);
    groups.set(key, group);
  }
  return [...groups.values()].map(({ first, places }) => ({
    text: `${first.id}, ${places.map((place) => PLACES[place]).join(", ")}: ${describe(first)}`,
    details: first.outcome === "escaped" ? first.details : [],
  }));
}

const listEscapes = (results: readonly DrillResult[]): readonly Entry[] =>
  gather(
    results.filter(({ outcome }) => outcome === "escaped"),
    ({ does }) => does,
  );

const listSettings = (results: readonly DrillResult[]): readonly Entry[] =>
  gather(
    results.filter(({ remedy }) => remedy !== null),
    ({ does, remedy }) => `${does} ${remedy === null ? "" : describeRemedy(remedy)}`,
  );

function describeRemedy({ key, value }: DrillRemedy): string {
  return value === undefined ? `\`${key}\`: its default.` : `\`${key}\`: ${JSON.stringify(value)}.`;
}

const listTold = (results: readonly DrillResult[]): readonly Entry[] =>
  gather(
    results.filter(({ outcome, remedy }) => outcome === "told" && remedy === null),
    ({ does }) => does,
  );

const listRefused = (results: readonly DrillResult[]): readonly Entry[] =>
  gather(
    results.filter(({ outcome }) => outcome === "refused"),
    ({ does, code }) => `${does} ${describeCode(code)}`,
  );

function describeCode(code: DrillResult["code"]): string {
  return code === null ? "There is no report." : `${CODES[code].meaning} (${code})`;
}

function listUntried({ results, leftOut }: Drill): readonly Entry[] {
  const reasons = [
    ...leftOut.map(({ name, reason }) => ({ name, reason })),
    ...results.flatMap(({ id, outcome, code }) =>
      outcome === "untried" ? [{ name: id, reason: describeCode(code) }] : [],
    ),
  ];
  const byReason = new Map<string, string[]>();
  for (const { name, reason } of reasons) byReason.set(reason, [...(byReason.get(reason) ?? []), name]);
  return [...byReason].map(([reason, names]) => ({ text: `${names.join(", ")}: ${reason}`, details: [] }));
}

function summarise({ results, notReached }: Drill, isStrict: boolean): string {
  const counts = countOutcomes(results);
  const settings = results.filter(({ remedy }) => remedy !== null).length;
  const sign = counts.escaped > 0 ? BAD : isHeld(results, isStrict) ? GOOD : WARNING;
  const verdict =
    counts.escaped > 0
      ? `${countNoun(counts.escaped, "escape")}.`
      : "Nothing escaped that this configuration promises to stop.";
  const others = settings === 0 ? "" : ` ${countNoun(settings, "result")} would be different with another setting.`;
  return `${sign.mark} ${verdict}${others} ${nameNextStep(results, notReached)}`.trimEnd();
}

function nameNextStep(results: readonly DrillResult[], notReached: number): string {
  const escape = results.find(({ outcome }) => outcome === "escaped");
  if (escape !== undefined)
    return `Please report it, with the output of \`relais drill --case ${escape.id} --json -v\`.`;
  const classes = [...new Set(results.map((result) => result.class))];
  if (notReached === 0) return new Set(results.map(({ id }) => id)).size === 1 ? "Try the others: `relais drill`." : "";
  const only = classes.length === 1 ? `--class ${classes.join("")} ` : "";
  return `Try the other ${countNoun(notReached, "tick")}: \`relais drill ${only}--all\`.`;
}

export const DRILL_OPENING = "Making a copy, and trying an honest builder in each workplace.";

/** One line while it runs. */
export function renderDrillProgress(done: number, total: number, last: DrillResult | null): string {
  if (total === 0) return DRILL_OPENING;
  const name = last === null ? "" : `  ${last.id}, ${PLACES[last.place]}: ${last.outcome.replace("_", " ")}`;
  return `${drawBar(done, total)} ${done} of ${total}${name}`;
}

/** A line for each builder where nothing is drawn. */
export function renderDrillLine({ id, place, outcome, code }: DrillResult): string {
  return `${id}, ${PLACES[place]}: ${outcome.replace("_", " ")}${code === null ? "" : ` (${code})`}`;
}
