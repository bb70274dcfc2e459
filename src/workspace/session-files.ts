/** The shipped prompts and schemas of sessions, bundled into the executable. A new one must be added here. */
import builderSystemPrompt from "../../prompts/builder.system.txt";
import builderUserPrompt from "../../prompts/builder.user.txt";
import orchestratorSystemPrompt from "../../prompts/orchestrator.system.txt";
import orchestratorUserPrompt from "../../prompts/orchestrator.user.txt";
import task from "../../schemas/task.schema.json" with { type: "json" };
import builderResult from "../../schemas/builder_result.schema.json" with { type: "json" };
import reviewDecision from "../../schemas/review_decision.schema.json" with { type: "json" };
import goalDecision from "../../schemas/goal_decision.schema.json" with { type: "json" };
import goalReceipt from "../../schemas/goal_receipt.schema.json" with { type: "json" };
import campaignDraft from "../../schemas/campaign_draft.schema.json" with { type: "json" };
import campaignSignal from "../../schemas/campaign_signal.schema.json" with { type: "json" };
import campaignVerdict from "../../schemas/campaign_verdict.schema.json" with { type: "json" };
import nodeTools from "../../schemas/node_tools.schema.json" with { type: "json" };
import treeResult from "../../schemas/tree_result.schema.json" with { type: "json" };
import { InvariantError } from "../base/errors.ts";

export const SHIPPED_PROMPTS: Readonly<Record<string, string>> = {
  "builder.system.txt": builderSystemPrompt,
  "builder.user.txt": builderUserPrompt,
  "orchestrator.system.txt": orchestratorSystemPrompt,
  "orchestrator.user.txt": orchestratorUserPrompt,
};

export const SESSION_SCHEMAS: Readonly<Record<string, object>> = {
  "task.schema.json": task,
  "builder_result.schema.json": builderResult,
  "review_decision.schema.json": reviewDecision,
  "goal_decision.schema.json": goalDecision,
  "goal_receipt.schema.json": goalReceipt,
  "campaign_draft.schema.json": campaignDraft,
  "campaign_signal.schema.json": campaignSignal,
  "campaign_verdict.schema.json": campaignVerdict,
  "node_tools.schema.json": nodeTools,
  "tree_result.schema.json": treeResult,
};

/** The schema of a result. */
export function readSessionSchema(name: string): object {
  const schema = SESSION_SCHEMAS[`${name}.schema.json`];
  if (schema === undefined) throw new InvariantError(`there is no schema ${name} for sessions`);
  return schema;
}
