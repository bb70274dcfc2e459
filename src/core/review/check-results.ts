import type { VerificationRun } from "../../contract/documents/report.ts";

/** How the checks ended, for the prompt of a reviewer or verifier: one line for each, with its name and command. */
export function checkResultLines(runs: readonly VerificationRun[]): readonly string[] {
  if (runs.length === 0) return ["No check was run."];
  return runs.map(({ template_id, exit_code, timed_out, cmd, args }) => {
    const end = timed_out ? "timed out" : `exit status ${exit_code}`;
    return `- ${end}: ${JSON.stringify(template_id)}, command ${JSON.stringify([cmd, ...args].join(" "))}`;
  });
}
