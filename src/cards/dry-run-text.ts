import type { DryCaps, DryRun, PlanDryRun } from "../records/dry-run.ts";
import { describeCause } from "../tick/pure/cause-words.ts";
import { countNoun } from "../base/count-noun.ts";
import { formatDollars } from "../base/dollars.ts";
import { type Canvas, renderIndented, renderParagraph } from "../base/canvas.ts";
import { neutralise } from "../base/neutralise.ts";
import { renderFailure } from "./failure-text.ts";

const LISTED_MAX = 20;

/** What a tick would start with, or why it would not start. */
export function renderDryRun(dry: DryRun, canvas: Canvas): string {
  const { refusal, rules, checks, builder, foreseen, prompt, caps } = dry;
  if (refusal !== null) return renderRefusal(refusal, foreseen, canvas);
  const sentences = [
    `Allowed: ${rules.allowed_globs.join(", ")}`,
    `Forbidden: ${rules.forbidden_globs.join(", ")}`,
    `New files: ${nameRight(rules.allow_new_files)}; lockfiles: ${nameRight(rules.allow_lockfile_changes)}`,
    `Limits: ${rules.max_files_touched ?? "no"} files, ${rules.max_lines_changed ?? "no"} lines`,
    `Checks: ${checks.length === 0 ? "none" : checks.join(", ")}`,
    describeCaps(caps),
  ];
  const lines = [
    canvas.style("good", "Ready to start."),
    ...renderParagraph(`Builder: ${neutralise(builder)}`, canvas),
    ...renderForeseen(foreseen, canvas),
    ...sentences.flatMap((line) => renderParagraph(neutralise(line), canvas)),
    ...(prompt === null ? [] : ["Prompt:", ...prompt.split("\n").map((line) => `  ${neutralise(line)}`.trimEnd())]),
  ];
  return `${lines.join("\n")}\n`;
}

const SECONDS_PER_MINUTE = 60;

function describeCaps({ sessions, seconds, turns, dollars }: DryCaps): string {
  const parts = [
    countNoun(sessions, "session"),
    countNoun(Math.ceil(seconds / SECONDS_PER_MINUTE), "minute"),
    ...(turns === null ? [] : [countNoun(turns, "turn")]),
    dollars === null ? "no dollar cap set" : formatDollars(dollars),
  ];
  return `Caps: ${parts.join(", ")}`;
}

const nameRight = (isAllowed: boolean) => (isAllowed ? "allowed" : "not allowed");

function renderForeseen(foreseen: DryRun["foreseen"], canvas: Canvas): readonly string[] {
  if (foreseen === null) return [];
  const { paths, lines_added: added, lines_deleted: deleted } = foreseen;
  const rest = paths.length - LISTED_MAX;
  return [
    `Change: ${countNoun(paths.length, "file")}, +${added}/-${deleted}; all rules pass`,
    ...paths.slice(0, LISTED_MAX).flatMap((path) => renderIndented(neutralise(path), 2, canvas)),
    ...(rest > 0 ? [`  and ${rest} more`] : []),
  ];
}

/** What the orchestrator would be asked, by the sections of its prompt. */
export function renderDryPlan(dry: PlanDryRun, canvas: Canvas): string {
  const { refusal, orchestrator, builder, promptBytes, caps } = dry;
  if (refusal !== null) return renderRefusal(refusal, null, canvas);
  const lines = [
    canvas.style("good", "Ready to start."),
    ...renderParagraph(`Orchestrator: ${neutralise(orchestrator)}; builder: ${neutralise(builder)}`, canvas),
    ...renderParagraph(describeCaps(caps), canvas),
    "Prompt size by section, in bytes:",
    ...Object.entries(promptBytes).map(([name, bytes]) => `  ${name.padEnd(12)} ${bytes}`),
  ];
  return `${lines.join("\n")}\n`;
}

function renderRefusal(
  { code, cause, message }: NonNullable<DryRun["refusal"]>,
  foreseen: DryRun["foreseen"],
  canvas: Canvas,
): string {
  const { meaning, remedy } = describeCause(code, cause);
  const findings = (foreseen?.findings ?? []).slice(0, LISTED_MAX);
  const problems = findings.map(({ subject, rule }) => `${subject}: ${rule}`);
  return renderFailure({ code, message: message ?? meaning, problems, next: `Next: ${remedy}` }, canvas);
}
