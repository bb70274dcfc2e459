import type { BudgetUse, FailedRollback, StateTroubles, Status } from "../records/status-answers.ts";
import {
  drawBar,
  type Fact,
  WARNING,
  BAD,
  listFacts,
  makeStep,
  type NextStep,
  GOOD,
  PENDING,
  QUESTION,
  type Sign,
  type Canvas,
  splitLines,
} from "../base/canvas.ts";
import { neutralise } from "../base/style.ts";
import { COUNTERS } from "./budget-rows.ts";
import { formatDollars, countNoun } from "../base/words.ts";
import { formatAge } from "../base/duration-text.ts";
import { joinLines, pickVerdictMark, writeQuestion } from "./report-words.ts";
import { ANSWER, RECOVER, renderRollbackSteps, renderStepsAfterAccept, renderUnblockSteps } from "./next-steps.ts";
import { listOpenSeriesSteps, listOpenSeries } from "./open-series-text.ts";
import { describeCause } from "../tick/pure/cause-words.ts";
import { renderCard } from "./card.ts";
import { sayAgain } from "./decision-text.ts";

/** The budgets of a milestone as bars, for `relais status`. */

/** The spent budget of the milestone, as a share of each cap. */
export function listBudgetFacts(spent: BudgetUse | null): readonly Fact[] {
  if (spent === null) return [];
  const { used, caps, warnAtFraction, milestoneId, warnings = [] } = spent;
  const cap = caps.max_estimated_cost_usd;
  const reported = used.estimated_cost_usd;
  const limit = cap === null ? "" : ` of ${formatDollars(cap)}`;
  return [
    ["milestone", milestoneId === null ? "none yet" : neutralise(milestoneId)],
    ...COUNTERS.map(([name, counter, maximum]): Fact => {
      const [count, most] = [used[counter], caps[maximum]];
      const fraction = most === 0 ? 1 : count / most;
      const tone = fraction >= 1 ? "bad" : fraction >= warnAtFraction ? "strong" : "good";
      return ["budget", { mark: drawBar(count, most), tone, text: `${count} of ${most} ${name}` }];
    }),
    ["cost", reported === 0 && cap === null ? null : `${formatDollars(reported)}${limit} reported`],
    ...warnings.map((text): Fact => ["near a cap", { ...WARNING, text }]),
  ];
}

/** What is wrong with the files of relais, or with the last rollback, and the command that helps. */

export function listStateTroubles({ damagedLock, missingLines, lost }: StateTroubles): readonly Fact[] {
  const troubles: readonly (readonly [string, string | null])[] = [
    ["lock", damagedLock && `${damagedLock.path} is damaged: ${damagedLock.reason}`],
    ["journal", missingLines === 0 ? null : `${missingLines} lines missing; copies exist`],
    ["lost", lost && `${lost.runId} was interrupted, ${formatAge(lost.secondsAgo)}; its journal is lost`],
  ];
  return troubles.map(([label, text]) => [label, text && { ...BAD, text: neutralise(text) }]);
}

/** The one command that helps; null where nothing is wrong. */
export function describeStateRepair({ damagedLock, missingLines, lost }: StateTroubles): NextStep | null {
  if (damagedLock !== null)
    return makeStep(`rm ${neutralise(damagedLock.path)}`, "after you made sure that no relais runs here");
  if (lost !== null) return makeStep("relais recover", "see what is known, and what to do");
  return missingLines > 0 ? makeStep("relais recover", "restore the lost lines") : null;
}

const DIFFERENCES_MAX = 5;

/** A failed rollback: no tick starts before it is repaired. */
export function listRollbackTrouble(failed: FailedRollback | null): readonly Fact[] {
  if (failed === null) return [];
  const { runId, secondsAgo, differences } = failed;
  const text = `${runId} could not be reverted, ${formatAge(secondsAgo)}; run \`relais recover\` first`;
  const different = differences.map((path) => `still different: ${joinLines(path)}`);
  return [["rollback", { ...BAD, text }], ...listFacts("", different, { max: DIFFERENCES_MAX })];
}

/** The status in one sentence: a problem, a decision for you, or the end of the last tick. */

interface Headline extends Sign {
  readonly title: string;
}

export function renderStatusHeadline(view: Status): Headline {
  return describeRunning(view) ?? describeTrouble(view) ?? describeWaiting(view) ?? describeLastEnd(view);
}

function describeRunning({ running }: Status): Headline | null {
  if (running === null) return null;
  if ((running.asksUntil ?? null) !== null) return { ...QUESTION, title: "A change waits for your decision." };
  return { ...PENDING, title: running.waitsUntil === null ? "relais is running here." : "Waiting for a rate limit." };
}

function describeTrouble(status: Status): Headline | null {
  const { unfinished, damagedLock, lost, missingLines, notPutBack, config } = status;
  if (unfinished !== null) return { ...BAD, title: "A tick was interrupted; recover it first." };
  if (damagedLock !== null || lost !== null || missingLines > 0)
    return { ...BAD, title: "The files of relais are damaged." };
  if (notPutBack !== null) return { ...BAD, title: "The repository could not be restored exactly." };
  return config.kind === "unusable" ? { ...BAD, title: "The configuration cannot be used." } : null;
}

function describeWaiting({ question, accepted, openSeries, waiting = [] }: Status): Headline | null {
  if (question !== null && question.answer === null) return { ...QUESTION, title: "A question waits for your answer." };
  if (accepted !== null)
    return { ...GOOD, title: `A change of ${countNoun(accepted.files, "file")} waits: accept or undo.` };
  if (waiting.length > 0) {
    const title = waiting.length === 1 ? "One thing waits for you." : `${waiting.length} things wait for you.`;
    return { ...WARNING, title };
  }
  return openSeries.length === 0 ? null : { ...PENDING, title: "A series can be continued." };
}

/** Where nothing waits: the end of the last tick. Only a preflight knows whether a tick can start. */
function describeLastEnd({ lastTick, preflight, config }: Status): Headline {
  if (preflight?.kind === "blocked") return { ...BAD, title: "Not ready: no tick can start." };
  if (lastTick !== null)
    return {
      ...pickVerdictMark(lastTick),
      title: lastTick.turn == null ? LAST[lastTick.verdict] : `${lastTick.turn}.`,
    };
  if (preflight !== null) return { ...GOOD, title: "Ready for the first tick." };
  const title = config.kind === "missing" ? "No tick has run here yet." : "relais is set up; no tick has run yet.";
  return { ...PENDING, title };
}

const LAST = {
  success: "Last run succeeded.",
  stop: "Last run failed; its changes were reverted.",
  blocked: "Last run could not start.",
} as const;

/** The commands to type now, the most urgent first. */

const SENTENCE = makeStep('relais run "say what to change"', "run one tick; the sentence is the task");

export function renderStatusSteps(view: Status): readonly NextStep[] {
  if (view.running !== null) return listRunningSteps(view.running);
  const resume = listOpenSeriesSteps(view.openSeries, view.branch);
  const repairs = listRepairs(view, resume);
  if (repairs.length > 0) return repairs;
  if (view.config.kind === "unusable") return UNUSABLE;
  if (view.question !== null && view.question.answer === null) return [ANSWER, ...resume];
  if (view.accepted !== null) return renderStepsAfterAccept();
  if (view.preflight?.kind === "blocked") return renderUnblockSteps(view.preflight.code, view.preflight.cause);
  return [...listFirstSteps(view), ...lookBack(view.lastTick), ...resume, ...listTickSteps(view)];
}

function listRunningSteps({ runId, asksUntil = null }: NonNullable<Status["running"]>): readonly NextStep[] {
  const watch = makeStep("relais status --watch", "watch progress");
  if (asksUntil === null) return [watch];
  return [
    makeStep("git diff", "show the change"),
    makeStep(`relais accept ${runId}`, "keep it"),
    makeStep(`relais reject ${runId} --reason "..."`, "revert it, and say why"),
  ];
}

function listRepairs(view: Status, resume: readonly NextStep[]): readonly NextStep[] {
  if (view.unfinished !== null) return [RECOVER, ...resume];
  const repair = describeStateRepair(view);
  if (repair !== null) return [repair];
  return view.notPutBack === null ? [] : renderRollbackSteps(view.notPutBack.runId);
}

/** Before the first tick the most can be missing: a commit, a clean tree, a program. */
function listFirstSteps({ lastTick, preflight }: Status): readonly NextStep[] {
  if (lastTick !== null || preflight !== null) return [];
  return [makeStep("relais status --preflight", "check whether a tick can start")];
}

/** A single tick, unless a series can be continued. */
function listTickSteps({ planTrouble, openSeries, question }: Status): readonly NextStep[] {
  if (question?.again !== undefined) return [sayAgain(question.again, true)];
  if (openSeries.length > 0) return [];
  return [planTrouble === null ? makeStep("relais run", "plan and run one tick") : SENTENCE];
}

const UNUSABLE = [
  makeStep("relais doctor", "find the problem and its fix"),
  makeStep("relais --help", "list all commands"),
];

function lookBack(last: Status["lastTick"]): readonly NextStep[] {
  if (last === null || last.verdict === "success" || last.code === "STOP_QUESTION" || last.turn != null) return [];
  const explains = last.verdict === "blocked" ? "why the last run was blocked" : "why the last run failed";
  return [makeStep(`relais history show ${last.runId}`, explains)];
}

/**
 * The card of `relais status`, and of `relais` alone.
 *
 * The order is that of urgency: problems, open decisions, the last tick, the budget, and the next command.
 */

/** `jobs` are the running ones of the queue. */
export function renderStatus(view: Status, canvas: Canvas, jobs: readonly Fact[] = []): string {
  const facts: readonly Fact[] = [
    ...(view.waiting ?? []).map(({ what, command }): Fact => {
      return ["waiting", { ...WARNING, text: `${neutralise(what)}: ${neutralise(command)}` }];
    }),
    ["repository", neutralise(view.repository)],
    ["branch", view.branch === null ? "none: HEAD is detached" : neutralise(view.branch)],
    ["config", describeConfig(view.config)],
    ...listStateTroubles(view),
    ...listTickTroubles(view),
    ...describeLastTick(view.lastTick),
    ...listOpenSeries(view.openSeries),
    ...describeQuestion(view.question),
    ["accepted", describeAccepted(view.accepted)],
    ...listBudgetFacts(view.budgets),
    ["planning", describePlanTrouble(view.planTrouble)],
    ...describePreflight(view.preflight),
    ...jobs,
  ];
  return renderCard({ ...renderStatusHeadline(view), facts, next: renderStatusSteps(view) }, canvas);
}

function describeConfig(config: Status["config"]): Fact[1] {
  if (config.kind === "usable") return null;
  if (config.kind === "missing") return "none; relais uses what it finds, and `relais init` writes it down";
  return { ...BAD, text: [config.message, ...config.problems].map(neutralise).join(" ") };
}

function listTickTroubles({ running, unfinished, notPutBack }: Status): readonly Fact[] {
  if (running !== null) {
    const { runId, pid, secondsAgo, waitsUntil, isPausing = false } = running;
    const waits = waitsUntil === null ? "" : `; waiting for a rate limit until ${waitsUntil}`;
    return [
      [
        "running",
        `${runId}, process ${pid}, started ${formatAge(secondsAgo)}${waits}${isPausing ? "; pauses after this tick" : ""}`,
      ],
    ];
  }
  if (unfinished === null) return listRollbackTrouble(notPutBack);
  const { runId, phase, secondsAgo } = unfinished;
  const text = `${runId} was interrupted in ${phase.replace("announce_", "")}, ${formatAge(secondsAgo)}`;
  return [["unfinished", { ...BAD, text }]];
}

function describeLastTick(last: Status["lastTick"]): readonly Fact[] {
  if (last === null) return [["last tick", "none yet"]];
  const { intent, commit, isUndone, retryAt = null } = last;
  return [
    ["last tick", { ...pickVerdictMark(last), text: `${last.code}, ${formatAge(last.secondsAgo)}` }],
    ["", last.turn ?? null],
    ["", `${last.runId}${intent === null ? "" : `: ${joinLines(intent)}`}`],
    ["", isUndone ? "undone" : commit && `committed as ${commit.slice(0, 12)}`],
    ["", retryAt && `its service refuses until ${retryAt}`],
  ];
}

function describeQuestion(asked: Status["question"]): readonly Fact[] {
  if (asked === null) return [];
  const state = asked.answer === null ? "waits for your answer" : "is answered; run the next tick";
  return [
    ["question", { ...QUESTION, text: `${asked.run_id} ${state}` }],
    ...splitLines(writeQuestion(asked)).map((text): Fact => ["", { mark: "│", tone: "faint", text }]),
  ];
}

function describeAccepted(waiting: Status["accepted"]): Fact[1] {
  return waiting && { ...GOOD, text: `${countNoun(waiting.files, "file")} of ${waiting.runId}, not committed` };
}

function describePreflight(found: Status["preflight"]): readonly Fact[] {
  if (found === null) return [];
  if (found.kind === "ready") return [["preflight", { ...GOOD, text: "ready for a tick" }]];
  const { code, cause, message } = found;
  const words = describeCause(code, cause);
  return [
    ["preflight", { ...BAD, text: `${code}: ${words.meaning}` }],
    ["", message && neutralise(message)],
    ["", neutralise(found.remedy ?? words.remedy)],
  ];
}

/** No failure: a task from a file needs no planning. */
function describePlanTrouble(trouble: string | null): Fact[1] {
  return trouble && { ...WARNING, text: `${joinLines(trouble)} \`relais run "..."\` needs no plan.` };
}
