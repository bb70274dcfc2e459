/** What the end of a worker's tick means for its campaign. */
import { type CampaignSettings, EVERY_STORY } from "../../contract/workflows/campaign.ts";
import { type CampaignIssue, WorkerWords } from "../../contract/workflows/campaign-messages.ts";
import { parseWith } from "../../contract/schema/schema-error.ts";
import { shortenList } from "../words/quote.ts";
import { findUnfinishedWork } from "../series/left-work.ts";
import { findBuilt, findJudgement, findSettled } from "../tick/tick-facts.ts";
import { type CampaignState, openStories, nameWorkerStory } from "./campaign-state.ts";
import { type EndedTick, failCampaign, failByInfrastructure, quoteWorker } from "./campaign-tick-end.ts";
import { listSortedIssues, listTouchedSince, listUntracedPaths } from "./fix-contract.ts";

export function evolveWorker(ended: EndedTick): CampaignState {
  const { tick, outcome, settings } = ended;
  const words = wordsIn(tick);
  if (words?.kind !== "valid")
    return endedByLimit(ended) ?? failByInfrastructure(ended, `the worker came to no good end: ${whyOf(ended)}`);
  const isGreen = outcome.code === "SUCCESS";
  const isRefused = !isGreen && outcome.code === findJudgement(tick)?.code;
  if (!isGreen && !isRefused) return failByInfrastructure(ended, quoteWorker(outcome, tick));
  const noted = recorded(ended, words.value.signal);
  return isRefused ? refused(ended, noted) : signalled(taken(noted, words.value), settings, words.value);
}

function wordsIn(tick: EndedTick["tick"]) {
  const built = findBuilt(tick);
  return built?.failure === null ? parseWith(WorkerWords, built.data) : null;
}

function refused({ state, outcome, tick }: EndedTick, noted: CampaignState): CampaignState {
  const objection = `The change broke a rule and was put back: ${quoteWorker(outcome, tick)}`;
  return { ...noted, objection, unchanged: state.unchanged + 1, lastResult: "refused", message: objection };
}

function whyOf({ tick, outcome }: EndedTick): string {
  const built = findBuilt(tick);
  const cause = built?.failure?.cause ?? null;
  const words = built?.summary ?? null;
  return cause === null ? quoteWorker(outcome, tick) : `${cause}${words === null ? "" : `: ${words}`}`;
}

/** A session that a limit ended is an iteration, and the next one begins from its work; null where it did not get on. */
function endedByLimit(ended: EndedTick): CampaignState | null {
  const unfinished = findUnfinishedWork(ended.tick);
  if (unfinished === null || unfinished.size === ended.state.unfinished?.size) return null;
  const message = `The worker was ended by a limit, and the next one goes on from what it left: ${whyOf(ended)}`;
  return { ...recorded(ended, null), unfinished, lastResult: "infrastructure", message };
}

/** A new iteration is over, and its log begins. */
function recorded(
  { state, tick, outcome, settings, at }: EndedTick,
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

function taken(state: CampaignState, { memory, context, signal, claim }: WorkerWords): CampaignState {
  return {
    ...state,
    objection: null,
    memory: memory ?? state.memory,
    context: context ?? state.context,
    unchanged: context === null ? state.unchanged + 1 : 0,
    messages: { signal, claim, verdicts: [] },
  };
}

function signalled(
  state: CampaignState,
  settings: CampaignSettings,
  { signal: { status, summary, story }, claim }: WorkerWords,
): CampaignState {
  const next = { ...state, lastResult: status, message: summary };
  if (status === "blocked") return { ...next, status: "blocked" };
  if (status === "continue") return next;
  return untracedFix(next, settings, claim) ?? claimedBy(next, settings, story);
}

/** What a fix that changed too much comes to; null where each change is for an issue. */
function untracedFix(
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
  const issue = untracedIssue(untraced);
  const others = contract.issues.filter(({ criterion }) => criterion !== issue.criterion);
  return failCampaign(state, settings, { issues: [...listSortedIssues(others), issue], found: [issue] });
}

/** Where all is verified at the end, a story that is claimed makes room for the next one. */
function claimedBy(state: CampaignState, settings: CampaignSettings, story: string): CampaignState {
  const isCounted = settings.verify_mode === "batch" && story !== EVERY_STORY;
  const next = isCounted ? { ...state, claimed: [...new Set([...state.claimed, story])] } : state;
  return { ...next, due: dueAfter(next, settings, story) };
}

function dueAfter(state: CampaignState, settings: CampaignSettings, story: string): readonly string[] {
  const open = openStories(state, settings);
  if (open.length === 0) return [EVERY_STORY];
  if (settings.verify_mode === "batch") return story === EVERY_STORY ? [EVERY_STORY] : [];
  return settings.iteration_unit === "all" ? open : open.slice(0, 1);
}

/** The runner's own issue. Its name is the same each time, so that doing it again is noticed. */
function untracedIssue(paths: readonly string[]): CampaignIssue {
  return {
    criterion: "traceability",
    severity: "major",
    description: `These paths changed for no listed issue: ${shortenList(paths)}`.slice(0, 1000),
    fix_hint: null,
  };
}
