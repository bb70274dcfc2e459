/**
 * The output of held-out checks, for a person only. It stays in the state directory: agents read the reports, the ledger
 * and the history of the workspace.
 */
import { join } from "node:path";
import type { Report, VerificationRun } from "../records/report.ts";
import { isGreenRun } from "../tick/pure/decisive-words.ts";
import { takeLastLines } from "../records/last-lines.ts";
import { readNow } from "../system/read-files.ts";

export const HELD_OUT_LOG = "held-out.log";
const TAIL_BYTES = 64 * 1024;

/** The run with the last lines of its output, if it is a held-out one that failed. */
export function addHeldOutLines(run: VerificationRun, runDirectory: string): VerificationRun {
  if (run.held_out !== true || run.last_lines !== undefined || isGreenRun(run)) return run;
  const tail =
    readNow(join(runDirectory, HELD_OUT_LOG), { bytesMax: TAIL_BYTES, isTail: true })?.toString("utf8") ?? "";
  // The one that failed is the last one.
  const [last = ""] = tail.split(/^=== slow .*\n/mu).slice(-1);
  const lines = takeLastLines(last.slice(0, Math.max(0, last.lastIndexOf("\n=== "))));
  return lines.length === 0 ? run : { ...run, last_lines: lines };
}

/** The report for a person; the one in the workspace is for agents, too. */
export function completeForPerson(report: Report, runDirectory: string): Report {
  const runs = report.verification.runs.map((run) => addHeldOutLines(run, runDirectory));
  return { ...report, verification: { ...report.verification, runs } };
}
