/** Writes the missing files of a campaign, and lists what is missing from its contract. Existing files stay. */
import type { MadeFile } from "../../contract/answers/made-file.ts";
import { join } from "node:path";
import type { CampaignContract } from "../../contract/workflows/campaign.ts";
import type { CampaignCleaned, CampaignStatus } from "../../contract/workflows/campaign-files.ts";
import { locateCampaignFolder } from "../../core/campaign/campaign-folder.ts";
import { chooseCampaignSettings } from "../../core/campaign/campaign-settings.ts";
import { NEW_CAMPAIGN } from "../../core/campaign/campaign-state.ts";
import { summariseCampaign } from "../../core/campaign/campaign-status.ts";
import { openContract, scaffoldTexts } from "../../core/campaign/prd-text.ts";
import { readClockMs } from "../../io/machine/clock.ts";
import { isFolder } from "../../io/files/is-folder.ts";
import { writeNow } from "../../io/files/write-now.ts";
import { makeFolders } from "../../io/files/make-folders.ts";
import { createFile, findObstacle } from "../../io/workspace/workspace-files.ts";
import { type CommandFailure, type NotReady, refuseNotReady } from "../../contract/answers/command-failure.ts";
import { requireConfig } from "../workspace/open-workspace.ts";
import { withWorkspace } from "../workspace/with-workspace.ts";
import type { Project, WorkspaceRequest } from "../workspace/workspace.ts";
import { CAMPAIGN_FILES, findCampaignOnDisk } from "./campaign-files.ts";

export interface MadeCampaign {
  readonly kind: "made";
  readonly slug: string;
  readonly files: readonly MadeFile[];
  readonly problems: readonly string[];
}

export function initCampaign(
  request: WorkspaceRequest,
  wanted: CampaignContract | { readonly slug: string; readonly objective: string | null },
): Promise<MadeCampaign | CommandFailure> {
  const contract = "stories" in wanted ? wanted : openContract(wanted.slug, wanted.objective);
  return withWorkspace(request, "write", async (writable) => {
    const project = requireConfig(writable);
    if (project.kind === "blocked") return project;
    const seq = await withWorkspace(request, "read", ({ lines }) => lines.at(-1)?.seq ?? -1);
    return writeCampaign(project, contract, typeof seq === "number" ? seq : -1);
  });
}

async function writeCampaign(
  place: Project,
  contract: CampaignContract,
  seq: number,
): Promise<MadeCampaign | NotReady> {
  const { slug } = contract;
  const { root } = place.repository;
  const folder = locateCampaignFolder(place.config.workspace_dir, slug);
  const obstacle = await findObstacle(root, folder);
  if (obstacle !== null)
    return refuseNotReady(
      "workspace_unusable",
      `${obstacle.path} is in the way: it is not a folder.`,
      "Move it away first.",
    );
  const isPlannedAgain = seq >= 0 && !isFolder(join(root, folder));
  makeFolders(join(root, folder));
  // Without a word about it: a person has nothing to do with this file.
  if (isPlannedAgain) writeNow(join(root, folder, CAMPAIGN_FILES.cleaned), cleanedText({ seq, planned_seq: seq }));
  const texts = { ...scaffoldTexts(contract), ...makeFirstStatus(contract, place) };
  const files: MadeFile[] = [];
  for (const [name, text] of Object.entries(texts)) {
    const path = `${folder}/${name}`;
    files.push({ path, state: await createFile(join(root, path), text) });
  }
  const problems = findCampaignOnDisk(join(root, folder), slug)?.problems ?? [];
  return { kind: "made", slug, files, problems };
}

const cleanedText = (cleaned: CampaignCleaned): string => `${JSON.stringify(cleaned, null, 2)}\n`;

/** Where it stands before anything was done. What the iteration unit will be makes no difference to that. */
function makeFirstStatus(contract: CampaignContract, { config }: Project): Readonly<Record<string, string>> {
  const nothing = { maxIter: null, workerModel: null, verifierModel: null, verifyMode: null };
  const chosen = chooseCampaignSettings(nothing, {
    contract: { ...contract, iteration_unit: contract.iteration_unit ?? "story" },
    campaign: config.campaign,
    base: "0".repeat(40),
  });
  if (chosen.kind === "refused") return {};
  const state = { ...NEW_CAMPAIGN, updatedAt: new Date(readClockMs()).toISOString() };
  const status: CampaignStatus = summariseCampaign({
    state,
    settings: chosen.settings,
    config,
    sentinel: null,
  });
  return { [CAMPAIGN_FILES.status]: `${JSON.stringify(status, null, 2)}\n` };
}
