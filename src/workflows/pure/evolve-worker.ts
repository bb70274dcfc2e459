import { type CampaignSettings, EVERY_STORY } from "../../records/campaign.ts";
import { type CampaignIssue, WorkerWords } from "../../records/campaign-messages.ts";
import { parseWith } from "../../base/schema-error.ts";
import { describeRejection } from "../../tick/pure/rejection-words.ts";
import { shortenList } from "../../base/quote.ts";
import { findUnfinishedWork } from "./left-work.ts";
import { findBuilt, findJudgement, findSettled } from "../../tick/pure/tick-facts.ts";
import { type CampaignState, openStories, nameWorkerStory } from "./campaign-state.ts";
import { type EndedCampaignTick, failCampaign, failByInfrastructure, describeTickEnd } from "./campaign-tick-end.ts";
import { listSortedIssues, listTouchedSince, listUntracedPaths } from "./fix-contract.ts";

export function evolveWorker(ended: EndedCampaignTick): CampaignState {
  const { tick, outcome, settings } = ended;
  const words = readWorkerWords(tick);
  if (words?.kind !== "valid")
    return continueAfterLimit(ended) ?? failByInfrastructure(ended, `the worker failed: ${describeFailure(ended)}`);
  const isGreen = outcome.code === "SUCCESS";
  const isRefused = outcome.code === "STOP_REJECTED" || (!isGreen && outcome.code === findJudgement(tick)?.code);
  if (!isGreen && !isRefused) return failByInfrastructure(ended, describeTickEnd(outcome, tick));
  const noted = recordIteration(ended, words.value.signal);
  return isRefused ? refuseChange(ended, noted) : applySignal(takeNotes(noted, words.value), settings, words.value);
}

function readWorkerWords(tick: EndedCampaignTick["tick"]) {
  const built = findBuilt(tick);
  return built?.failure === null ? parseWith(WorkerWords, built.data) : null;
}

function refuseChange({ state, outcome, tick }: EndedCampaignTick, noted: CampaignState): CampaignState {
  const objection =
    outcome.code === "STOP_REJECTED"
      ? describeRejection(outcome.message)
      : `The change broke a rule and was reverted: ${describeTickEnd(outcome, tick)}`;
  return { ...noted, objection, unchanged: state.unchanged + 1, lastResult: "refused", message: objection };
}

function describeFailure({ tick, outcome }: EndedCampaignTick): string {
  const built = findBuilt(tick);
  const cause = built?.failure?.cause ?? null;
  const words = built?.summary ?? null;
  return cause === null ? describeTickEnd(outcome, tick) : `${cause}${words === null ? "" : `: ${words}`}`;
}

/** The next iteration starts from this work; null if the session made no progress. */
function continueAfterLimit(ended: EndedCampaignTick): CampaignState | null {
  const unfinished = findUnfinishedWork(ended.tick);
  if (unfinished === null || unfinished.size === ended.state.unfinished?.size) return null;
  const message = `A limit ended the worker, and the next one continues its work: ${describeFailure(ended)}`;
  return { ...recordIteration(ended, null), unfinished, lastResult: "infrastructure", message };
}

function recordIteration(
  { state, tick, outcome, settings, at }: EndedCampaignTick,
  signal: Pick<WorkerWords["signal"], "status" | "summary"> | null,
): CampaignState {
  const iteration = state.iteration + 1;
  const judged = findJudgement(tick);
  const record = {
    iteration,
    at,
    story: nameWorkerStory(state, settings),
    signal: signal === null ? null : { status: signal.status, summary: signal.summary },
    code: outcome.code,
    commit: findSettled(tick)?.commit ?? null,
    touched: judged?.touched_paths ?? [],
    linesAdded: judged?.blast_radius.lines_added ?? 0,
    linesDeleted: judged?.blast_radius.lines_deleted ?? 0,
    verifications: [],
  };
  return { ...state, iteration, restarts: 0, unfinished: null, records: [...state.records, record] };
}

function takeNotes(state: CampaignState, { memory, context, signal, claim }: WorkerWords): CampaignState {
  return {
    ...state,
    objection: null,
    memory: memory ?? state.memory,
    context: context ?? state.context,
    unchanged: context === null ? state.unchanged + 1 : 0,
    messages: { signal, claim, verdicts: [] },
  };
}

function applySignal(
  state: CampaignState,
  settings: CampaignSettings,
  { signal: { status, summary, story }, claim }: WorkerWords,
): CampaignState {
  const next = { ...state, lastResult: status, message: summary };
  if (status === "blocked") return { ...next, status: "blocked" };
  if (status === "continue") return next;
  return failUntracedFix(next, settings, claim) ?? claimStory(next, settings, story);
}

/** Null if each change is for an issue. */
function failUntracedFix(
  state: CampaignState,
  settings: CampaignSettings,
  claim: WorkerWords["claim"],
): CampaignState | null {
  const { contract } = state;
  if (contract?.kind !== "fix") return null;
  const touched = listTouchedSince(state, contract.iteration);
  const untraced = listUntracedPaths({
    issues: contract.issues.length,
    changes: claim?.changes ?? [],
    touched,
  });
  if (untraced.length === 0) return null;
  const issue = makeUntracedIssue(untraced);
  const others = contract.issues.filter(({ criterion }) => criterion !== issue.criterion);
  return failCampaign(state, settings, { issues: [...listSortedIssues(others), issue], found: [issue] });
}

function claimStory(state: CampaignState, settings: CampaignSettings, story: string): CampaignState {
  const isCounted = settings.verify_mode === "batch" && story !== EVERY_STORY;
  const next = isCounted ? { ...state, claimed: [...new Set([...state.claimed, story])] } : state;
  return { ...next, due: listDueAfterClaim(next, settings, story) };
}

function listDueAfterClaim(state: CampaignState, settings: CampaignSettings, story: string): readonly string[] {
  const open = openStories(state, settings);
  if (open.length === 0) return [EVERY_STORY];
  if (settings.verify_mode === "batch") return story === EVERY_STORY ? [EVERY_STORY] : [];
  return settings.iteration_unit === "all" ? open : open.slice(0, 1);
}

/** Its name is always the same, so that a repetition is noticed. */
function makeUntracedIssue(paths: readonly string[]): CampaignIssue {
  return {
    criterion: "traceability",
    severity: "major",
    description: `These paths changed for no listed issue: ${shortenList(paths)}`.slice(0, 1000),
    fix_hint: null,
  };
}
