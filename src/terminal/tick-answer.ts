import { CODES } from "../base/codes.ts";
import { describeCause } from "../tick/pure/cause-words.ts";
import type { DryRun, PlanDryRun } from "../records/dry-run.ts";
import type { TickAnswer } from "../tick/run-task.ts";
import { renderDryPlan, renderDryRun } from "../cards/judgement-text.ts";
import { renderTickCard } from "../cards/tick-card.ts";
import type { CommandEnd, Session } from "./command.ts";
import { makeDocument, printAnswer } from "./print-answer.ts";
import { printFailure } from "./refusal-answer.ts";

/** Prints the card or the document of a tick and answers with the status of its code. */
export function printTick(answer: TickAnswer, session: Session, repaired: readonly string[] = []): CommandEnd {
  if (answer.kind === "misused") return answer;
  if (answer.kind === "dry" || answer.kind === "dry-plan") return printDryRun(answer, session);
  if (answer.kind !== "ended") return printFailure(answer, session);
  const { report, problems } = answer;
  const status = CODES[report.code].exit;
  const extent = session.detail === "all" ? "verbose" : "card";
  const text = () => renderTickCard(report, { ...session, extent });
  const document = repaired.length === 0 ? report : { ...report, repairs: repaired };
  return printAnswer({ document, text, status, problems }, session);
}

function printDryRun(answer: DryRun | PlanDryRun, session: Session): CommandEnd {
  const { code, cause } = answer.refusal ?? {};
  const refusal = code === undefined ? null : { ...answer.refusal, remedy: describeCause(code, cause ?? null).remedy };
  const fields =
    answer.kind === "dry" ? answer : makeDocument(answer, ["orchestrator", "builder", "promptBytes", "caps"]);
  const { prose } = session;
  return printAnswer(
    {
      document: { would_start: refusal === null, ...fields, refusal },
      text: () => (answer.kind === "dry" ? renderDryRun(answer, prose) : renderDryPlan(answer, prose)),
      status: code === undefined ? 0 : CODES[code].exit,
    },
    session,
  );
}
