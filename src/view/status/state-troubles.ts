/** What is wrong with the files that relais keeps for itself, and what to type about it. */
import type { StateTroubles } from "../../contract/answers/status.ts";
import { type Canvas, renderMarked, type NextStep } from "../text/canvas.ts";
import { formatAge } from "../text/duration-text.ts";
import { neutralise } from "../text/neutralise.ts";

export function listStateTroubles(
  { damagedLock, missingLines, lost }: StateTroubles,
  canvas: Canvas,
): readonly string[] {
  const troubles: readonly (readonly [string, string | null])[] = [
    ["lock", damagedLock && `${damagedLock.path} is damaged: ${damagedLock.reason}`],
    ["journal", missingLines === 0 ? null : `${missingLines} lines missing; copies exist`],
    ["lost", lost && `${lost.runId} was interrupted, ${formatAge(lost.secondsAgo)}; its journal is lost`],
  ];
  return troubles.flatMap(([label, text]) =>
    text === null ? [] : renderMarked(label, { mark: "✗", tone: "bad", text: neutralise(text) }, canvas),
  );
}

/** The one command that helps; null where nothing is wrong. */
export function describeStateRepair({ damagedLock, missingLines, lost }: StateTroubles): NextStep | null {
  if (damagedLock !== null)
    return {
      command: `rm ${neutralise(damagedLock.path)}`,
      explains: "after you made sure that no relais runs here",
    };
  if (lost !== null) return { command: "relais recover", explains: "see what is known, and what to do" };
  if (missingLines > 0) return { command: "relais recover", explains: "restore the lost lines" };
  return null;
}
