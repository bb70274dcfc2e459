import type { Change } from "../../records/evidence.ts";
import type { Finding } from "../../records/judgement.ts";
import type { CheckRule, RuleSetting } from "../../base/check-rules.ts";
import { describeKind } from "./kinds.ts";
import { listPathNote, quote } from "../../base/words.ts";
import { type Gate, type GateInput, listVisibleChanges } from "./gate.ts";

type Weakened = NonNullable<Change["weakened"]>[number];

interface PlacedWeakening extends Weakened {
  readonly place: string;
}

const RULES: readonly CheckRule[] = [
  "suppression",
  "test_aware",
  "deleted_tests",
  "hollow_tests",
  "reads_tests",
  "test_literals",
  "no_effect",
];

/** Refuses or holds changes after which a passing check means less. One gate for each rule, which is the cause. */
export const WEAKENED_CHECKS: readonly Gate[] = RULES.map((rule) => ({
  id: rule.replaceAll("_", "-"),
  cause: rule,
  refuse: (gateInput) =>
    [
      ...listPlaces(gateInput, "stop").map((place) => ({ code: "STOP_CHECKS_WEAKENED", place }) as const),
      ...listPlaces(gateInput, "hold").map((place) => ({ code: "STOP_SUSPECT", place }) as const),
    ]
      .filter(({ place }) => place.rule === rule)
      .map(({ code, place }) => ({ code, ...describePlace(place), glob: null })),
}));

/** Where no work was done, there is no place to name. */
function describePlace({ kind, rule, text, place }: PlacedWeakening): Pick<Finding, "subject" | "rule" | "quote"> {
  const what = `${describeKind(kind)} (rule \`${rule}\`)`;
  if (rule === "no_effect") return { subject: "the change", rule: `It has ${what}.` };
  return { subject: place, rule: `It ${nameVerb(rule)} ${what}: ${quote(text)}`, quote: text };
}

function nameVerb(rule: CheckRule): "has" | "adds" {
  return rule === "deleted_tests" || rule === "hollow_tests" ? "has" : "adds";
}

/** By kind. */
export function listWeakeningNotes(gateInput: GateInput): readonly string[] {
  const places = listPlaces(gateInput, "note");
  return [...new Map(places.map(({ kind, rule }) => [kind, rule]))].flatMap(([kind, rule]) =>
    listPathNote(
      `The change ${nameVerb(rule)} ${describeKind(kind)} (\`${kind}\`)`,
      places.filter((weakened) => weakened.kind === kind).map(({ place }) => place),
    ),
  );
}

function listPlaces(gateInput: GateInput, wanted: RuleSetting): readonly PlacedWeakening[] {
  const { weakening, suspicions } = gateInput.evidence.rules;
  if (weakening === undefined) return [];
  const choose = ({ rule, default: usual }: Weakened): RuleSetting => {
    // What is measured is no matter of taste: no setting lowers it.
    const setting = usual === "stop" ? usual : (weakening.rules[rule] ?? usual);
    return setting === "hold" ? (suspicions ?? setting) : setting;
  };
  return listVisibleChanges(gateInput).flatMap(({ path, weakened = [] }) =>
    weakened.filter((place) => choose(place) === wanted).map((place) => ({ ...place, place: `${path}:${place.line}` })),
  );
}
