import { CAMPAIGN_LIMITS, type CampaignContract, type CampaignSettings } from "../../records/campaign.ts";
import type { Config } from "../../config/config.ts";
import { readNumber } from "./goal-settings.ts";

/** Options as text; null leaves it to the contract, then to the configuration. */
export interface CampaignChoices {
  readonly maxIter: string | null;
  readonly workerModel: string | null;
  readonly verifierModel: string | null;
  readonly verifyMode: string | null;
}

interface SettingsSources {
  readonly contract: CampaignContract;
  readonly campaign: Config["campaign"];
  readonly base: string;
}

export type CampaignChoice =
  | { readonly kind: "chosen"; readonly settings: CampaignSettings }
  | { readonly kind: "refused"; readonly message: string };

const VERIFIERS = ["verifier", "second"] as const;
const MODES = ["per-story", "batch"] as const;

export function chooseCampaignSettings(given: CampaignChoices, sources: SettingsSources): CampaignChoice {
  const { contract, campaign, base } = sources;
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
