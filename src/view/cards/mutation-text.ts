/** What `relais judge --mutate` found: the mutations that no check noticed. */
import type { MutationReport, Survivor } from "../../contract/evidence/mutation-report.ts";
import { countNoun } from "../../core/words/count-noun.ts";
import { type Canvas, renderIndented, renderParagraph } from "../text/canvas.ts";
import { neutralise } from "../text/neutralise.ts";

const SHOWN_CHARS = 40;

export function renderMutation(report: MutationReport | null, canvas: Canvas): readonly string[] {
  if (report === null) return [];
  if (report.skipped !== null)
    return ["", ...renderParagraph(`No mutation was tried: ${neutralise(report.skipped)}.`, canvas)];
  return [
    "",
    ...renderParagraph(describeResult(report), canvas),
    ...report.survivors.flatMap((survivor) => renderIndented(neutralise(describeSurvivor(survivor)), 2, canvas)),
  ];
}

function describeResult({ survivors, tried, possible, out_of_time: isCut, checks }: MutationReport): string {
  const of = tried < possible ? ` (of ${possible} possible)` : "";
  const time = isCut ? " The time ended before all were tried." : "";
  const by = neutralise(checks.join(", "));
  const noticed = survivors.length === 0 ? `${by} noticed each of ${countNoun(tried, "mutation")}` : null;
  return `${noticed ?? `${survivors.length} of ${countNoun(tried, "mutation")} survived ${by}`}${of}.${time}`;
}

function describeSurvivor({ path, line, column, before, after }: Survivor): string {
  return `${path}:${line}:${column} ${show(before)} → ${after === "" ? "removed" : show(after)}`;
}

/** On one line, and not all of a long one. */
function show(text: string): string {
  const line = text.replaceAll(/\s+/gu, " ");
  return `\`${line.length > SHOWN_CHARS ? `${line.slice(0, SHOWN_CHARS - 1)}…` : line}\``;
}
