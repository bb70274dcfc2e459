import type { DryRun, PlanDryRun } from "../../contract/answers/dry-run.ts";
import { CODES } from "../../contract/values/codes.ts";
import { describeCause } from "../../core/words/cause-words.ts";
import { neutralise } from "../text/neutralise.ts";
import type { Style } from "../text/style.ts";

const LISTED_MAX = 20;

/** What a tick would begin with, or why it would not begin. */
export function renderDryRun(words: DryRun, style: Style): string {
  const { refusal, rules, checks, builder, foreseen } = words;
  if (refusal !== null) return renderRefusal(refusal, style, foreseen?.findings);
  const lines = [
    style("good", "Ready to start."),
    `Builder: ${builder}`,
    ...renderForeseen(foreseen),
    `Allowed: ${rules.allowed_globs.join(", ")}`,
    `Forbidden: ${rules.forbidden_globs.join(", ")}`,
    `New files: ${rules.allow_new_files ? "allowed" : "not allowed"}; lockfiles: ${rules.allow_lockfile_changes ? "allowed" : "not allowed"}`,
    `Limits: ${rules.max_files_touched ?? "no"} files, ${rules.max_lines_changed ?? "no"} lines`,
    `Checks: ${checks.length === 0 ? "none" : checks.join(", ")}`,
  ];
  return `${lines.map((line) => neutralise(line)).join("\n")}\n`;
}

function renderForeseen(foreseen: DryRun["foreseen"]): readonly string[] {
  if (foreseen === null) return [];
  const { paths, lines_added: added, lines_deleted: deleted } = foreseen;
  const rest = paths.length - LISTED_MAX;
  return [
    `Change: ${paths.length} ${paths.length === 1 ? "file" : "files"}, +${added}/-${deleted}; all rules pass`,
    ...paths.slice(0, LISTED_MAX).map((path) => `  ${path}`),
    ...(rest > 0 ? [`  and ${rest} more`] : []),
  ];
}

/** What the orchestrator would be asked, by the sections of its prompt. */
export function renderDryPlan(plan: PlanDryRun, style: Style): string {
  const { refusal, orchestrator, builder, promptBytes } = plan;
  if (refusal !== null) return renderRefusal(refusal, style);
  const lines = [
    style("good", "Ready to start."),
    `Orchestrator: ${neutralise(orchestrator)}; builder: ${neutralise(builder)}`,
    "Prompt size by section, in bytes:",
    ...Object.entries(promptBytes).map(([name, bytes]) => `  ${name.padEnd(12)} ${bytes}`),
  ];
  return `${lines.join("\n")}\n`;
}

function renderRefusal(
  { code, cause, message }: NonNullable<DryRun["refusal"]>,
  style: Style,
  findings: readonly { readonly subject: string; readonly rule: string }[] = [],
): string {
  const { meaning, remedy } = describeCause(code, cause);
  const head = `${style("bad", `${CODES[code].verdict} ${code}`)}: ${neutralise(message ?? meaning)}\n`;
  const reasons = findings.slice(0, LISTED_MAX).map(({ subject, rule }) => `  ${neutralise(`${subject}: ${rule}`)}\n`);
  return `${head}${reasons.join("")}Next: ${remedy}\n`;
}
