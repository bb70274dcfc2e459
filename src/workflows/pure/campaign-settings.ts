import { CAMPAIGN_LIMITS, type CampaignContract, type CampaignSettings } from "../../records/campaign.ts";
import type { Config } from "../../config/config.ts";
import { readNumber } from "./goal-settings.ts";
import type { RoleSettings } from "./workflow.ts";
import type { CampaignState } from "./campaign-state.ts";
import { chooseWorkerModel } from "./verdict-rules.ts";

/** Options as text; null leaves it to the contract, then to the configuration. */
export interface CampaignChoices {
  readonly maxIter: string | null;
  readonly workerModel: string | null;
  readonly verifierModel: string | null;
  readonly verifyMode: string | null;
}

export type CampaignChoice =
  | { readonly kind: "chosen"; readonly settings: CampaignSettings }
  | { readonly kind: "refused"; readonly message: string };

const VERIFIERS = ["verifier", "second"] as const;
const MODES = ["per-story", "batch"] as const;

export function chooseCampaignSettings(
  given: CampaignChoices,
  contract: CampaignContract,
  campaign: Config["campaign"],
  base: string,
): CampaignChoice {
  const maxIter = readNumber(given.maxIter, "--max-iter", [1, CAMPAIGN_LIMITS.iterations]);
  if (typeof maxIter === "string") return { kind: "refused", message: maxIter };
  const verifyMode = MODES.find((mode) => mode === (given.verifyMode ?? "per-story"));
  if (verifyMode === undefined)
    return {
      kind: "refused",
      message: `--verify-mode is per-story or batch, not "${given.verifyMode ?? ""}"`,
    };
  if (contract.iteration_unit === null) return { kind: "refused", message: "the iteration unit is not chosen" };
  const { slug, objective, stories, iteration_unit, commands, complete_when, blocked_when } = contract;
  return {
    kind: "chosen",
    settings: {
      slug,
      objective,
      stories,
      iteration_unit,
      commands,
      complete_when,
      blocked_when,
      base,
      verify_mode: verifyMode,
      max_iterations: maxIter ?? contract.max_iterations ?? campaign.max_iterations,
      worker_model: given.workerModel ?? contract.worker_model,
      verifier_model: given.verifierModel ?? contract.verifier_model,
      verifiers: VERIFIERS.slice(0, campaign.verifiers),
      limits: { ...campaign.breakers, max_restarts: campaign.max_restarts },
    },
  };
}

interface RoleFacts {
  readonly config: Config;
  readonly settings: Pick<CampaignSettings, "worker_model" | "verifier_model">;
}

type SessionRole = "builder" | "verifier";

/** Null where nobody chose a model. */
export function chooseCampaignModels(
  { contract, isLastTry, failures }: Pick<CampaignState, "contract" | "isLastTry" | "failures">,
  { config, settings }: RoleFacts,
): { readonly worker: string | null; readonly verifier: string | null } {
  const { campaign, roles } = config;
  return {
    worker: chooseWorkerModel({
      named: settings.worker_model ?? roles.builder.model ?? null,
      usual: chooseVendorModel("builder", campaign.worker_model, config),
      upgraded: chooseVendorModel("builder", campaign.upgrade_model, config),
      // A question of the verifier in between neither ends nor extends a row of failures.
      hasFailed: contract?.kind === "fix" || failures > 0,
      isLastTry,
    }),
    verifier:
      settings.verifier_model ?? roles.verifier.model ?? chooseVendorModel("verifier", campaign.verifier_model, config),
  };
}

/** The default names belong to one vendor; other programs only get a model that a person named. */
function chooseVendorModel(role: SessionRole, model: string, { roles, builder }: Config): string | null {
  return (roles[role].driver ?? roles.builder.driver ?? builder.default_mode) === "codex" ? null : model;
}

export function chooseCampaignRoles(
  state: CampaignState,
  facts: RoleFacts,
): Readonly<Record<SessionRole, RoleSettings>> {
  const { worker, verifier } = chooseCampaignModels(state, facts);
  return {
    builder: chooseRoleSettings("builder", worker, facts),
    verifier: chooseRoleSettings("verifier", verifier, facts),
  };
}

/** A silent session counts as stale after a while, and then gets a number of notices before it is stopped. */
function chooseRoleSettings(
  role: SessionRole,
  model: string | null,
  { config: { campaign, roles } }: RoleFacts,
): RoleSettings {
  const { heartbeat_stale_seconds, idle_nudge_seconds, max_nudges, iteration_timeout_seconds } = campaign;
  const own = roles[role];
  return {
    ...(model === null ? {} : { model }),
    timeout_seconds: own.timeout_seconds ?? iteration_timeout_seconds,
    idle_timeout_seconds: own.idle_timeout_seconds ?? heartbeat_stale_seconds + idle_nudge_seconds * max_nudges,
  };
}
