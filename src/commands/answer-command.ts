import { answerLast } from "../decide/answer-last.ts";
import { renderAnswered } from "../cards/decision-text.ts";
import { refuseMisuse, type RunCommand } from "../terminal/command.ts";
import { makeDocument, printAnswer } from "../terminal/print-answer.ts";
import { printFailure } from "../terminal/refusal-answer.ts";
import type { AnswerOptions } from "./answer-spec.ts";

const ANSWER_CHARS_MAX = 4000;

export const runAnswer: RunCommand<AnswerOptions> = async ({ positionals, options }, session) => {
  const words = options.flag("drop") ? null : (positionals[0] ?? "");
  const mistake = words === null ? findDropMistake(positionals) : findAnswerMistake(words);
  if (mistake !== null) return refuseMisuse(mistake);
  const answer = await answerLast(session, { words });
  if (answer.kind !== "answered") return printFailure(answer, session);
  const { problems } = answer;
  const document = makeDocument(answer, ["runId", "question", "answer", "choice", "problems"]);
  return printAnswer({ document, text: () => renderAnswered(answer, session), problems }, session);
};

function findDropMistake(positionals: readonly string[]): string | null {
  return positionals.length === 0 ? null : "--drop takes no answer";
}

function findAnswerMistake(words: string): string | null {
  if (words.trim() === "") return 'an answer is needed: relais answer "TEXT"';
  return words.length > ANSWER_CHARS_MAX ? `an answer has at most ${ANSWER_CHARS_MAX} characters` : null;
}
