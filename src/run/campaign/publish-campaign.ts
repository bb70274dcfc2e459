/** Writes what the folder of a campaign shows: all of it follows from the journal and can be written again. */
import { join } from "node:path";
import {
  CampaignClaim,
  CampaignSignal,
  CampaignVerdict,
} from "../../contract/workflows/campaign-messages.ts";
import { CampaignStatus } from "../../contract/workflows/campaign-files.ts";
import type { CampaignSettings } from "../../contract/workflows/campaign.ts";
import { campaignFolder } from "../../core/campaign/campaign-folder.ts";
import {
  type CampaignState,
  type IterationRecord,
  NEW_CAMPAIGN,
} from "../../core/campaign/campaign-state.ts";
import { campaignStatus } from "../../core/campaign/campaign-status.ts";
import { numbered } from "../../core/campaign/campaign-work.ts";
import { foldCampaign } from "../../core/campaign/fold-campaign.ts";
import { appendText } from "../../io/files/append-text.ts";
import type { Ground } from "../workspace/ground.ts";
import { openPublication, type Publication } from "../workspace/publication.ts";
import type { PublishedSeries } from "../series/series-sitting.ts";
import { CAMPAIGN_FILES, standingSentinel } from "./campaign-files.ts";
import type { CampaignNotebook } from "./campaign-notebook.ts";

/** How an iteration reads for a person. */
export type RenderIteration = (slug: string, record: IterationRecord) => string;

export interface CampaignPages {
  readonly notebook: CampaignNotebook;
  readonly isDebug: boolean;
  readonly render: RenderIteration;
}

/** Answers with what could not be written. */
export async function publishCampaign(
  { repository: { root }, config }: Pick<Ground, "repository" | "config">,
  { seriesId, lines }: PublishedSeries,
  pages: CampaignPages,
): Promise<readonly string[]> {
  const state = lines.filter(({ series_id }) => series_id === seriesId).reduce(foldCampaign, NEW_CAMPAIGN);
  const { settings } = state;
  if (settings === null) return [];
  const directory = join(root, campaignFolder(config.workspace_dir, settings.slug));
  const folder = await openPublication({ root, directory });
  const logs = await openPublication({ root, directory: join(directory, "logs") });
  const sentinel = standingSentinel(directory);
  const status = campaignStatus({ state, settings, config, sentinel });
  await folder.document(CAMPAIGN_FILES.status, CampaignStatus, status);
  if (state.memory !== null) await folder.text(CAMPAIGN_FILES.memory, state.memory);
  if (state.context !== null) await folder.text(CAMPAIGN_FILES.context, state.context);
  await publishMessages(folder, state);
  await publishLogs({ logs, directory, settings }, state, pages);
  return [...folder.problems, ...logs.problems].map(({ path, reason }) => `${path}: ${reason}`);
}

/** The last messages of each kind, as they were read. An iteration begins without a claim and without a verdict. */
async function publishMessages(
  folder: Publication,
  { messages: { signal, claim, verdicts } }: CampaignState,
) {
  await folder.document("iter-signal.json", CampaignSignal, signal);
  await folder.document("done-claim.json", CampaignClaim, claim);
  const [first = null, second = null] = verdicts;
  await folder.document("verify-verdict.json", CampaignVerdict, first);
  await folder.document("verify-verdict.second.json", CampaignVerdict, second);
}

interface LogPlace {
  readonly logs: Publication;
  readonly directory: string;
  readonly settings: CampaignSettings;
}

async function publishLogs(
  { logs, directory, settings: { slug } }: LogPlace,
  { records }: CampaignState,
  { notebook, isDebug, render }: CampaignPages,
): Promise<void> {
  // The one before may have ended in a process that was killed before it could write this.
  for (const record of records.slice(-2))
    await logs.text(`iter-${numbered(record.iteration)}.result.md`, render(slug, record));
  const { prompts, debug } = notebook.take();
  for (const [name, text] of prompts) await logs.text(name, text);
  if (isDebug && debug !== "") await appendText(join(directory, "logs", "debug.log"), debug);
}
