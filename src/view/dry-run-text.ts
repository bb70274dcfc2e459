import { CODES, type Code } from "../contract/codes.ts";
import type { Rules } from "../contract/evidence.ts";
import { neutralise } from "./neutralise.ts";
import type { Style } from "./style.ts";

interface DryRunWords {
  readonly refusal: { readonly code: Code; readonly message: string | null } | null;
  readonly rules: Rules;
  readonly checks: readonly string[];
  readonly builder: string;
}

/** What a tick would begin with, or why it would not begin. */
export function dryRunText({ refusal, rules, checks, builder }: DryRunWords, style: Style): string {
  if (refusal !== null) return refusalText(refusal, style);
  const lines = [
    style("good", "The tick could start."),
    `Builder: ${builder}`,
    `Allowed: ${rules.allowed_globs.join(", ")}`,
    `Forbidden: ${rules.forbidden_globs.join(", ")}`,
    `New files: ${rules.allow_new_files ? "allowed" : "not allowed"}; lockfiles: ${rules.allow_lockfile_changes ? "allowed" : "not allowed"}`,
    `Limits: ${rules.max_files_touched ?? "no"} files, ${rules.max_lines_changed ?? "no"} lines`,
    `Checks: ${checks.length === 0 ? "none" : checks.join(", ")}`,
  ];
  return `${lines.map((line) => neutralise(line)).join("\n")}\n`;
}

interface DryPlanWords {
  readonly refusal: DryRunWords["refusal"];
  readonly orchestrator: string;
  readonly builder: string;
  readonly promptBytes: Readonly<Record<string, number>>;
}

/** What the orchestrator would be asked, by the sections of its prompt. */
export function dryPlanText(plan: DryPlanWords, style: Style): string {
  const { refusal, orchestrator, builder, promptBytes } = plan;
  if (refusal !== null) return refusalText(refusal, style);
  const lines = [
    style("good", "The tick could start."),
    `Orchestrator: ${neutralise(orchestrator)}; builder: ${neutralise(builder)}`,
    "Its prompt, in bytes by section:",
    ...Object.entries(promptBytes).map(([name, bytes]) => `  ${name.padEnd(12)} ${bytes}`),
  ];
  return `${lines.join("\n")}\n`;
}

function refusalText(refusal: NonNullable<DryRunWords["refusal"]>, style: Style): string {
  const { verdict, meaning, remedy } = CODES[refusal.code];
  const why = refusal.message ?? meaning;
  return `${style("bad", `${verdict} ${refusal.code}`)}: ${neutralise(why)}\nNext: ${remedy}\n`;
}
