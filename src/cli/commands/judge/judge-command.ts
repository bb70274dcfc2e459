import { CODES, type Code } from "../../../contract/values/codes.ts";
import { unreachable } from "../../../contract/values/invariant.ts";
import { judgeChange } from "../../../run/judge/judge-change.ts";
import type { JudgeOutcome } from "../../../run/judge/judge-request.ts";
import { renderFailure } from "../../../view/cards/failure-text.ts";
import { renderJudgement } from "../../../view/cards/judgement-text.ts";
import type { CommandEnd, RunCommand, Session } from "../../framework/command.ts";
import { judgeDocument } from "./judge-document.ts";
import { parseJudgeOptions } from "./judge-options.ts";
import { describeRules, describeSubject } from "./judge-words.ts";
import type { JudgeOptions } from "./judge-spec.ts";

/** `relais judge`. */
export const runJudge: RunCommand<JudgeOptions> = async ({ options }, session) => {
  const parsed = parseJudgeOptions(options);
  if (parsed.kind === "misused") return parsed;
  const { target, taskFile, flags } = parsed;
  const { cwd, environment, signal } = session;
  const outcome = await judgeChange({ cwd, environment, target, taskFile, flags, signal });
  return report(outcome, session);
};

function report(outcome: JudgeOutcome, session: Session): CommandEnd {
  if (outcome.kind === "misused") return outcome;
  if (session.json) session.out(`${JSON.stringify(judgeDocument(outcome))}\n`);
  else speak(outcome, session);
  return { kind: "ended", status: CODES[codeOf(outcome)].exit };
}

type Answer = Exclude<JudgeOutcome, { readonly kind: "misused" }>;

function speak(outcome: Answer, { style, detail, out, err }: Session): void {
  switch (outcome.kind) {
    case "judged": {
      const { judgement, subject, origin } = outcome;
      const words = { judgement, subject: describeSubject(subject), rules: describeRules(origin) };
      return out(renderJudgement(words, { style, detail }));
    }
    case "blocked": {
      const { message, problems, remedy } = outcome;
      const next = remedy === undefined ? {} : { next: `Next: ${remedy}` };
      return err(renderFailure({ code: codeOf(outcome), message, problems, ...next }, style));
    }
    case "unmeasured": {
      const message = `${outcome.what} could not be measured: ${outcome.detail}`;
      return err(renderFailure({ code: codeOf(outcome), message, problems: [] }, style));
    }
    default:
      return unreachable(outcome);
  }
}

function codeOf(outcome: Answer): Code {
  switch (outcome.kind) {
    case "judged":
      return outcome.judgement.code;
    case "blocked":
      return "BLOCKED_MISSING_CONFIG";
    case "unmeasured":
      return "STOP_INTERRUPTED";
    default:
      return unreachable(outcome);
  }
}
