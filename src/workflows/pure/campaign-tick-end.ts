import { CODES } from "../../base/codes.ts";
import type { CampaignSettings } from "../../records/campaign.ts";
import type { CampaignIssue, CampaignClaim } from "../../records/campaign-messages.ts";
import { shortenList, shorten } from "../../base/words.ts";
import { findFindings } from "../../tick/pure/tick-facts.ts";
import type { Outcome, TickState } from "../../tick/pure/tick-state.ts";
import type { EndedTick } from "./series-tick.ts";
import type { CampaignState } from "./campaign-state.ts";
import { decideAfterFail, listCriteria, countFailures, findFixBreaker } from "./verdict-rules.ts";

export type EndedCampaignTick = EndedTick<CampaignState, CampaignSettings>;

const MESSAGE_CHARS = 2000;

/** No work was judged: the session failed, timed out, or left nothing readable. */
export function failByInfrastructure({ state, settings }: EndedCampaignTick, why: string): CampaignState {
  const restarts = state.restarts + 1;
  const next = { ...state, restarts, lastResult: "infrastructure" } as const;
  if (restarts <= settings.limits.max_restarts)
    return { ...next, message: shorten(`It is tried again: ${why}`, MESSAGE_CHARS) };
  const message = shorten(`${restarts} sessions in a row came to nothing. The last one: ${why}`, MESSAGE_CHARS);
  return { ...next, status: "blocked", message };
}

interface FoundIssues {
  readonly issues: readonly CampaignIssue[];
  /** The issues found this time; absent is all. Issues that nobody checked again have not failed again. */
  readonly found?: readonly CampaignIssue[];
}

/** A fix, one last try, or the end. */
export function failCampaign(
  state: CampaignState,
  settings: CampaignSettings,
  { issues, found = issues }: FoundIssues,
): CampaignState {
  const chain = [...state.chain, listCriteria(found)];
  const tripped = findFixBreaker(chain);
  const step = decideAfterFail(tripped, state.isLastTry);
  const named = listCriteria(found).join(", ");
  const next: CampaignState = {
    ...state,
    chain,
    failures: countFailures(state.failures, "fail"),
    requests: 0,
    due: [],
    contract: { kind: "fix", iteration: state.iteration, issues },
    lastResult: "fail",
    message: shorten(`It does not pass yet: ${named}.`, MESSAGE_CHARS),
  };
  if (step === "fix") return next;
  if (step === "last_try")
    return { ...next, isLastTry: true, message: `The breaker ${tripped} grants one more try: ${named}.` };
  return { ...next, status: "blocked", message: `It still fails after the last try: ${named}.` };
}

export function describeTickEnd({ code, cause, message }: Outcome, tick: TickState): string {
  const findings = findFindings(tick);
  const subjects = findings.length === 0 ? "" : ` ${shortenList(findings.map(({ subject }) => subject))}`;
  const words = [code, ...(cause === null ? [] : [`(${cause})`]), message ?? CODES[code].meaning].join(" ");
  return `${words}${subjects}`;
}

/**
 * The task of a worker after a failed verification. The issues are sorted by severity, each with its criterion. A hint
 * is only a suggestion. Every change must be for one of the issues, and the claim says for which.
 */

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

export function listUntracedPaths /** 0 if there was nothing to fix; then nothing is traced. */(
  issues: number,
  changes: CampaignClaim["changes"],
  touched: readonly string[],
): readonly string[] {
  if (issues === 0) return [];
  const traced = new Set(changes.filter(({ issue }) => issue <= issues).map(({ path }) => path));
  return touched.filter((path) => !traced.has(path));
}
