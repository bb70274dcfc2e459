/**
 * The judge: evidence in, judgement out. A change is judged by measurements, never by a builder's words. All gates run,
 * because a person wants all reasons at once; the first gate with a finding names the code. A suspicion only holds a
 * change for a person, so every other finding comes first.
 */
import type { Evidence } from "../../records/evidence.ts";
import type { Finding, Judgement } from "../../records/judgement.ts";
import { measureBlastRadius } from "./blast-radius.ts";
import { allowedScope } from "./allowed-scope.ts";
import { builderFailure } from "./builder-failure.ts";
import { diffSize } from "./diff-size.ts";
import { credentials, forbiddenContent, listContentNotes } from "./forbidden-content-gate.ts";
import { forbiddenScope, STARTS_PROGRAMS } from "./forbidden-scope.ts";
import { isSuspicion, listSuspicions } from "../../records/suspicions.ts";
import { type Gate, compileRules } from "./gate.ts";
import { gitMetadata, listGitMetadataNotes } from "./git-metadata.ts";
import { growth, nameExcess } from "./growth-gate.ts";
import { headMoved } from "./head-moved.ts";
import { ignoredFiles, listIgnoredNotes } from "./ignored-files.ts";
import { lockfiles } from "./lockfiles.ts";
import { noChange } from "./no-change.ts";
import { newFiles } from "./new-files.ts";
import { runnerOwned } from "./runner-owned.ts";
import { taskKind } from "./task-kind.ts";
import { uncommittedPaths } from "./uncommitted-paths.ts";
import { unsafePath } from "./unsafe-path.ts";
import { listWeakeningNotes, WEAKENED_CHECKS } from "./weakened-checks-gate.ts";
import { shortenList } from "../../base/words.ts";

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

/** An extended attribute or a flag changed, which cannot be compared. */
function listAttributeNotes({ count, paths }: Evidence["attributes_touched"]): readonly string[] {
  if (count === 0) return [];
  const subject = count === 1 ? "1 entry was" : `${count} entries were`;
  return [`${subject} touched without a visible change (an extended attribute or a flag): ${shortenList(paths)}.`];
}
