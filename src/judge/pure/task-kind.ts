import type { Change } from "../../records/evidence.ts";
import { type Gate, decideIgnoredFate, type GateInput } from "./gate.ts";

const STILL_KINDS = {
  question: { code: "STOP_QUESTION_SIDE_EFFECTS", rule: "A question must change nothing." },
  verify_only: {
    code: "STOP_VERIFY_ONLY_SIDE_EFFECTS",
    rule: "A verify_only task must change nothing.",
  },
} as const;

export const taskKind: Gate = {
  id: "task-kind",
  refuse: (gateInput) => {
    const kind = gateInput.evidence.rules.task_kind;
    if (kind === null || kind === "execute") return [];
    const { code, rule } = STILL_KINDS[kind];
    return gateInput.evidence.changes
      .filter((change) => countsAgainstTask(gateInput, change))
      .map(({ path }) => ({ code, subject: path, rule, glob: null }));
  },
};

/** A question changes nothing at all. Otherwise ignored paths count if their own rules refuse them: a check may fill its cache. */
function countsAgainstTask(gateInput: GateInput, change: Change): boolean {
  if (change.standing !== "ignored") return true;
  if (gateInput.evidence.rules.task_kind === "question") return true;
  const fate = decideIgnoredFate(gateInput, change).kind;
  return fate === "protected" || fate === "refused";
}
