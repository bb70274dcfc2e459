/** What is wrong with the files that relais keeps for itself, and what to type about it. */
import type { StateTroubles } from "../../contract/answers/status.ts";
import { type Canvas, marked, type NextStep } from "../text/canvas.ts";
import { ageText } from "../text/duration-text.ts";
import { neutralise } from "../text/neutralise.ts";

export function stateTroubles(
  { damagedLock, missingLines, lost }: StateTroubles,
  canvas: Canvas,
): readonly string[] {
  const troubles: readonly (readonly [string, string | null])[] = [
    ["lock", damagedLock && `${damagedLock.path} is damaged: ${damagedLock.reason}`],
    ["journal", missingLines === 0 ? null : `lines are missing, and there are copies: ${missingLines}`],
    ["lost", lost && `${lost.runId} was cut short, ${ageText(lost.secondsAgo)}; its journal is gone`],
  ];
  return troubles.flatMap(([label, text]) =>
    text === null ? [] : marked(label, { mark: "✗", tone: "bad", text: neutralise(text) }, canvas),
  );
}

/** The one command that helps; null where nothing is wrong. */
export function stateRepair({ damagedLock, missingLines, lost }: StateTroubles): NextStep | null {
  if (damagedLock !== null)
    return {
      command: `rm ${neutralise(damagedLock.path)}`,
      explains: "once you are sure that no relais works here",
    };
  if (lost !== null) return { command: "relais recover", explains: "what is known, and how to go on" };
  if (missingLines > 0) return { command: "relais recover", explains: "bring the lost lines back" };
  return null;
}
