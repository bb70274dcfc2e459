/**
 * The judge: evidence in, judgement out.
 *
 * A change is judged on what was measured, never on what a builder says it did, and judging is a pure function: a
 * recorded tick can be judged again at any time and must give the same answer. Every gate runs, because a person who
 * reads a refusal wants all of its reasons at once. The order of `GATES` is policy: the first gate with a finding
 * names the code.
 */
import type { Evidence } from "../../contract/evidence/evidence.ts";
import type { Finding, Judgement } from "../../contract/evidence/judgement.ts";
import { blastRadius } from "./blast-radius.ts";
import { allowedScope } from "./allowed-scope.ts";
import { attributeNotes } from "./attribute-notes.ts";
import { builderFailure } from "./builder-failure.ts";
import { diffSize } from "./diff-size.ts";
import { forbiddenScope } from "./forbidden-scope.ts";
import { type Gate, openMatter } from "./gate.ts";
import { gitMetadata, gitMetadataNotes } from "./git-metadata.ts";
import { headMoved } from "./head-moved.ts";
import { ignoredFiles, ignoredNotes } from "./ignored-files.ts";
import { lockfiles } from "./lockfiles.ts";
import { newFiles } from "./new-files.ts";
import { runnerOwned } from "./runner-owned.ts";
import { taskKind } from "./task-kind.ts";
import { unsafePath } from "./unsafe-path.ts";

const GATES: readonly Gate[] = [
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
];

/** Passes the evidence through every gate. Only a builder's failure has a cause besides its code. */
export function judge(evidence: Evidence): Judgement {
  const matter = openMatter(evidence);
  const findings: readonly Finding[] = GATES.flatMap(({ id, refuse }) =>
    refuse(matter).map((refusal) => ({ gate: id, ...refusal })),
  );
  const [first] = findings;
  return {
    verdict: first === undefined ? "success" : "stop",
    code: first?.code ?? "SUCCESS",
    cause: evidence.builder_failure?.cause ?? null,
    findings: [...findings],
    notes: [
      ...gitMetadataNotes(evidence.metadata),
      ...ignoredNotes(matter),
      ...attributeNotes(evidence.attributes_touched),
    ],
    blast_radius: blastRadius(evidence.changes),
  };
}
