/** The answers of `relais campaign`. */
import type { CampaignStage, CampaignStatus } from "./campaign-files.ts";
import type { MadeFile } from "./made-file.ts";

export interface MadeCampaign {
  readonly kind: "made";
  readonly slug: string;
  readonly files: readonly MadeFile[];
  readonly problems: readonly string[];
}

export interface StartedStage {
  readonly kind: "on-stage";
  readonly session: string;
  readonly panes: CampaignStage["panes"];
  readonly pid: number | null;
  readonly attach: string;
}

export interface CampaignFacts {
  readonly slug: string;
  /** From the root of the repository. */
  readonly folderPath: string;
  readonly status: CampaignStatus;
  readonly branch: string | null;
  readonly commits: readonly string[];
}
