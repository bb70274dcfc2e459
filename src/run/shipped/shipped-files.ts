/** The shipped prompts and schemas, bundled into the executable. A new one must be added here. */
import builderSystemPrompt from "../../../prompts/builder.system.txt";
import builderUserPrompt from "../../../prompts/builder.user.txt";
import orchestratorSystemPrompt from "../../../prompts/orchestrator.system.txt";
import orchestratorUserPrompt from "../../../prompts/orchestrator.user.txt";
import config from "../../../schemas/config.schema.json" with { type: "json" };
import task from "../../../schemas/task.schema.json" with { type: "json" };
import builderResult from "../../../schemas/builder_result.schema.json" with { type: "json" };
import reviewDecision from "../../../schemas/review_decision.schema.json" with { type: "json" };
import goalDecision from "../../../schemas/goal_decision.schema.json" with { type: "json" };
import goalReceipt from "../../../schemas/goal_receipt.schema.json" with { type: "json" };
import goalLedger from "../../../schemas/goal_ledger.schema.json" with { type: "json" };
import goalSummary from "../../../schemas/goal_summary.schema.json" with { type: "json" };
import campaignContract from "../../../schemas/campaign_contract.schema.json" with { type: "json" };
import campaignDraft from "../../../schemas/campaign_draft.schema.json" with { type: "json" };
import campaignSignal from "../../../schemas/campaign_signal.schema.json" with { type: "json" };
import campaignClaim from "../../../schemas/campaign_claim.schema.json" with { type: "json" };
import campaignVerdict from "../../../schemas/campaign_verdict.schema.json" with { type: "json" };
import campaignStatus from "../../../schemas/campaign_status.schema.json" with { type: "json" };
import campaignSummary from "../../../schemas/campaign_summary.schema.json" with { type: "json" };
import report from "../../../schemas/report.schema.json" with { type: "json" };
import state from "../../../schemas/state.schema.json" with { type: "json" };
import blocked from "../../../schemas/blocked.schema.json" with { type: "json" };
import lock from "../../../schemas/lock.schema.json" with { type: "json" };
import event from "../../../schemas/event.schema.json" with { type: "json" };
import evidence from "../../../schemas/evidence.schema.json" with { type: "json" };
import judgement from "../../../schemas/judgement.schema.json" with { type: "json" };
import seriesSummary from "../../../schemas/series_summary.schema.json" with { type: "json" };
import notification from "../../../schemas/notification.schema.json" with { type: "json" };
import milestoneArchive from "../../../schemas/milestone_archive.schema.json" with { type: "json" };
import meta from "../../../schemas/meta.schema.json" with { type: "json" };
import tree from "../../../schemas/tree.schema.json" with { type: "json" };
import nodeTools from "../../../schemas/node_tools.schema.json" with { type: "json" };
import treeResult from "../../../schemas/tree_result.schema.json" with { type: "json" };
import { InvariantError } from "../../contract/values/invariant.ts";

export const SHIPPED_PROMPTS: Readonly<Record<string, string>> = {
  "builder.system.txt": builderSystemPrompt,
  "builder.user.txt": builderUserPrompt,
  "orchestrator.system.txt": orchestratorSystemPrompt,
  "orchestrator.user.txt": orchestratorUserPrompt,
};

export const SHIPPED_SCHEMAS: Readonly<Record<string, object>> = {
  "config.schema.json": config,
  "task.schema.json": task,
  "builder_result.schema.json": builderResult,
  "review_decision.schema.json": reviewDecision,
  "goal_decision.schema.json": goalDecision,
  "goal_receipt.schema.json": goalReceipt,
  "goal_ledger.schema.json": goalLedger,
  "goal_summary.schema.json": goalSummary,
  "campaign_contract.schema.json": campaignContract,
  "campaign_draft.schema.json": campaignDraft,
  "campaign_signal.schema.json": campaignSignal,
  "campaign_claim.schema.json": campaignClaim,
  "campaign_verdict.schema.json": campaignVerdict,
  "campaign_status.schema.json": campaignStatus,
  "campaign_summary.schema.json": campaignSummary,
  "report.schema.json": report,
  "state.schema.json": state,
  "blocked.schema.json": blocked,
  "lock.schema.json": lock,
  "event.schema.json": event,
  "evidence.schema.json": evidence,
  "judgement.schema.json": judgement,
  "series_summary.schema.json": seriesSummary,
  "notification.schema.json": notification,
  "milestone_archive.schema.json": milestoneArchive,
  "meta.schema.json": meta,
  "tree.schema.json": tree,
  "node_tools.schema.json": nodeTools,
  "tree_result.schema.json": treeResult,
};

export function readShippedSchema(name: string): object {
  const schema = SHIPPED_SCHEMAS[`${name}.schema.json`];
  if (schema === undefined) throw new InvariantError(`there is no schema ${name}`);
  return schema;
}
