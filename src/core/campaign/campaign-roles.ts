import type { Config } from "../../contract/config/config.ts";
import type { CampaignSettings } from "../../contract/workflows/campaign.ts";
import type { RoleSettings } from "../workflow/workflow.ts";
import type { CampaignState } from "./campaign-state.ts";
import { chooseWorkerModel } from "./verdict-rules.ts";

interface RoleFacts {
  readonly config: Config;
  readonly settings: Pick<CampaignSettings, "worker_model" | "verifier_model">;
}

type Played = "builder" | "verifier";

/** The models of the next sessions, as far as anybody or a rule has chosen one. */
export function chooseCampaignModels(
  { contract, isLastTry, failures }: Pick<CampaignState, "contract" | "isLastTry" | "failures">,
  { config, settings }: RoleFacts,
): { readonly worker: string | null; readonly verifier: string | null } {
  const { campaign, roles } = config;
  return {
    worker: chooseWorkerModel({
      named: settings.worker_model ?? roles.builder.model ?? null,
      usual: ofOwnVendor("builder", campaign.worker_model, config),
      upgraded: ofOwnVendor("builder", campaign.upgrade_model, config),
      // A question of the verifier in between neither ends nor adds to a row of failures.
      hasFailed: contract?.kind === "fix" || failures > 0,
      isLastTry,
    }),
    verifier:
      settings.verifier_model ?? roles.verifier.model ?? ofOwnVendor("verifier", campaign.verifier_model, config),
  };
}

/** The names of the settings belong to one vendor, so another vendor's program is given only what a person named. */
function ofOwnVendor(role: Played, model: string, { roles, builder }: Config): string | null {
  return (roles[role].driver ?? builder.default_mode) === "codex" ? null : model;
}

/** What the sessions of a campaign are given besides what the configuration says of their roles. */
export function chooseCampaignRoles(state: CampaignState, facts: RoleFacts): Readonly<Record<Played, RoleSettings>> {
  const { worker, verifier } = chooseCampaignModels(state, facts);
  return { builder: settingsOf("builder", worker, facts), verifier: settingsOf("verifier", verifier, facts) };
}

/**
 * A silent session is looked at again and again before it is given up: it counts as stale after a while, and then has
 * so many times that long to say something.
 */
function settingsOf(role: Played, model: string | null, { config: { campaign, roles } }: RoleFacts): RoleSettings {
  const { heartbeat_stale_seconds, idle_nudge_seconds, max_nudges, iteration_timeout_seconds } = campaign;
  const own = roles[role];
  return {
    ...(model === null ? {} : { model }),
    timeout_seconds: own.timeout_seconds ?? iteration_timeout_seconds,
    idle_timeout_seconds: own.idle_timeout_seconds ?? heartbeat_stale_seconds + idle_nudge_seconds * max_nudges,
  };
}
