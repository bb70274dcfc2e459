import type { Code } from "../../contract/values/codes.ts";
import type { TreeIteration } from "../../contract/workflows/tree-iteration.ts";
import { findBuilt, findFindings } from "../tick/tick-facts.ts";
import type { EndedWork } from "../workflow/workflow.ts";

const FINDINGS_MAX = 10;
const CHARS_MAX = 3500;

/** Why an iteration cost an attempt, in words for the next session. */
export function describeFeedback(
  ended: EndedWork,
  { kind, classification }: Pick<TreeIteration, "kind" | "classification">,
): string {
  return linesOf(ended, { kind, classification }).join("\n").slice(0, CHARS_MAX);
}

function linesOf(
  ended: EndedWork,
  { kind, classification }: Pick<TreeIteration, "kind" | "classification">,
): readonly string[] {
  if (ended.outcome.code !== "SUCCESS") return failureLines(ended);
  if (kind === "demand")
    return ["The leaf has no attempts left and was neither taken apart into children nor rewritten."];
  if (kind === "repair") return ["The tree was not repaired: the proposal changed nothing."];
  return idleLines(ended, classification);
}

/** A session that ended well and did not get on. */
function idleLines({ facts }: EndedWork, classification: TreeIteration["classification"]): readonly string[] {
  const built = findBuilt(facts);
  const said = `It said: ${built?.summary ?? "nothing"}`;
  if (built?.data?.["status"] === "retry") return ["The session asked for another attempt.", said];
  if (classification === "decompose")
    return ["Neither the tree nor anything outside the workspace changed, so nothing was done.", said];
  return ["The tree was said to be decomposed, and it was not changed.", said];
}

function failureLines({ action, facts, outcome: { code, cause, message } }: EndedWork): readonly string[] {
  const built = findBuilt(facts);
  const findings = findFindings(facts).slice(0, FINDINGS_MAX);
  const hasReason = built !== null && built.failure !== null && built.summary !== null;
  return [
    `The attempt ended with ${code}${cause === null ? "" : ` (${cause})`}.`,
    action === "rollback" ? "Everything that it changed was put back." : "What it changed is committed.",
    ...(hasReason ? [`Reason: ${built.summary}`] : []),
    ...reviewLines(code, message),
    ...findings.map(({ subject, rule }) => `- ${subject}: ${rule}`),
  ];
}

/** What the reviewers missed, in their words. */
function reviewLines(code: Code, message: string | null): readonly string[] {
  return code === "STOP_REVIEW_REFUSED" && message !== null ? [`The reviewers: ${message}`] : [];
}
