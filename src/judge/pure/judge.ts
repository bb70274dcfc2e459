/**
 * The judge: evidence in, judgement out. A change is judged by measurements, never by a builder's words. All gates run,
 * because a person wants all reasons at once; the first gate with a finding names the code. A suspicion only holds a
 * change for a person, so every other finding comes first.
 */
import { HELD, isSuspicion, listSuspicions } from "../../records/suspicions.ts";
import { compileRules, type Gate, type GateInput, listVisibleChanges } from "./gate.ts";
import type { Change, Evidence } from "../../records/evidence.ts";
import type { Finding, Judgement } from "../../records/judgement.ts";
import type { CheckRule, RuleSetting } from "../../base/check-rules.ts";
import { describeKind } from "./kinds.ts";
import { listPathNote, quote, shortenList } from "../../base/words.ts";
import { measureBlastRadius } from "./blast-radius.ts";
import {
  allowedScope,
  builderFailure,
  credentials,
  diffSize,
  forbiddenContent,
  forbiddenScope,
  gitMetadata,
  headMoved,
  ignoredFiles,
  listContentNotes,
  listGitMetadataNotes,
  listIgnoredNotes,
  lockfiles,
  newFiles,
  noChange,
  runnerOwned,
  STARTS_PROGRAMS,
  taskKind,
} from "./gates.ts";
import { growth, nameExcess } from "./growth-gate.ts";
import { unsafePath } from "./unsafe-path.ts";

/** Holds a change of what a person had not committed: nobody can tell the two apart in a commit. */
export const uncommittedPaths: Gate = {
  id: "uncommitted-paths",
  cause: "dirty_path",
  refuse: (gateInput) => {
    const paths = new Set(gateInput.evidence.rules.uncommitted_paths);
    return listVisibleChanges(gateInput)
      .filter(({ path }) => paths.has(path))
      .map(({ path }) => ({
        code: HELD,
        subject: path,
        rule: "It was changed by you, and not committed.",
        glob: null,
      }));
  },
};

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
const WEAKENED_CHECKS: readonly Gate[] = RULES.map((rule) => ({
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
function listWeakeningNotes(gateInput: GateInput): readonly string[] {
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

/** Growth comes first: where there is too much, the changes that the other gates read are not all. */
const GATES: readonly Gate[] = [
  growth,
  builderFailure,
  headMoved,
  gitMetadata,
  runnerOwned,
  taskKind,
  unsafePath,
  forbiddenScope,
  forbiddenContent,
  credentials,
  allowedScope,
  newFiles,
  lockfiles,
  ignoredFiles,
  diffSize,
  uncommittedPaths,
  ...WEAKENED_CHECKS,
  noChange,
];

export function judge(evidence: Evidence): Judgement {
  const gateInput = compileRules(evidence);
  const found: readonly Finding[] = GATES.flatMap(({ id, refuse }) =>
    refuse(gateInput).map((refusal) => ({ gate: id, ...refusal })),
  );
  const suspicions = listSuspicions(found, evidence.rules.accepted);
  const findings = [...found.filter((finding) => !isSuspicion(finding)), ...suspicions];
  const [first] = findings;
  return {
    verdict: first === undefined ? "success" : "stop",
    code: first?.code ?? "SUCCESS",
    cause: findCause(evidence) ?? nameCause(first),
    findings: [...findings],
    notes: [
      ...listGitMetadataNotes(evidence.metadata),
      ...listIgnoredNotes(gateInput),
      ...listAttributeNotes(evidence.attributes_touched),
      ...listUncompared(evidence.not_compared ?? []),
      ...listContentNotes(gateInput),
      ...listWeakeningNotes(gateInput),
    ],
    blast_radius: measureBlastRadius(evidence.changes),
  };
}

/** The rule of the gate. Where a gate refuses paths and holds some of them, the held ones have a name of their own. */
function nameCause(first: Finding | undefined): string | null {
  if (first !== undefined && isSuspicion(first) && first.gate === forbiddenScope.id) return STARTS_PROGRAMS;
  return GATES.find(({ id }) => id === first?.gate)?.cause ?? null;
}

function findCause({ excess, builder_failure: failure }: Evidence): string | null {
  return excess === undefined ? (failure?.cause ?? null) : nameExcess(excess);
}

/** What the change does not touch is context: it may be left out, and then a note says so. */
export function listUncompared(large: readonly string[]): readonly string[] {
  return listPathNote("Not compared with, because they are too large", large);
}

/** An extended attribute or a flag changed, which cannot be compared. */
function listAttributeNotes({ count, paths }: Evidence["attributes_touched"]): readonly string[] {
  if (count === 0) return [];
  const subject = count === 1 ? "1 entry was" : `${count} entries were`;
  return [`${subject} touched without a visible change (an extended attribute or a flag): ${shortenList(paths)}.`];
}
