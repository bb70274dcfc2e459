import { type CampaignSettings, EVERY_STORY } from "../../records/campaign.ts";
import { type CampaignIssue, CampaignVerdict } from "../../records/campaign-messages.ts";
import { unreachable } from "../../base/invariant.ts";
import type { Review } from "../../records/review.ts";
import { parseWith } from "../../base/schema-error.ts";
import { describeCheckEnd, isGreenRun } from "../../tick/pure/decisive-words.ts";
import { shorten } from "../../base/shorten.ts";
import { findBase, findReview, findReviewing, findVerification } from "../../tick/pure/tick-facts.ts";
import type { TickState } from "../../tick/pure/tick-state.ts";
import { type CampaignState, openStories } from "./campaign-state.ts";
import { type EndedCampaignTick, failCampaign, failByInfrastructure, describeTickEnd } from "./campaign-tick-end.ts";
import { combineVerdicts, countFailures, isTooManyRequests } from "./verdict-rules.ts";

/** Keeps the answers of an interrupted verification; these verifiers are not asked again. */
export function withAnswers(state: CampaignState, tick: TickState): CampaignState {
  const base = findBase(tick);
  if (base === null) return state;
  const isSame = state.known?.base === base.base_commit;
  const answers = findReview(tick)?.reviews ?? findReviewing(tick)?.answers ?? [];
  const heard = [...(isSame ? (state.known?.reviews ?? []) : []), ...answers];
  const byName = new Map(heard.filter(({ vote }) => vote !== "none").map((review) => [review.name, review]));
  return { ...state, known: { base: base.base_commit, reviews: [...byName.values()] } };
}

export function evolveVerification(ended: EndedCampaignTick): CampaignState {
  const { state, tick, outcome, settings } = ended;
  const [reviewed, verified] = [findReview(tick), findVerification(tick)];
  if (reviewed === null) {
    if (verified === null || verified.findings.length === 0)
      return failByInfrastructure(ended, describeTickEnd(outcome, tick));
    const issue = makeRunnerIssue(
      "commands",
      `The commands changed what they should only check: ${describeTickEnd(outcome, tick)}`,
    );
    return concludeVerification(ended, { verdict: "fail", issues: [issue], summary: issue.description, questions: [] });
  }
  const verdicts = reviewed.reviews.flatMap((review) => readCountedVerdict(review) ?? []);
  if (verdicts.length < settings.verifiers.length)
    return failByInfrastructure(
      { ...ended, state: withAnswers(state, tick) },
      `a verifier left no verdict: ${reviewed.reviews.map(({ cause, explanation }) => cause ?? explanation).join(", ")}`,
    );
  const objections = listFailedChecks(tick);
  const messages = { ...state.messages, verdicts };
  return concludeVerification(
    { ...ended, state: { ...state, messages } },
    {
      verdict: combineVerdicts(
        verdicts.map(({ verdict }) => verdict),
        objections.length > 0,
      ),
      issues: [...objections, ...verdicts.flatMap(({ issues }) => issues)],
      questions: verdicts.flatMap(({ questions }) => questions),
      summary: verdicts.map(({ blocker, summary }) => blocker ?? summary).join(" "),
    },
  );
}

/** A dropped vote is no verdict, whatever its document says. */
function readCountedVerdict({ vote, decision }: Review): CampaignVerdict | null {
  const parsed = parseWith(CampaignVerdict, decision);
  return vote !== "none" && parsed.kind === "valid" ? parsed.value : null;
}

/** No verdict can outweigh a failed check. */
function listFailedChecks(tick: TickState): readonly CampaignIssue[] {
  const verified = findVerification(tick);
  if (verified === null || verified.code === null) return [];
  const red = verified.runs.find((run) => !isGreenRun(run));
  if (red === undefined) return [makeRunnerIssue("commands", `The commands ended with ${verified.code}.`)];
  const words = `The runner ran \`${[red.cmd, ...red.args].join(" ")}\`: it ${describeCheckEnd(red)}.`;
  return [makeRunnerIssue(`command ${red.template_id}`, words)];
}

function makeRunnerIssue(criterion: string, description: string): CampaignIssue {
  return { criterion, severity: "critical", description: shorten(description, 1000), fix_hint: null };
}

interface Conclusion {
  readonly verdict: CampaignVerdict["verdict"];
  readonly issues: readonly CampaignIssue[];
  readonly questions: readonly string[];
  readonly summary: string;
}

function concludeVerification({ state, settings }: EndedCampaignTick, conclusion: Conclusion): CampaignState {
  const [story = EVERY_STORY] = state.due;
  const { verdict, issues, questions, summary } = conclusion;
  const known = { ...state, known: null, restarts: 0, lastResult: verdict, message: summary };
  const next = { ...known, records: withVerification(state, { story, verdict, summary, issues }) };
  switch (verdict) {
    case "pass":
      return passStory(next, settings, story);
    case "fail":
      return failCampaign(next, settings, { issues });
    case "request_info":
      return requestInfo(next, settings, questions);
    case "blocked":
      return { ...next, due: [], status: "blocked" };
    default:
      return unreachable(verdict);
  }
}

function withVerification(
  { records }: CampaignState,
  verification: CampaignState["records"][number]["verifications"][number],
): CampaignState["records"] {
  return records.map((record, index) =>
    index === records.length - 1 ? { ...record, verifications: [...record.verifications, verification] } : record,
  );
}

function passStory(state: CampaignState, settings: CampaignSettings, story: string): CampaignState {
  const ids = settings.stories.map(({ id }) => id);
  const verified = story === EVERY_STORY ? ids : [...new Set([...state.verified, story])];
  const next: CampaignState = {
    ...state,
    verified,
    due: state.due.slice(1),
    chain: [],
    failures: countFailures(state.failures, "pass"),
    isLastTry: false,
    requests: 0,
    contract: null,
  };
  if (story === EVERY_STORY) return { ...next, status: "complete" };
  const isAllVerified = next.due.length === 0 && openStories(next, settings).length === 0;
  return isAllVerified ? { ...next, due: [EVERY_STORY] } : next;
}

/** The next worker answers the questions and claims again. */
function requestInfo(state: CampaignState, { limits }: CampaignSettings, questions: readonly string[]): CampaignState {
  const requests = state.requests + 1;
  const next: CampaignState = { ...state, requests, due: [], contract: { kind: "info", questions } };
  if (!isTooManyRequests(requests, limits)) return next;
  const message = `The verifier asked for information ${requests} times in a row: ${questions.join(" ")}`;
  return { ...next, status: "blocked", message: shorten(message, 2000) };
}
