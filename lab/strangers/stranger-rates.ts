/** How often the judge stopped work that was merged, by rule, by size and by language. */
import { writeRows } from "../../scripts/write-rows.ts";

export interface Place {
  /** `held` is a suspicion, which rests on text; `refused` is measured; a `note` stops nothing. */
  readonly strength: "held" | "refused" | "note";
  /** The rule, and behind it the kind or the glob where there is one. */
  readonly rule: string;
  readonly kind: string | null;
  readonly subject: string;
  readonly words: string;
}

/** One merged change, judged. */
export interface Stranger {
  readonly project: string;
  readonly range: string;
  readonly lines: number;
  readonly language: string;
  /** Why there is no judgement; null where there is one. */
  readonly interrupted: string | null;
  readonly places: readonly Place[];
  readonly cpuSeconds: number;
}

interface Size {
  readonly name: string;
  readonly linesMax: number;
}

const SIZES: readonly Size[] = [
  { name: "<= 100 lines", linesMax: 100 },
  { name: "<= 1,000", linesMax: 1000 },
  { name: "> 1,000", linesMax: Number.POSITIVE_INFINITY },
];

interface Rate {
  readonly changes: number;
  readonly of: number;
}

export interface RateRow {
  readonly name: string;
  readonly all: Rate;
  readonly sizes: readonly Rate[];
  /** Changes that nothing else would have stopped; null where that says nothing. */
  readonly alone: number | null;
}

interface LanguageRow extends Readonly<Record<"refused" | "held" | "interrupted", Rate>> {
  readonly name: string;
}

export interface StrangerRates {
  readonly standings: readonly RateRow[];
  readonly rules: readonly RateRow[];
  readonly kinds: readonly RateRow[];
  readonly languages: readonly LanguageRow[];
  readonly cpu: { readonly median: number; readonly worst: number; readonly worstOf: string };
}

type Holds = (stranger: Stranger) => boolean;

const isRefused: Holds = ({ places }) => places.some(({ strength }) => strength === "refused");
/** What is refused as well is not held: it stops for the stronger reason. */
const isHeld: Holds = (stranger) => !isRefused(stranger) && stranger.places.some(({ strength }) => strength === "held");
const isInterrupted: Holds = ({ interrupted }) => interrupted !== null;

export function countRates(strangers: readonly Stranger[]): StrangerRates {
  const standings = [
    ["refused", isRefused],
    ["held", isHeld],
    ["interrupted", isInterrupted],
  ] as const;
  const byCost = strangers.toSorted((one, other) => one.cpuSeconds - other.cpuSeconds);
  const dearest = byCost.at(-1);
  return {
    standings: standings.map(([name, holds]) => countRow(name, strangers, holds)),
    rules: countPlaces(strangers, ({ strength, rule }) => (strength === "note" ? null : `${strength}: ${rule}`)),
    kinds: countPlaces(strangers, ({ strength, rule, kind }) =>
      kind === null ? null : `${strength}: ${rule}: ${kind}`,
    ),
    languages: [...new Set(strangers.map(({ language }) => language))].toSorted().map((name) => {
      const own = strangers.filter(({ language }) => language === name);
      const [refused, held, interrupted] = standings.map(([, holds]) => countRate(own, holds));
      const none = { changes: 0, of: own.length };
      return { name, refused: refused ?? none, held: held ?? none, interrupted: interrupted ?? none };
    }),
    cpu: {
      median: byCost[Math.floor(byCost.length / 2)]?.cpuSeconds ?? 0,
      worst: dearest?.cpuSeconds ?? 0,
      worstOf: dearest === undefined ? "" : `${dearest.project} ${dearest.range}`,
    },
  };
}

/** A row for each name that the places have, most frequent first. */
function countPlaces(strangers: readonly Stranger[], nameOf: (place: Place) => string | null): readonly RateRow[] {
  const names = new Set(strangers.flatMap(({ places }) => places.map(nameOf)).filter((name) => name !== null));
  return [...names]
    .map((name) => countRow(name, strangers, ({ places }) => places.some((place) => nameOf(place) === name), nameOf))
    .toSorted((one, other) => other.all.changes - one.all.changes);
}

function countRow(
  name: string,
  strangers: readonly Stranger[],
  holds: Holds,
  nameOf: ((place: Place) => string | null) | null = null,
): RateRow {
  const isAlone: Holds = ({ places }) => places.every((place) => place.strength === "note" || nameOf?.(place) === name);
  return {
    name,
    all: countRate(strangers, holds),
    sizes: SIZES.map((size) =>
      countRate(
        strangers.filter((stranger) => findSize(stranger) === size),
        holds,
      ),
    ),
    alone: nameOf === null ? null : strangers.filter((stranger) => holds(stranger) && isAlone(stranger)).length,
  };
}

function findSize({ lines }: Stranger): Size | undefined {
  return SIZES.find(({ linesMax }) => lines <= linesMax);
}

function countRate(strangers: readonly Stranger[], holds: Holds): Rate {
  return { changes: strangers.filter(holds).length, of: strangers.length };
}

export function renderRates({ standings, rules, kinds, languages, cpu }: StrangerRates): string {
  const heads = ["", "all", "alone", ...SIZES.map(({ name }) => name)];
  const writeAll = (rows: readonly RateRow[]): string =>
    writeRows(
      heads,
      rows.map(({ name, all, alone, sizes }) => [
        name,
        writeRate(all),
        alone === null ? "" : String(alone),
        ...sizes.map(writeRate),
      ]),
    );
  return [
    writeAll(standings),
    writeAll(rules),
    writeAll(kinds),
    writeRows(
      ["language", "refused", "held", "interrupted"],
      languages.map(({ name, refused, held, interrupted }) => [name, ...[refused, held, interrupted].map(writeRate)]),
    ),
    `CPU of a range: median ${cpu.median.toFixed(2)} s, worst ${cpu.worst.toFixed(2)} s (${cpu.worstOf})`,
  ].join("\n\n");
}

function writeRate({ changes, of }: Rate): string {
  return of === 0 ? "-" : `${changes} of ${of} (${((100 * changes) / of).toFixed(2)} %)`;
}

/** By rule: each place, quoted. */
export function renderPlaces(strangers: readonly Stranger[]): string {
  const lines = strangers.flatMap(({ project, range, places }) =>
    places.map(({ strength, rule, kind, subject, words }) =>
      [strength, rule, kind ?? "", project, range, subject, words.replaceAll(/\s+/gu, " ")].join("\t"),
    ),
  );
  return lines.toSorted().join("\n");
}
