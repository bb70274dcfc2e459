/**
 * The task of a worker after a failed verification. The issues are sorted by severity, each with its criterion. A hint
 * is only a suggestion. Every change must be for one of the issues, and the claim says for which.
 */
import type { CampaignClaim, CampaignIssue } from "../../records/campaign-messages.ts";
import type { CampaignState } from "./campaign-state.ts";

const WEIGHT = { critical: 0, major: 1, minor: 2 } as const satisfies Record<CampaignIssue["severity"], number>;

/** The most severe first; among equals in the given order. */
export function listSortedIssues(issues: readonly CampaignIssue[]): readonly CampaignIssue[] {
  return issues.toSorted((one, other) => WEIGHT[one.severity] - WEIGHT[other.severity]);
}

const TRACEABILITY =
  "Traceability: change only what resolves one of these issues. `changes` of your claim names, for each path that you changed, the number of the issue that it is for.";

export function writeFixContract(issues: readonly CampaignIssue[], iteration: number): string {
  const lines = listSortedIssues(issues).map(({ severity, criterion, description, fix_hint }, index) => {
    const hint = fix_hint === null ? "" : ` - fix_hint: (suggestion, non-authoritative) ${fix_hint}`;
    return `${index + 1}. [${severity}] ${criterion}: ${description}${hint}`;
  });
  return [`Fix what the verification of iteration ${iteration} found:`, "", ...lines, "", TRACEABILITY].join("\n");
}

/** A fix may take more than one worker. */
export function listTouchedSince({ records }: Pick<CampaignState, "records">, iteration: number) {
  const kept = records.filter((record) => record.iteration > iteration && record.code === "SUCCESS");
  return [...new Set(kept.flatMap(({ touched }) => touched))];
}

interface TraceFacts {
  /** 0 if there was nothing to fix; then nothing is traced. */
  readonly issues: number;
  readonly changes: CampaignClaim["changes"];
  readonly touched: readonly string[];
}

export function listUntracedPaths({ issues, changes, touched }: TraceFacts): readonly string[] {
  if (issues === 0) return [];
  const traced = new Set(changes.filter(({ issue }) => issue <= issues).map(({ path }) => path));
  return touched.filter((path) => !traced.has(path));
}
