/** A change that waits for a person's decision. */
import type { HeldChange } from "../records/held-change.ts";
import { countNoun } from "../base/count-noun.ts";
import { isGreenRun } from "../tick/pure/decisive-words.ts";
import { shorten } from "../base/shorten.ts";
import { renderCard } from "./card.ts";
import { renderPatchLines } from "./patch-lines.ts";
import { joinLines } from "./report-words.ts";
import { BAD, type Canvas, type Fact, GOOD, makeStep, QUESTION, renderQuotation, WARNING } from "../base/canvas.ts";
import { formatLocalMoment } from "../base/duration-text.ts";
import { neutralise } from "../base/neutralise.ts";

const PATHS_SHOWN = 6;
const WORDS_CHARS = 300;

export function renderHeldChange(held: HeldChange, canvas: Canvas): string {
  const { runId, intent, summary, change, until, isCommitted } = held;
  const { files_touched, lines_added, lines_deleted, new_files } = change;
  const fresh = new_files === 0 ? "" : `, ${new_files} new`;
  const facts: readonly Fact[] = [
    ["task", intent && joinLines(shorten(intent, WORDS_CHARS))],
    ["change", `${countNoun(files_touched, "file")}${fresh}, +${lines_added}/-${lines_deleted}`],
    ...listPaths(held),
    ...listChecks(held),
    ["review", held.approvals === 0 ? null : { ...GOOD, text: `${held.approvals} approved` }],
    ["waits", `until ${formatLocalMoment(until, null)}; then it is reverted and kept in salvage`],
  ];
  return renderCard(
    {
      ...QUESTION,
      title: isCommitted ? "Commit this change?" : "Keep this change?",
      why: summary === null ? [] : renderQuotation(shorten(joinLines(summary), WORDS_CHARS), canvas),
      facts,
      advice: "From another terminal:",
      next: [
        makeStep(`relais accept ${runId}`, isCommitted ? "commit it" : "keep it"),
        makeStep(`relais reject ${runId} --reason "..."`, "revert it, and say why"),
      ],
    },
    canvas,
  );
}

/** The keys of the person at this terminal. */
export const HELD_KEYS = "a accept · r reject · e edit · d diff";

export function renderHeldPatch(patch: string, canvas: Canvas): string {
  return `${renderPatchLines(patch, { style: canvas.style, isWhole: true }).join("\n")}\n`;
}

function listPaths({ paths, pathsTotal }: HeldChange): readonly Fact[] {
  const hidden = pathsTotal - Math.min(paths.length, PATHS_SHOWN);
  return [
    ...paths.slice(0, PATHS_SHOWN).map((path): Fact => ["", neutralise(path)]),
    ["", hidden > 0 ? `and ${hidden} more` : null],
  ];
}

function listChecks({ runs, code }: HeldChange): readonly Fact[] {
  if (runs.length === 0) return [["checks", { ...WARNING, text: "none" }]];
  const red = runs.filter((run) => !isGreenRun(run));
  if (red.length === 0 && code === "SUCCESS")
    return [["checks", { ...GOOD, text: `${countNoun(runs.length, "check")} passed` }]];
  const failed = red.map(({ template_id }) => neutralise(template_id)).join(", ");
  return [["checks", { ...BAD, text: failed === "" ? code : `failed: ${failed}` }]];
}
