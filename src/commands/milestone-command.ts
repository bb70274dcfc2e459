import { MilestoneId } from "../base/identifier.ts";
import { parseWith } from "../base/schema-error.ts";
import { renderMilestone } from "../cards/decision-text.ts";
import { openNextMilestone } from "../decide/next-milestone.ts";
import { refuseMisuse, type RunCommand } from "../terminal/command.ts";
import { makeDocument, printAnswer } from "../terminal/print-answer.ts";
import { printFailure } from "../terminal/refusal-answer.ts";

export const openNext: RunCommand = async ({ positionals: [name = null] }, session) => {
  if (name !== null && parseWith(MilestoneId, name).kind !== "valid")
    return refuseMisuse("the name of a milestone has 1 to 80 characters");
  const answer = await openNextMilestone(session, name);
  if (answer.kind !== "opened") return printFailure(answer, session);
  const { problems } = answer;
  const document = makeDocument(answer, ["runId", "milestoneId", "closed", "spent", "problems"]);
  return printAnswer({ document, text: () => renderMilestone(answer, session), problems }, session);
};
