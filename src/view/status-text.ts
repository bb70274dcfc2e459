/**
 * Where things stand, for `relais status` and for `relais` alone.
 *
 * The order is that of urgency: what is wrong, what waits for a person, what happened last, what is left of the budget,
 * and the one command that makes sense now.
 */
import { CODES, type Code } from "../contract/codes.ts";
import type { Report } from "../contract/report.ts";
import type { WorkspaceState } from "../contract/state.ts";
import { counted } from "../core/counted.ts";
import type { Phase } from "../core/tick/tick-state.ts";
import { budgetLines, type BudgetView } from "./budget-lines.ts";
import { type Canvas, labelled, marked, type NextStep, quotation, steps } from "./canvas.ts";
import { ageText } from "./duration-text.ts";
import { neutralise } from "./neutralise.ts";
import { rollbackSteps, stepsAfterAccept, unblockSteps } from "./next-steps.ts";
import { oneLine, verdictMark } from "./report-words.ts";
import { type NotPutBack, rollbackTrouble } from "./rollback-trouble.ts";
import { stateRepair, type StateTroubles, stateTroubles } from "./state-troubles.ts";

/** Everything that the status is made from; the ages are measured by the caller, who has the clock. */
export interface StatusView extends StateTroubles {
  readonly repository: string;
  /** Null where HEAD names no branch. */
  readonly branch: string | null;
  readonly config:
    | { readonly kind: "usable" }
    | { readonly kind: "missing" }
    | { readonly kind: "unusable"; readonly message: string; readonly problems: readonly string[] };
  /** The relais that works here right now. */
  readonly running: { readonly runId: string; readonly pid: number; readonly secondsAgo: number } | null;
  /** A tick that began and never ended. */
  readonly unfinished: {
    readonly runId: string;
    readonly phase: Phase;
    readonly secondsAgo: number;
  } | null;
  readonly notPutBack: NotPutBack | null;
  readonly lastTick: {
    readonly runId: string;
    readonly verdict: Report["verdict"];
    readonly code: Code;
    readonly intent: string | null;
    readonly secondsAgo: number;
    /** The commit that holds its change by now. */
    readonly commit: string | null;
    readonly isUndone: boolean;
  } | null;
  readonly question: WorkspaceState["open_question"];
  /** An accepted change that lies in the worktree and is not committed yet. */
  readonly accepted: { readonly runId: string; readonly files: number; readonly newFiles: number } | null;
  /** Null where there is no configuration. */
  readonly budgets: BudgetView | null;
  /** Why nobody can plan, so that a tick needs a task from a person; null where somebody can. */
  readonly planTrouble: string | null;
  /** What would happen if a tick began now; null where nobody asked. */
  readonly preflight:
    | { readonly kind: "ready" }
    | { readonly kind: "blocked"; readonly code: Code; readonly message: string | null }
    | null;
}

export function statusText(view: StatusView, canvas: Canvas): string {
  const lines = [
    ...labelled("repository", neutralise(view.repository), canvas),
    ...labelled("branch", view.branch === null ? "none: HEAD is detached" : neutralise(view.branch), canvas),
    ...troubles(view, canvas),
    ...lastTick(view.lastTick, canvas),
    ...question(view.question, canvas),
    ...accepted(view.accepted, canvas),
    ...budgetLines(view.budgets, canvas),
    ...planning(view.planTrouble, canvas),
    ...preflight(view.preflight, canvas),
    "",
    "Next:",
    ...steps(nextCommands(view), canvas),
  ];
  return `${lines.join("\n")}\n`;
}

function troubles(view: StatusView, canvas: Canvas): readonly string[] {
  return [
    ...configTrouble(view.config, canvas),
    ...stateTroubles(view, canvas),
    ...tickTrouble(view, canvas),
  ];
}

function configTrouble(config: StatusView["config"], canvas: Canvas): readonly string[] {
  if (config.kind === "usable") return [];
  const text =
    config.kind === "missing"
      ? "there is none yet, so relais can only judge"
      : [config.message, ...config.problems].map(neutralise).join(" ");
  return marked("config", { mark: "✗", tone: "bad", text }, canvas);
}

function tickTrouble(
  { running, unfinished, notPutBack }: Pick<StatusView, "running" | "unfinished" | "notPutBack">,
  canvas: Canvas,
): readonly string[] {
  if (running !== null) {
    const { runId, pid, secondsAgo } = running;
    return labelled("running", `${runId}, process ${pid}, started ${ageText(secondsAgo)}`, canvas);
  }
  if (unfinished === null) return rollbackTrouble(notPutBack, canvas);
  const { runId, phase, secondsAgo } = unfinished;
  const text = `${runId} was cut short in ${phase.replace("announce_", "")}, ${ageText(secondsAgo)}`;
  return marked("unfinished", { mark: "✗", tone: "bad", text }, canvas);
}

function lastTick(last: StatusView["lastTick"], canvas: Canvas): readonly string[] {
  if (last === null) return labelled("last tick", "none yet", canvas);
  const { mark, tone } = verdictMark(last);
  const intent = last.intent === null ? "" : `: ${oneLine(last.intent)}`;
  return [
    ...marked("last tick", { mark, tone, text: `${last.code}, ${ageText(last.secondsAgo)}` }, canvas),
    ...labelled("", `${last.runId}${intent}`, canvas),
    ...decision(last).flatMap((text) => labelled("", text, canvas)),
  ];
}

/** What became of its change after it was over. */
function decision({ commit, isUndone }: NonNullable<StatusView["lastTick"]>): readonly string[] {
  if (isUndone) return ["taken back since"];
  return commit === null ? [] : [`committed as ${commit.slice(0, 12)}`];
}

function question(asked: StatusView["question"], canvas: Canvas): readonly string[] {
  if (asked === null) return [];
  const state = asked.answer === null ? "waits for your answer" : "is answered; the next tick is told";
  const choices = asked.choices.map((choice, index) => `${index + 1}. ${choice}`);
  return [
    ...marked("question", { mark: "?", tone: "strong", text: `the one of ${asked.run_id} ${state}` }, canvas),
    ...quotation([asked.prompt, ...choices].join("\n"), canvas, "  "),
  ];
}

function accepted(waiting: StatusView["accepted"], canvas: Canvas): readonly string[] {
  if (waiting === null) return [];
  const text = `${counted(waiting.files, "file")} of ${waiting.runId} accepted and not committed`;
  return marked("accepted", { mark: "✓", tone: "good", text }, canvas);
}

function preflight(found: StatusView["preflight"], canvas: Canvas): readonly string[] {
  if (found === null) return [];
  if (found.kind === "ready")
    return marked("preflight", { mark: "✓", tone: "good", text: "a tick could start now" }, canvas);
  return [
    ...marked(
      "preflight",
      { mark: "✗", tone: "bad", text: `${found.code}: ${CODES[found.code].meaning}` },
      canvas,
    ),
    ...labelled("", neutralise(found.message ?? CODES[found.code].remedy), canvas),
  ];
}

function nextCommands(view: StatusView): readonly NextStep[] {
  if (view.running !== null) return [{ command: "relais status", explains: "look again" }];
  const repairs = repairSteps(view);
  if (repairs.length > 0) return repairs;
  if (view.config.kind !== "usable") return configSteps(view.config.kind);
  if (view.question !== null && view.question.answer === null)
    return [{ command: 'relais answer "..."', explains: "answer it; the next tick is told" }];
  if (view.accepted !== null) return stepsAfterAccept(view.accepted.newFiles);
  if (view.preflight?.kind === "blocked") return unblockSteps(view.preflight.code);
  return [...lookBack(view.lastTick), nextTick(view)];
}

function repairSteps(view: StatusView): readonly NextStep[] {
  if (view.unfinished !== null)
    return [{ command: "relais recover", explains: "put the repository back, keep the work in salvage" }];
  const repair = stateRepair(view);
  if (repair !== null) return [repair];
  return view.notPutBack === null ? [] : rollbackSteps(view.notPutBack.runId);
}

function nextTick({ planTrouble }: StatusView): NextStep {
  return { command: planTrouble === null ? "relais run" : "relais run --task FILE", explains: "one tick" };
}

/** No failure: a task from a file needs no planning. */
function planning(trouble: string | null, canvas: Canvas): readonly string[] {
  if (trouble === null) return [];
  const text = `${oneLine(trouble)} Give each tick its task.`;
  return marked("planning", { mark: "!", tone: "strong", text }, canvas);
}

function configSteps(kind: "missing" | "unusable"): readonly NextStep[] {
  const help = { command: "relais --help", explains: "all commands" };
  return kind === "missing"
    ? [{ command: "relais init", explains: "write a configuration that fits this repository" }, help]
    : [{ command: "relais doctor", explains: "what is wrong, and how to mend it" }, help];
}

function lookBack(last: StatusView["lastTick"]): readonly NextStep[] {
  if (last === null || last.verdict === "success") return [];
  const explains =
    last.verdict === "blocked" ? "why the last tick was blocked" : "why the last tick was not kept";
  return [{ command: `relais history show ${last.runId}`, explains }];
}
