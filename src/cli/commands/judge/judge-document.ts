import { CODES } from "../../../contract/values/codes.ts";
import { unreachable } from "../../../contract/values/invariant.ts";
import type { JudgeOutcome } from "../../../run/judge/judge-request.ts";

/** The one document of `relais judge --json`. Lists are never cut here. */
export function judgeDocument(outcome: Exclude<JudgeOutcome, { readonly kind: "misused" }>): object {
  switch (outcome.kind) {
    case "judged": {
      const { judgement, subject, origin, rules, touchedPaths } = outcome;
      return {
        ...judgement,
        message: null,
        problems: [],
        subject: {
          kind: subject.kind,
          base: subject.base,
          other_bases: subject.otherBases,
          head: subject.head,
        },
        rules_from: origin,
        rules,
        touched_paths: touchedPaths,
      };
    }
    case "blocked": {
      const { cause, message, problems, remedy = CODES.BLOCKED_MISSING_CONFIG.remedy } = outcome;
      return { verdict: "blocked", code: "BLOCKED_MISSING_CONFIG", cause, message, problems, remedy };
    }
    case "unmeasured": {
      const message = `${outcome.what}: ${outcome.detail}`;
      return {
        verdict: "stop",
        code: "STOP_INTERRUPTED",
        cause: "measurement_failed",
        message,
        problems: [],
      };
    }
    default:
      return unreachable(outcome);
  }
}
