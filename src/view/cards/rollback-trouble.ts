/** A failed rollback: no tick starts before it is repaired, so it comes first. */
import type { FailedRollback } from "../../contract/answers/status.ts";
import { type Canvas, renderLabelled, renderMarked } from "../text/canvas.ts";
import { formatAge } from "../text/duration-text.ts";
import { joinLines } from "./report-words.ts";

const SHOWN_DIFFERENCES_MAX = 5;

/** Which tick it is, and what is still different. */
export function renderRollbackTrouble(failed: FailedRollback | null, canvas: Canvas): readonly string[] {
  if (failed === null) return [];
  const { runId, secondsAgo, differences } = failed;
  const text = `${runId} could not be reverted, ${formatAge(secondsAgo)}; run \`relais recover\` first`;
  const shown = differences.slice(0, SHOWN_DIFFERENCES_MAX).map(joinLines);
  const more = differences.length - shown.length;
  return [
    ...renderMarked("rollback", { mark: "✗", tone: "bad", text }, canvas),
    ...shown.flatMap((path) => renderLabelled("", `still different: ${path}`, canvas)),
    ...(more === 0 ? [] : renderLabelled("", `and ${more} more`, canvas)),
  ];
}
