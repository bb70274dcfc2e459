/** The places of judgements, and how often each rule stopped a change, by itself or among others. */
import { HELD } from "../../records/suspicions.ts";
import type { Change } from "../../records/evidence.ts";
import type { JudgedPlace, Judgement } from "../../records/judgement.ts";

export function listJudgedPlaces({ findings }: Judgement, changes: readonly Change[]): readonly JudgedPlace[] {
  const weakened = changes.flatMap(({ path, weakened: found = [] }) =>
    found.map((weakening) => ({ ...weakening, subject: `${path}:${weakening.line}` })),
  );
  const stops = findings.map(({ gate, code, subject, rule, glob }): JudgedPlace => {
    const own = weakened.find((found) => found.subject === subject && rule.includes(`\`${found.rule}\``));
    const strength = code === HELD ? "held" : "refused";
    return { strength, rule: gate, kind: own?.kind ?? glob, subject, words: own?.text ?? rule };
  });
  const stopped = new Set(stops.map(({ subject }) => subject));
  const notes = weakened.filter(({ subject }) => !stopped.has(subject));
  return [
    ...stops,
    ...notes.map(({ rule, kind, subject, text }): JudgedPlace => {
      const gate = rule.replaceAll("_", "-");
      return { strength: "note", rule: gate, kind, subject, words: text };
    }),
  ];
}

interface Judged {
  readonly places: readonly JudgedPlace[];
}

/** A change stands for its strongest place. Protected paths are a matter of their own: often they are the task. */
export type Standing = "kept" | "held" | "protected" | "refused";

export interface RuleRate {
  readonly strength: JudgedPlace["strength"];
  readonly rule: string;
  readonly kind: string | null;
  readonly changes: number;
  /** Changes that nothing else would have stopped; 0 for notes. */
  readonly alone: number;
}

export const PROTECTED_RULE = "forbidden-scope";

export function findStanding({ places }: Judged): Standing {
  const has = (strength: JudgedPlace["strength"], isPath: boolean): boolean =>
    places.some((place) => place.strength === strength && (place.rule === PROTECTED_RULE) === isPath);
  if (has("refused", false)) return "refused";
  if (has("refused", true)) return "protected";
  if (has("held", false)) return "held";
  // A file that starts programs is held, and no text of it was read.
  return has("held", true) ? "protected" : "kept";
}

export function countStandings(judged: readonly Judged[]): Readonly<Record<Standing, number>> {
  const counts = { kept: 0, held: 0, protected: 0, refused: 0 };
  for (const one of judged) counts[findStanding(one)] += 1;
  return counts;
}

type Naming = Pick<RuleRate, "strength" | "rule" | "kind">;

/** By rule. A note stops nothing, so it is no rate of a rule. */
export function countRules(judged: readonly Judged[]): readonly RuleRate[] {
  const stops = judged.map(({ places }) => ({ places: places.filter(({ strength }) => strength !== "note") }));
  return countNamed(stops, ({ strength, rule }) => ({ strength, rule, kind: null }));
}

/** By rule and by what it found. */
export function countKinds(judged: readonly Judged[]): readonly RuleRate[] {
  return countNamed(judged, ({ strength, rule, kind }) => ({ strength, rule, kind })).filter(
    ({ kind }) => kind !== null,
  );
}

function countNamed(judged: readonly Judged[], nameOf: (place: JudgedPlace) => Naming): readonly RuleRate[] {
  const rates = new Map<string, Naming & { changes: number; alone: number }>();
  for (const { places } of judged) {
    const names = new Map(places.map((place) => [writeName(nameOf(place)), nameOf(place)]));
    const stops = new Set(
      places.filter(({ strength }) => strength !== "note").map((place) => writeName(nameOf(place))),
    );
    for (const [key, name] of names) {
      const rate = rates.get(key) ?? { ...name, changes: 0, alone: 0 };
      rate.changes += 1;
      if (stops.size === 1 && stops.has(key)) rate.alone += 1;
      rates.set(key, rate);
    }
  }
  return [...rates.values()].toSorted((one, other) => other.changes - one.changes);
}

function writeName({ strength, rule, kind }: Naming): string {
  return JSON.stringify([strength, rule, kind]);
}
