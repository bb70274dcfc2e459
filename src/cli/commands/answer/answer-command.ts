import { answerLast } from "../../../run/decisions/answer-last.ts";
import { renderAnswered } from "../../../view/history/decision-text.ts";
import { refuseMisuse, type RunCommand } from "../../framework/command.ts";
import { printFailure, printUnpublished } from "../../answers/refusal-answer.ts";
import type { AnswerOptions } from "./answer-spec.ts";
import { getCanvas } from "../../framework/session-canvas.ts";

const ANSWER_CHARS_MAX = 4000;

/** `relais answer`. */
export const runAnswer: RunCommand<AnswerOptions> = async ({ positionals, options }, session) => {
  const words = options.flag("drop") ? null : (positionals[0] ?? "");
  const mistake = words === null ? dropMistake(positionals) : mistakeIn(words);
  if (mistake !== null) return refuseMisuse(mistake);
  const { cwd, environment, signal } = session;
  const answer = await answerLast({ cwd, environment, signal }, words);
  if (answer.kind !== "answered") return printFailure(answer, session);
  const { runId, question, choice, problems } = answer;
  if (session.json) {
    const recorded = { question, answer: answer.answer, choice, problems };
    session.out(`${JSON.stringify({ run_id: runId, ...recorded })}\n`);
  } else if (session.detail !== "quiet") session.out(renderAnswered(answer, getCanvas(session)));
  printUnpublished(problems, session);
  return { kind: "ended", status: 0 };
};

function dropMistake(positionals: readonly string[]): string | null {
  return positionals.length === 0 ? null : "--drop takes no answer";
}

function mistakeIn(words: string): string | null {
  if (words.trim() === "") return 'an answer is needed: relais answer "TEXT"';
  return words.length > ANSWER_CHARS_MAX ? `an answer has at most ${ANSWER_CHARS_MAX} characters` : null;
}
