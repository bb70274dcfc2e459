import type { Report } from "../records/report.ts";
import { isGreenRun } from "../tick/pure/decisive-words.ts";
import { countNoun, shortenList } from "../base/words.ts";
import type { StartNotice } from "../records/dry-run.ts";
import { type Canvas, renderParagraph } from "../base/canvas.ts";
import { neutralise } from "../base/style.ts";

const AGENTS = {
  claude_code: "Claude Code",
  codex: "Codex",
  command: "the program in builder.command",
  scripted: "a script",
  patch: "a patch",
} as const satisfies Record<StartNotice["agent"], string>;

/** The agent, the limits, what is lifted, and the end of a passing change; a warning, if there is one; a blank line. */
export function renderStartNotice(notice: StartNotice, canvas: Canvas): string {
  const { agent, model, allowedGlobs, liftedPaths, uncommitted, checks, installer } = notice;
  const sentences = [
    `Agent: ${AGENTS[agent]}, ${model === null ? "with its usual model" : `model ${model}`}.`,
    `Scope: ${allowedGlobs.join(", ")}. Checks: ${checks.length === 0 ? "none" : checks.join(", ")}.`,
    ...(liftedPaths.length === 0 ? [] : [`Protected, but named by you, so it may change: ${liftedPaths.join(", ")}.`]),
    ...(uncommitted === 0 ? [] : [`Begins with ${countNoun(uncommitted, "uncommitted file")} of yours.`]),
    `A passing change ${describeSuccess(notice)}; anything else is reverted.`,
    ...(installer === null ? [] : [`! There is no node_modules, so checks may fail: \`${installer} install\` first.`]),
  ];
  return `${sentences.flatMap((line) => renderParagraph(neutralise(line), canvas)).join("\n")}\n\n`;
}

function describeSuccess({ isAsked, isCommitted, branch }: StartNotice): string {
  if (isAsked) return "waits for your decision";
  if (branch !== null) return `is committed on ${branch}, because this branch is protected`;
  return isCommitted ? "is committed" : "waits for `relais accept`";
}

/** Between two tries of a sentence. */
export function renderRepairNotice(
  { verification: { runs }, repair }: Report,
  triesMax: number,
  canvas: Canvas,
): string {
  const red = [...new Set(runs.filter((run) => !isGreenRun(run)).map(({ template_id: id }) => id))];
  const failed = red.length === 0 ? "Nothing changed" : `${shortenList(red)} failed`;
  const number = (repair?.number ?? 1) + 1;
  const line = `${failed}. Trying again from there, try ${number} of ${triesMax}; --repairs 0 leaves this out.`;
  return `${renderParagraph(neutralise(line), canvas).join("\n")}\n\n`;
}
