/**
 * The card of `relais status`, and of `relais` alone.
 *
 * The order is that of urgency: problems, open decisions, the last tick, the budget, and the next command.
 */
import { describeCause } from "../tick/pure/cause-words.ts";
import { countNoun } from "../base/count-noun.ts";
import { BAD, type Canvas, type Fact, GOOD, QUESTION, splitLines, WARNING } from "../base/canvas.ts";
import { renderCard } from "./card.ts";
import { formatAge } from "../base/duration-text.ts";
import { neutralise } from "../base/neutralise.ts";
import { listOpenSeries } from "./open-series-text.ts";
import { joinLines, pickVerdictMark, writeQuestion } from "./report-words.ts";
import { listBudgetFacts } from "./budget-facts.ts";
import { listRollbackTrouble, listStateTroubles } from "./state-troubles.ts";
import { renderStatusHeadline } from "./status-headline.ts";
import { renderStatusSteps } from "./status-steps.ts";
import type { Status } from "../records/status.ts";

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
