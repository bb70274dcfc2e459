/** What a check says about the work, in the light of the same check before it. */
import type { VerificationRun } from "../../records/report.ts";

export type CheckState = NonNullable<VerificationRun["state"]>;

/** The same check before the build; null where it is not known. */
export function findBaseRun(
  runs: readonly VerificationRun[] | null,
  { template_id: id, args }: Pick<VerificationRun, "template_id" | "args">,
): VerificationRun | null {
  const isSame = (run: VerificationRun): boolean =>
    run.template_id === id && JSON.stringify(run.args) === JSON.stringify(args);
  return runs?.find(isSame) ?? null;
}

export function hasPassed({ exit_code: status }: Pick<VerificationRun, "exit_code">): boolean {
  return status === 0;
}

/** Null where nobody knows how it was before. */
export function classifyRun(run: VerificationRun, base: VerificationRun | null): CheckState | null {
  if (base === null) return null;
  if (hasPassed(run)) return hasPassed(base) ? "passed" : "mended";
  return hasPassed(base) ? "broken" : "red_before";
}
