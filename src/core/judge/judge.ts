/**
 * The judge: evidence in, judgement out. A change is judged by measurements, never by a builder's words. All gates run,
 * because a person wants all reasons at once; the first gate with a finding names the code.
 */
import type { Evidence } from "../../contract/evidence/evidence.ts";
import type { BlastRadius, Finding, Judgement } from "../../contract/evidence/judgement.ts";
import { InvariantError } from "../../contract/values/invariant.ts";
import { measureBlastRadius } from "./blast-radius.ts";
import { allowedScope } from "./allowed-scope.ts";
import { builderFailure } from "./builder-failure.ts";
import { diffSize } from "./diff-size.ts";
import { forbiddenContent, listContentNotes } from "./forbidden-content.ts";
import { forbiddenScope } from "./forbidden-scope.ts";
import { type Gate, type GateInput, compileRules } from "./gate.ts";
import { gitMetadata, listGitMetadataNotes } from "./git-metadata.ts";
import { growth, nameExcess } from "./growth.ts";
import { headMoved } from "./head-moved.ts";
import { ignoredFiles, listIgnoredNotes } from "./ignored-files.ts";
import { lockfiles } from "./lockfiles.ts";
import { noChange } from "./no-change.ts";
import { newFiles } from "./new-files.ts";
import { runnerOwned } from "./runner-owned.ts";
import { taskKind } from "./task-kind.ts";
import { unsafePath } from "./unsafe-path.ts";
import { listWeakeningNotes, WEAKENED_CHECKS } from "./weakened-checks.ts";
import { shortenList } from "../words/quote.ts";

export interface RuleSet {
  readonly since: number;
  readonly gates: readonly Gate[];
  readonly notes: (gateInput: GateInput) => readonly string[];
  readonly measure: (changes: Evidence["changes"]) => BlastRadius;
}

/**
 * The rules by version, oldest first. Evidence is judged by the last rules that are not newer than itself, so old
 * records keep their result.
 */
const FIRST: RuleSet = {
  since: 1,
  gates: [
    builderFailure,
    headMoved,
    gitMetadata,
    runnerOwned,
    taskKind,
    unsafePath,
    forbiddenScope,
    allowedScope,
    newFiles,
    lockfiles,
    ignoredFiles,
    diffSize,
  ],
  notes: (gateInput) => [
    ...listGitMetadataNotes(gateInput.evidence.metadata),
    ...listIgnoredNotes(gateInput),
    ...listAttributeNotes(gateInput.evidence.attributes_touched),
  ],
  measure: measureBlastRadius,
};
/** Growth comes first: where there is too much, the changes that the other gates read are not all. */
const SECOND: RuleSet = {
  ...FIRST,
  since: 2,
  gates: [
    growth,
    ...FIRST.gates.flatMap((gate) => (gate === forbiddenScope ? [gate, forbiddenContent] : [gate])),
    ...WEAKENED_CHECKS,
    noChange,
  ],
  notes: (gateInput) => [...FIRST.notes(gateInput), ...listContentNotes(gateInput), ...listWeakeningNotes(gateInput)],
};
const RULE_SETS: readonly RuleSet[] = [FIRST, SECOND];

export function judge(evidence: Evidence, sets: readonly RuleSet[] = RULE_SETS): Judgement {
  const rules = sets.findLast(({ since }) => since <= evidence.version);
  if (rules === undefined) throw new InvariantError(`there are no rules of version ${evidence.version}`);
  const gateInput = compileRules(evidence);
  const findings: readonly Finding[] = rules.gates.flatMap(({ id, refuse }) =>
    refuse(gateInput).map((refusal) => ({ gate: id, ...refusal })),
  );
  const [first] = findings;
  return {
    verdict: first === undefined ? "success" : "stop",
    code: first?.code ?? "SUCCESS",
    cause: findCause(evidence) ?? rules.gates.find(({ id }) => id === first?.gate)?.cause ?? null,
    findings: [...findings],
    notes: [...rules.notes(gateInput)],
    blast_radius: rules.measure(evidence.changes),
  };
}

function findCause({ excess, builder_failure: failure }: Evidence): string | null {
  return excess === undefined ? (failure?.cause ?? null) : nameExcess(excess);
}

/** An extended attribute or a flag changed, which cannot be compared. */
function listAttributeNotes({ count, paths }: Evidence["attributes_touched"]): readonly string[] {
  if (count === 0) return [];
  const subject = count === 1 ? "1 entry was" : `${count} entries were`;
  return [`${subject} touched without a visible change (an extended attribute or a flag): ${shortenList(paths)}.`];
}
