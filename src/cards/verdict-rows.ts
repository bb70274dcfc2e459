/** How the last ticks ended, the newest first. */
import { formatDuration } from "../base/duration-text.ts";
import { joinLines, pickVerdictMark } from "./report-words.ts";
import { type FrameLine, measureRoomBeside, makeRow, makeSpan, spreadCells, type PartPlace } from "./frame-line.ts";
import type { LiveModel, LiveVerdict } from "./live-model.ts";

const INTENT_CHARS = 200;

export function renderVerdictRows(
  { recent }: LiveModel,
  { columns }: Pick<PartPlace, "columns">,
): readonly FrameLine[] {
  return recent
    .toReversed()
    .map((verdict, index) =>
      makeRow(index === 0 ? "last" : "", renderVerdict(verdict, measureRoomBeside(columns)), columns),
    );
}

/** What is green needs no name, and a turn has its own words. */
function renderVerdict({ code, turn, intent, durationMs }: LiveVerdict, columns: number): FrameLine {
  const { mark, tone } = pickVerdictMark({ code, turn });
  const words = intent === null ? "no task" : joinLines(intent.slice(0, INTENT_CHARS));
  const name = turn !== null ? [makeSpan(`${turn}. `)] : code === "SUCCESS" ? [] : [makeSpan(`${code} `, tone)];
  return spreadCells(
    [makeSpan(`${mark} `, tone), ...name, makeSpan(words)],
    [makeSpan(formatDuration(durationMs), "faint")],
    columns,
  );
}
