/**
 * The card of `relais status`, and of `relais` alone.
 *
 * The order is that of urgency: problems, open decisions, the last tick, the budget, and the next command.
 */
import { causeWords } from "../../core/words/cause-words.ts";
import { counted } from "../../core/words/counted.ts";
import { budgetLines } from "../cards/budget-lines.ts";
import { type Canvas, labelled, marked, quotation } from "../text/canvas.ts";
import { cardText } from "../cards/card.ts";
import { ageText } from "../text/duration-text.ts";
import { neutralise } from "../text/neutralise.ts";
import { openSeriesLines } from "../series/open-series-text.ts";
import { oneLine, verdictMark } from "../cards/report-words.ts";
import { rollbackTrouble } from "../cards/rollback-trouble.ts";
import { stateTroubles } from "./state-troubles.ts";
import { statusHeadline } from "./status-headline.ts";
import { statusSteps } from "./status-steps.ts";
import type { Status } from "../../contract/answers/status.ts";

export function statusText(view: Status, canvas: Canvas): string {
  const facts = [
    ...waitingLines(view.waiting ?? [], canvas),
    ...labelled("repository", neutralise(view.repository), canvas),
    ...labelled("branch", view.branch === null ? "none: HEAD is detached" : neutralise(view.branch), canvas),
    ...troubles(view, canvas),
    ...lastTick(view.lastTick, canvas),
    ...openSeriesLines(view.openSeries, canvas),
    ...question(view.question, canvas),
    ...accepted(view.accepted, canvas),
    ...budgetLines(view.budgets, canvas),
    ...planning(view.planTrouble, canvas),
    ...preflight(view.preflight, canvas),
  ];
  const shape = { word: null, why: [], advice: null } as const;
  return cardText({ ...statusHeadline(view), ...shape, facts, next: statusSteps(view) }, canvas);
}

function waitingLines(things: NonNullable<Status["waiting"]>, canvas: Canvas): readonly string[] {
  return things.flatMap(({ what, command }, index) =>
    marked(
      index === 0 ? "waiting" : "",
      { mark: "!", tone: "strong", text: `${neutralise(what)}: ${neutralise(command)}` },
      canvas,
    ),
  );
}

function troubles(view: Status, canvas: Canvas): readonly string[] {
  return [
    ...configTrouble(view.config, canvas),
    ...stateTroubles(view, canvas),
    ...tickTrouble(view, canvas),
  ];
}

function configTrouble(config: Status["config"], canvas: Canvas): readonly string[] {
  if (config.kind === "usable") return [];
  const text =
    config.kind === "missing"
      ? "none yet; only `relais judge` works without one"
      : [config.message, ...config.problems].map(neutralise).join(" ");
  return marked("config", { mark: "✗", tone: "bad", text }, canvas);
}

function tickTrouble(
  { running, unfinished, notPutBack }: Pick<Status, "running" | "unfinished" | "notPutBack">,
  canvas: Canvas,
): readonly string[] {
  if (running !== null) {
    const { runId, pid, secondsAgo, waitsUntil } = running;
    const waits = waitsUntil === null ? "" : `; waiting for a rate limit until ${waitsUntil}`;
    return labelled("running", `${runId}, process ${pid}, started ${ageText(secondsAgo)}${waits}`, canvas);
  }
  if (unfinished === null) return rollbackTrouble(notPutBack, canvas);
  const { runId, phase, secondsAgo } = unfinished;
  const text = `${runId} was interrupted in ${phase.replace("announce_", "")}, ${ageText(secondsAgo)}`;
  return marked("unfinished", { mark: "✗", tone: "bad", text }, canvas);
}

function lastTick(last: Status["lastTick"], canvas: Canvas): readonly string[] {
  if (last === null) return labelled("last tick", "none yet", canvas);
  const { mark, tone } = verdictMark(last);
  const intent = last.intent === null ? "" : `: ${oneLine(last.intent)}`;
  return [
    ...marked("last tick", { mark, tone, text: `${last.code}, ${ageText(last.secondsAgo)}` }, canvas),
    ...labelled("", `${last.runId}${intent}`, canvas),
    ...decision(last).flatMap((text) => labelled("", text, canvas)),
    ...((last.retryAt ?? null) === null
      ? []
      : labelled("", `its service refuses until ${last.retryAt}`, canvas)),
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
    ...marked("question", { mark: "?", tone: "strong", text: `${asked.run_id} ${state}` }, canvas),
    ...quotation([asked.prompt, ...choices].join("\n"), canvas, "  "),
  ];
}

function accepted(waiting: Status["accepted"], canvas: Canvas): readonly string[] {
  if (waiting === null) return [];
  const text = `${counted(waiting.files, "file")} of ${waiting.runId}, not committed`;
  return marked("accepted", { mark: "✓", tone: "good", text }, canvas);
}

function preflight(found: Status["preflight"], canvas: Canvas): readonly string[] {
  if (found === null) return [];
  if (found.kind === "ready")
    return marked("preflight", { mark: "✓", tone: "good", text: "ready for a tick" }, canvas);
  const { code, cause, message } = found;
  const words = causeWords(code, cause);
  return [
    ...marked("preflight", { mark: "✗", tone: "bad", text: `${code}: ${words.meaning}` }, canvas),
    ...(message === null ? [] : labelled("", neutralise(message), canvas)),
    ...labelled("", neutralise(found.remedy ?? words.remedy), canvas),
  ];
}

/** No failure: a task from a file needs no planning. */
function planning(trouble: string | null, canvas: Canvas): readonly string[] {
  if (trouble === null) return [];
  const text = `${oneLine(trouble)} Use \`relais run --task FILE\`.`;
  return marked("planning", { mark: "!", tone: "strong", text }, canvas);
}
