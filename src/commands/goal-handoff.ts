import { handOffGoal } from "../workflows/find-goal.ts";
import { renderPullRequest } from "../cards/goal-report.ts";
import { neutralise } from "../base/style.ts";
import type { RunCommand } from "../terminal/command.ts";
import type { GoalHandoffOptions } from "./goal-spec.ts";
import { printAnswer } from "../terminal/print-answer.ts";
import { printFailure } from "../terminal/refusal-answer.ts";

export const handOff: RunCommand<GoalHandoffOptions> = async ({ positionals, options }, session) => {
  const handed = await handOffGoal({
    ...session,
    goal: positionals[0] ?? null,
    isSquashed: options.flag("squash"),
    branch: options.text("branch"),
    render: renderPullRequest,
  });
  if (handed.kind === "misused") return handed;
  if (handed.kind !== "handed") return printFailure(handed, session);
  const { branch, commit, textPath, problems } = handed;
  const lines = [
    `The branch ${neutralise(branch)} is at ${commit.slice(0, 12)}; nothing was pushed.`,
    `The text of the pull request is in ${neutralise(textPath)}.`,
    `Next: git push -u origin ${neutralise(branch)}`,
    "",
  ];
  const document = { goal_id: handed.goalId, branch, commit, text_path: textPath };
  return printAnswer({ document, text: () => lines.join("\n"), problems, isAsked: true }, session);
};
