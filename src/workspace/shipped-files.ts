/** All shipped schemas. Most of them are large and for people and editors: no tick loads this file. */
import config from "../../schemas/config.schema.json" with { type: "json" };
import goalLedger from "../../schemas/goal_ledger.schema.json" with { type: "json" };
import goalSummary from "../../schemas/goal_summary.schema.json" with { type: "json" };
import campaignContract from "../../schemas/campaign_contract.schema.json" with { type: "json" };
import campaignClaim from "../../schemas/campaign_claim.schema.json" with { type: "json" };
import campaignStatus from "../../schemas/campaign_status.schema.json" with { type: "json" };
import campaignSummary from "../../schemas/campaign_summary.schema.json" with { type: "json" };
import report from "../../schemas/report.schema.json" with { type: "json" };
import state from "../../schemas/state.schema.json" with { type: "json" };
import blocked from "../../schemas/blocked.schema.json" with { type: "json" };
import lock from "../../schemas/lock.schema.json" with { type: "json" };
import event from "../../schemas/event.schema.json" with { type: "json" };
import evidence from "../../schemas/evidence.schema.json" with { type: "json" };
import judgement from "../../schemas/judgement.schema.json" with { type: "json" };
import seriesSummary from "../../schemas/series_summary.schema.json" with { type: "json" };
import handoff from "../../schemas/handoff.schema.json" with { type: "json" };
import notification from "../../schemas/notification.schema.json" with { type: "json" };
import milestoneArchive from "../../schemas/milestone_archive.schema.json" with { type: "json" };
import meta from "../../schemas/meta.schema.json" with { type: "json" };
import tree from "../../schemas/tree.schema.json" with { type: "json" };
import userSettings from "../../schemas/user_settings.schema.json" with { type: "json" };
import { InvariantError } from "../base/errors.ts";
import { SESSION_SCHEMAS } from "./session-files.ts";

export const SHIPPED_SCHEMAS: Readonly<Record<string, object>> = {
  ...SESSION_SCHEMAS,
  "config.schema.json": config,
  "goal_ledger.schema.json": goalLedger,
  "goal_summary.schema.json": goalSummary,
  "campaign_contract.schema.json": campaignContract,
  "campaign_claim.schema.json": campaignClaim,
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
  "handoff.schema.json": handoff,
  "notification.schema.json": notification,
  "milestone_archive.schema.json": milestoneArchive,
  "meta.schema.json": meta,
  "tree.schema.json": tree,
  "user_settings.schema.json": userSettings,
};

export function readShippedSchema(name: string): object {
  const schema = SHIPPED_SCHEMAS[`${name}.schema.json`];
  if (schema === undefined) throw new InvariantError(`there is no schema ${name}`);
  return schema;
}
