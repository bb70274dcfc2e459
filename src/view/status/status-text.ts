/**
 * The card of `relais status`, and of `relais` alone.
 *
 * The order is that of urgency: problems, open decisions, the last tick, the budget, and the next command.
 */
import { describeCause } from "../../core/words/cause-words.ts";
import { countNoun } from "../../core/words/count-noun.ts";
import { renderBudgets } from "../cards/budget-lines.ts";
import { type Canvas, renderLabelled, renderMarked, renderQuotation } from "../text/canvas.ts";
import { renderCard } from "../cards/card.ts";
import { formatAge } from "../text/duration-text.ts";
import { neutralise } from "../text/neutralise.ts";
import { openSeriesLines } from "../series/open-series-text.ts";
import { joinLines, pickVerdictMark } from "../cards/report-words.ts";
import { renderRollbackTrouble } from "../cards/rollback-trouble.ts";
import { listStateTroubles } from "./state-troubles.ts";
import { renderStatusHeadline } from "./status-headline.ts";
import { renderStatusSteps } from "./status-steps.ts";
import type { Status } from "../../contract/answers/status.ts";

export function renderStatus(view: Status, canvas: Canvas): string {
  const facts = [
    ...waitingLines(view.waiting ?? [], canvas),
    ...renderLabelled("repository", neutralise(view.repository), canvas),
    ...renderLabelled("branch", view.branch === null ? "none: HEAD is detached" : neutralise(view.branch), canvas),
    ...troubles(view, canvas),
    ...lastTick(view.lastTick, canvas),
    ...openSeriesLines(view.openSeries, canvas),
    ...question(view.question, canvas),
    ...accepted(view.accepted, canvas),
    ...renderBudgets(view.budgets, canvas),
    ...planning(view.planTrouble, canvas),
    ...preflight(view.preflight, canvas),
  ];
  const shape = { word: null, why: [], advice: null } as const;
  return renderCard({ ...renderStatusHeadline(view), ...shape, facts, next: renderStatusSteps(view) }, canvas);
}

function waitingLines(things: NonNullable<Status["waiting"]>, canvas: Canvas): readonly string[] {
  return things.flatMap(({ what, command }, index) =>
    renderMarked(
      index === 0 ? "waiting" : "",
      { mark: "!", tone: "strong", text: `${neutralise(what)}: ${neutralise(command)}` },
      canvas,
    ),
  );
}

function troubles(view: Status, canvas: Canvas): readonly string[] {
  return [...configTrouble(view.config, canvas), ...listStateTroubles(view, canvas), ...tickTrouble(view, canvas)];
}

function configTrouble(config: Status["config"], canvas: Canvas): readonly string[] {
  if (config.kind === "usable") return [];
  const text =
    config.kind === "missing"
      ? "none yet; only `relais judge` works without one"
      : [config.message, ...config.problems].map(neutralise).join(" ");
  return renderMarked("config", { mark: "✗", tone: "bad", text }, canvas);
}

function tickTrouble(
  { running, unfinished, notPutBack }: Pick<Status, "running" | "unfinished" | "notPutBack">,
  canvas: Canvas,
): readonly string[] {
  if (running !== null) {
    const { runId, pid, secondsAgo, waitsUntil } = running;
    const waits = waitsUntil === null ? "" : `; waiting for a rate limit until ${waitsUntil}`;
    return renderLabelled("running", `${runId}, process ${pid}, started ${formatAge(secondsAgo)}${waits}`, canvas);
  }
  if (unfinished === null) return renderRollbackTrouble(notPutBack, canvas);
  const { runId, phase, secondsAgo } = unfinished;
  const text = `${runId} was interrupted in ${phase.replace("announce_", "")}, ${formatAge(secondsAgo)}`;
  return renderMarked("unfinished", { mark: "✗", tone: "bad", text }, canvas);
}

function lastTick(last: Status["lastTick"], canvas: Canvas): readonly string[] {
  if (last === null) return renderLabelled("last tick", "none yet", canvas);
  const { mark, tone } = pickVerdictMark(last);
  const intent = last.intent === null ? "" : `: ${joinLines(last.intent)}`;
  return [
    ...renderMarked("last tick", { mark, tone, text: `${last.code}, ${formatAge(last.secondsAgo)}` }, canvas),
    ...renderLabelled("", `${last.runId}${intent}`, canvas),
    ...decision(last).flatMap((text) => renderLabelled("", text, canvas)),
    ...((last.retryAt ?? null) === null ? [] : renderLabelled("", `its service refuses until ${last.retryAt}`, canvas)),
  ];
}

/** The decision about its change. */
function decision({ commit, isUndone }: NonNullable<Status["lastTick"]>): readonly string[] {
  if (isUndone) return ["undone"];
  return commit === null ? [] : [`committed as ${commit.slice(0, 12)}`];
}

function question(asked: Status["question"], canvas: Canvas): readonly string[] {
  if (asked === null) return [];
  const state = asked.answer === null ? "waits for your answer" : "is answered; run the next tick";
  const choices = asked.choices.map((choice, index) => `${index + 1}. ${choice}`);
  return [
    ...renderMarked("question", { mark: "?", tone: "strong", text: `${asked.run_id} ${state}` }, canvas),
    ...renderQuotation([asked.prompt, ...choices].join("\n"), canvas, "  "),
  ];
}

function accepted(waiting: Status["accepted"], canvas: Canvas): readonly string[] {
  if (waiting === null) return [];
  const text = `${countNoun(waiting.files, "file")} of ${waiting.runId}, not committed`;
  return renderMarked("accepted", { mark: "✓", tone: "good", text }, canvas);
}

function preflight(found: Status["preflight"], canvas: Canvas): readonly string[] {
  if (found === null) return [];
  if (found.kind === "ready")
    return renderMarked("preflight", { mark: "✓", tone: "good", text: "ready for a tick" }, canvas);
  const { code, cause, message } = found;
  const words = describeCause(code, cause);
  return [
    ...renderMarked("preflight", { mark: "✗", tone: "bad", text: `${code}: ${words.meaning}` }, canvas),
    ...(message === null ? [] : renderLabelled("", neutralise(message), canvas)),
    ...renderLabelled("", neutralise(found.remedy ?? words.remedy), canvas),
  ];
}

/** No failure: a task from a file needs no planning. */
function planning(trouble: string | null, canvas: Canvas): readonly string[] {
  if (trouble === null) return [];
  const text = `${joinLines(trouble)} Use \`relais run --task FILE\`.`;
  return renderMarked("planning", { mark: "!", tone: "strong", text }, canvas);
}
