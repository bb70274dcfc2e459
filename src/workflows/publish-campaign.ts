/** Publishes the folder of a campaign: all of it follows from the journal and can be written again. */
import { join } from "node:path";
import { CampaignClaim, CampaignSignal, CampaignVerdict } from "../records/campaign-messages.ts";
import { CampaignStatus } from "../records/campaign-files.ts";
import { locateCampaignFolder } from "./pure/campaign-names.ts";
import { type CampaignState, type IterationRecord, NEW_CAMPAIGN } from "./pure/campaign-state.ts";
import { summariseCampaign } from "./pure/campaign-status.ts";
import { labelIteration } from "./pure/campaign-work.ts";
import { foldCampaign } from "./pure/fold-campaign.ts";
import type { Workspace } from "../workspace/workspace.ts";
import { openPublication, type Publication } from "../workspace/publication.ts";
import type { PublishedSeries } from "./series-loop.ts";
import { CAMPAIGN_FILES, findStandingSentinel } from "./campaign-on-disk.ts";
import { listVerifierPrompts } from "./iteration-prompts.ts";

export type RenderIteration = (slug: string, record: IterationRecord) => string;

export async function publishCampaign(
  { repository: { root }, config, stateDirectory }: Pick<Workspace, "repository" | "config" | "stateDirectory">,
  { seriesId, lines }: PublishedSeries,
  render: RenderIteration,
): Promise<readonly string[]> {
  const own = lines.filter(({ series_id }) => series_id === seriesId);
  const state = own.reduce(foldCampaign, NEW_CAMPAIGN);
  const { settings } = state;
  if (settings === null) return [];
  const directory = join(root, locateCampaignFolder(config.workspace_dir, settings.slug));
  const folder = await openPublication(root, directory);
  const logs = await openPublication(root, join(directory, "logs"));
  const sentinel = findStandingSentinel(directory);
  const status = summariseCampaign({ state, settings, config, sentinel });
  await folder.document(CAMPAIGN_FILES.status, CampaignStatus, status);
  if (state.memory !== null) await folder.text(CAMPAIGN_FILES.memory, state.memory);
  if (state.context !== null) await folder.text(CAMPAIGN_FILES.context, state.context);
  await publishMessages(folder, state);
  // The process of the iteration before may have been killed before it could write this.
  for (const record of state.records.slice(-2))
    await logs.text(`iter-${labelIteration(record.iteration)}.result.md`, render(settings.slug, record));
  for (const [name, text] of listVerifierPrompts({ lines: own, settings, stateDirectory })) await logs.text(name, text);
  return [...folder.problems, ...logs.problems];
}

/** An iteration starts without a claim and without a verdict. */
async function publishMessages(folder: Publication, { messages: { signal, claim, verdicts } }: CampaignState) {
  await folder.document("iter-signal.json", CampaignSignal, signal);
  await folder.document("done-claim.json", CampaignClaim, claim);
  const [first = null, second = null] = verdicts;
  await folder.document("verify-verdict.json", CampaignVerdict, first);
  await folder.document("verify-verdict.second.json", CampaignVerdict, second);
}
