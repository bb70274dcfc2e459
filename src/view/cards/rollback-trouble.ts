/** A failed rollback: no tick starts before it is repaired, so it comes first. */
import type { FailedRollback } from "../../contract/answers/status.ts";
import { type Canvas, labelled, marked } from "../text/canvas.ts";
import { ageText } from "../text/duration-text.ts";
import { oneLine } from "./report-words.ts";

const SHOWN_DIFFERENCES_MAX = 5;

/** Which tick it is, and what is still different. */
export function rollbackTrouble(failed: FailedRollback | null, canvas: Canvas): readonly string[] {
  if (failed === null) return [];
  const { runId, secondsAgo, differences } = failed;
  const text = `${runId} could not be reverted, ${ageText(secondsAgo)}; run \`relais recover\` first`;
  const shown = differences.slice(0, SHOWN_DIFFERENCES_MAX).map(oneLine);
  const more = differences.length - shown.length;
  return [
    ...marked("rollback", { mark: "✗", tone: "bad", text }, canvas),
    ...shown.flatMap((path) => labelled("", `still different: ${path}`, canvas)),
    ...(more === 0 ? [] : labelled("", `and ${more} more`, canvas)),
  ];
}
