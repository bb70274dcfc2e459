/** What decided about a tick that was not green, in one sentence: the file, the rule and the glob, or the red check. */
import type { Finding } from "../../contract/evidence/judgement.ts";
import type { VerificationRun } from "../../contract/documents/report.ts";

interface Decisive {
  readonly findings: readonly Finding[];
  readonly findings_total: number;
  readonly runs: readonly VerificationRun[];
}

/** The words are somebody else's in part, so whoever shows them makes them harmless. Null where nothing is recorded. */
export function decisiveWords({ findings: [first], findings_total, runs }: Decisive): string | null {
  if (first !== undefined) {
    const rest = findings_total > 1 ? ` And ${findings_total - 1} more.` : "";
    return `${first.subject}: ${findingRule(first)}${rest}`;
  }
  const red = runs.find((run) => !isGreenRun(run));
  if (red === undefined) return null;
  const said = red.last_lines?.at(-1);
  return `${red.template_id}: ${redWords(red)}${said === undefined ? "" : `: ${said}`}`;
}

/** The rule that was broken, with the glob that decided where one did. */
export function findingRule({ rule, glob }: Finding): string {
  return glob === null ? rule : `${rule.replace(/\.$/, "")} (glob ${glob}).`;
}

/** Whether a check was green. */
export function isGreenRun({ exit_code, timed_out }: VerificationRun): boolean {
  return exit_code === 0 && !timed_out;
}

/** How a red check ended. */
export function redWords({ exit_code, timed_out }: VerificationRun): string {
  if (timed_out) return "ran out of time";
  return exit_code === -1 ? "did not end by itself" : `exit status ${exit_code}`;
}
