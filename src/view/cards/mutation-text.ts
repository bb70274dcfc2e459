/** The mutations that no check noticed, of `relais judge --mutate` and of a tick. */
import type { Report } from "../../contract/documents/report.ts";
import type { MutationReport } from "../../contract/evidence/mutation-report.ts";
import { describeMutation, describeSurvivor } from "../../core/mutation/mutation-words.ts";
import {
  type Canvas,
  type Fact,
  GOOD,
  listFacts,
  NEUTRAL,
  renderIndented,
  renderParagraph,
  WARNING,
} from "../text/canvas.ts";
import { neutralise } from "../text/neutralise.ts";

export function renderMutation(report: MutationReport | null, canvas: Canvas): readonly string[] {
  if (report === null) return [];
  return [
    "",
    ...renderParagraph(neutralise(describeMutation(report)), canvas),
    ...report.survivors.flatMap((survivor) => renderIndented(neutralise(describeSurvivor(survivor)), 2, canvas)),
  ];
}

/** On the card of a tick: the result, and as many survivors as there is room for. */
export function listMutationFacts({ verification: { mutation } }: Report, max: number): readonly Fact[] {
  if (mutation === undefined) return [];
  const { skipped, survivors } = mutation;
  const mark = skipped === null && survivors.length === 0 ? GOOD : NEUTRAL;
  const first = { ...(survivors.length > 0 ? WARNING : mark), text: neutralise(describeMutation(mutation)) };
  const shown = survivors.slice(0, max).map((survivor) => neutralise(describeSurvivor(survivor)));
  return listFacts("mutations", [first, ...shown], { max: max + 1, total: survivors.length + 1 });
}
