/** Reads the files of a campaign that people write. */
import { join } from "node:path";
import type * as v from "valibot";
import { CAMPAIGN_LIMITS, type CampaignContract } from "../records/campaign.ts";
import { CampaignCleaned, SENTINELS, type Sentinel } from "../records/campaign-files.ts";
import type { FoldedLines } from "../records/folded-lines.ts";
import { MeasurementError } from "../base/errors.ts";
import { parseWith } from "../base/schema-error.ts";
import type { CampaignTexts } from "./pure/campaign-work.ts";
import { findKnownCampaign, type KnownCampaign } from "./pure/fold-campaign.ts";
import { findContractProblems } from "./pure/lint-contract.ts";
import { readPrd, readTestSpec } from "./pure/prd.ts";
import { isFile, readNow } from "../system/read-files.ts";
import type { Config } from "../config/config.ts";
import { chooseCampaignSettings } from "./pure/campaign-settings.ts";

export const CAMPAIGN_FILES = {
  prd: "prd.md",
  testSpec: "test-spec.md",
  worker: "worker.prompt.md",
  verifier: "verifier.prompt.md",
  memory: "memory.md",
  context: "context-latest.md",
  status: "status.json",
  cleaned: "cleaned.json",
} as const;

export interface CampaignOnDisk {
  readonly contract: CampaignContract;
  /** Why it cannot run, one sentence each. */
  readonly problems: readonly string[];
  readonly texts: Omit<CampaignTexts, "diff">;
}

export function findCampaignOnDisk(folder: string, slug: string): CampaignOnDisk | null {
  const text = (name: string): string | null =>
    readNow(join(folder, name), { bytesMax: CAMPAIGN_LIMITS.documentBytes })?.toString("utf8") ?? null;
  const prd = text(CAMPAIGN_FILES.prd);
  if (prd === null) return null;
  const read = readPrd(prd, slug);
  const spec = readTestSpec(text(CAMPAIGN_FILES.testSpec) ?? "");
  const contract = { ...read.contract, commands: [...spec.commands] };
  return {
    contract,
    problems: [...new Set([...read.problems, ...spec.problems, ...findContractProblems(contract)])],
    texts: {
      worker: text(CAMPAIGN_FILES.worker) ?? "",
      verifier: text(CAMPAIGN_FILES.verifier) ?? "",
      memory: text(CAMPAIGN_FILES.memory) ?? "",
      context: text(CAMPAIGN_FILES.context) ?? "",
    },
  };
}

export function findStandingSentinel(folder: string): Sentinel | null {
  return SENTINELS.find((name) => isFile(join(folder, `${name}.md`))) ?? null;
}

/** The last line of the journal at the last `campaign clean`; -1 if there was none. */
export function findCleanedSeq(folder: string): number {
  return readCleaned(folder)?.seq ?? -1;
}

/** `cleaned.json` of a campaign; null where there is none. */
export function readCleaned(folder: string): CampaignCleaned | null {
  return readCampaignDocument(join(folder, CAMPAIGN_FILES.cleaned), CampaignCleaned);
}

/** The last series of the campaign in this folder. One of an earlier campaign with the same name does not count. */
export function findCampaignSeries(
  journal: FoldedLines,
  { folder, ...wanted }: { readonly folder: string; readonly slug: string; readonly worktree: string },
): KnownCampaign | null {
  return findKnownCampaign(journal, { ...wanted, from: readCleaned(folder)?.planned_seq ?? -1 });
}

/** The settings of a first run without options, before its base is known. */
export function chooseFirstSettings(contract: CampaignContract, { campaign }: Config) {
  const choices = { maxIter: null, workerModel: null, verifierModel: null, verifyMode: null };
  return chooseCampaignSettings(choices, contract, campaign, "0".repeat(40));
}

const DOCUMENT_BYTES_MAX = 1024 * 1024;

/** Null if the document is missing or not valid. */
export function readCampaignDocument<T extends v.GenericSchema>(path: string, schema: T): v.InferOutput<T> | null {
  try {
    const data = readNow(path, { bytesMax: DOCUMENT_BYTES_MAX });
    if (data === null) return null;
    const parsed = parseWith(schema, JSON.parse(data.toString("utf8")));
    return parsed.kind === "valid" ? parsed.value : null;
  } catch (error) {
    if (error instanceof MeasurementError || error instanceof SyntaxError) return null;
    throw error;
  }
}
