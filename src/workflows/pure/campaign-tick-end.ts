import { CODES } from "../../base/codes.ts";
import type { CampaignSettings } from "../../records/campaign.ts";
import type { CampaignIssue } from "../../records/campaign-messages.ts";
import { shortenList } from "../../base/quote.ts";
import { shorten } from "../../base/shorten.ts";
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
