/** What is wrong with the files of relais, or with the last rollback, and the command that helps. */
import type { FailedRollback, StateTroubles } from "../records/status.ts";
import { BAD, type Fact, listFacts, makeStep, type NextStep } from "../base/canvas.ts";
import { formatAge } from "../base/duration-text.ts";
import { neutralise } from "../base/neutralise.ts";
import { joinLines } from "./report-words.ts";

export function listStateTroubles({ damagedLock, missingLines, lost }: StateTroubles): readonly Fact[] {
  const troubles: readonly (readonly [string, string | null])[] = [
    ["lock", damagedLock && `${damagedLock.path} is damaged: ${damagedLock.reason}`],
    ["journal", missingLines === 0 ? null : `${missingLines} lines missing; copies exist`],
    ["lost", lost && `${lost.runId} was interrupted, ${formatAge(lost.secondsAgo)}; its journal is lost`],
  ];
  return troubles.map(([label, text]) => [label, text && { ...BAD, text: neutralise(text) }]);
}

/** The one command that helps; null where nothing is wrong. */
export function describeStateRepair({ damagedLock, missingLines, lost }: StateTroubles): NextStep | null {
  if (damagedLock !== null)
    return makeStep(`rm ${neutralise(damagedLock.path)}`, "after you made sure that no relais runs here");
  if (lost !== null) return makeStep("relais recover", "see what is known, and what to do");
  return missingLines > 0 ? makeStep("relais recover", "restore the lost lines") : null;
}

const DIFFERENCES_MAX = 5;

/** A failed rollback: no tick starts before it is repaired. */
export function listRollbackTrouble(failed: FailedRollback | null): readonly Fact[] {
  if (failed === null) return [];
  const { runId, secondsAgo, differences } = failed;
  const text = `${runId} could not be reverted, ${formatAge(secondsAgo)}; run \`relais recover\` first`;
  const different = differences.map((path) => `still different: ${joinLines(path)}`);
  return [["rollback", { ...BAD, text }], ...listFacts("", different, { max: DIFFERENCES_MAX })];
}
