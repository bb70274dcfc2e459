/**
 * What a worker is asked to do after a verifier has said no.
 *
 * The issues come in the order of their weight, each with the criterion that it is about. A hint is the verifier's idea
 * and binds nobody. Whatever is changed has to be for one of the issues, and the claim says for which.
 */
import type { CampaignClaim, CampaignIssue } from "../../contract/workflows/campaign-messages.ts";
import type { CampaignState } from "./campaign-state.ts";

const WEIGHT = { critical: 0, major: 1, minor: 2 } as const satisfies Record<CampaignIssue["severity"], number>;

/** The heaviest first; among equals the order in which they were named. */
export function listSortedIssues(issues: readonly CampaignIssue[]): readonly CampaignIssue[] {
  return issues.toSorted((one, other) => WEIGHT[one.severity] - WEIGHT[other.severity]);
}

const TRACEABILITY =
  "Traceability: change only what resolves one of these issues. `changes` of your claim names, for each path that you changed, the number of the issue that it is for.";

/** The numbered list, as the worker gets it. */
export function writeFixContract(issues: readonly CampaignIssue[], iteration: number): string {
  const lines = listSortedIssues(issues).map(({ severity, criterion, description, fix_hint }, index) => {
    const hint = fix_hint === null ? "" : ` - fix_hint: (suggestion, non-authoritative) ${fix_hint}`;
    return `${index + 1}. [${severity}] ${criterion}: ${description}${hint}`;
  });
  return [`Fix what the verification of iteration ${iteration} found:`, "", ...lines, "", TRACEABILITY].join("\n");
}

/** What has changed since an iteration and was kept, each path once: a fix may take more than one worker. */
export function listTouchedSince({ records }: Pick<CampaignState, "records">, iteration: number) {
  const kept = records.filter((record) => record.iteration > iteration && record.code === "SUCCESS");
  return [...new Set(kept.flatMap(({ touched }) => touched))];
}

interface Traced {
  /** How many issues are listed; none where there was nothing to fix, and then nothing has to be traced. */
  readonly issues: number;
  readonly changes: CampaignClaim["changes"];
  /** What was measured to have changed. */
  readonly touched: readonly string[];
}

/** The paths that changed for no listed issue. */
export function listUntracedPaths({ issues, changes, touched }: Traced): readonly string[] {
  if (issues === 0) return [];
  const traced = new Set(changes.filter(({ issue }) => issue <= issues).map(({ path }) => path));
  return touched.filter((path) => !traced.has(path));
}
