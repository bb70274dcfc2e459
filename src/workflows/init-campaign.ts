/** Writes the missing files of a campaign, and lists what is missing from its contract. Existing files stay. */
import type { MadeCampaign } from "../records/campaign-answer.ts";
import { join } from "node:path";
import type { CampaignContract } from "../records/campaign.ts";
import type { CampaignCleaned } from "../records/campaign-files.ts";
import { locateCampaignFolder } from "./pure/campaign-names.ts";
import { NEW_CAMPAIGN } from "./pure/campaign-state.ts";
import { summariseCampaign } from "./pure/campaign-status.ts";
import { openContract, scaffoldTexts } from "./pure/prd-text.ts";
import { readClockMs } from "../system/clock.ts";
import { isFolder } from "../system/is-folder.ts";
import { writeNow } from "../system/write-now.ts";
import type { CommandFailure, NotReady } from "../records/command-failure.ts";
import { makeWorkspace } from "../workspace/make-workspace.ts";
import { findReplacedWorkspace } from "../workspace/workspace-refusals.ts";
import { openProject } from "../workspace/read-project.ts";
import { withSnapshot } from "../workspace/with-snapshot.ts";
import { withWorkspace } from "../workspace/with-workspace.ts";
import type { Project, WorkspaceRequest } from "../workspace/workspace.ts";
import { CAMPAIGN_FILES, findCampaignOnDisk, chooseFirstSettings } from "./campaign-on-disk.ts";
import { createFiles } from "../workspace/create-files.ts";

export function initCampaign(
  request: WorkspaceRequest,
  wanted: CampaignContract | { readonly slug: string; readonly objective: string | null },
): Promise<MadeCampaign | CommandFailure> {
  const contract = "stories" in wanted ? wanted : openContract(wanted.slug, wanted.objective);
  return withWorkspace(request, "write", async (writable) => {
    const project = await openProject(writable);
    if (project.kind === "blocked") return project;
    const seq = await withSnapshot(request, ({ lines }) => lines.at(-1)?.seq ?? -1);
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
  if (findReplacedWorkspace(root, place.config) === null)
    await makeWorkspace({ ...place, folder: join(root, place.config.workspace_dir) });
  const isPlannedAgain = seq >= 0 && !isFolder(join(root, folder));
  const texts = Object.entries({ ...scaffoldTexts(contract), ...makeFirstStatus(contract, place) });
  const files = await createFiles(root, {
    folder,
    texts: new Map(texts.map(([name, text]) => [`${folder}/${name}`, text])),
  });
  if ("kind" in files) return files;
  // Not listed: a person has nothing to do with this file.
  if (isPlannedAgain) writeNow(join(root, folder, CAMPAIGN_FILES.cleaned), cleanedText({ seq, planned_seq: seq }));
  const problems = findCampaignOnDisk(join(root, folder), slug)?.problems ?? [];
  return { kind: "made", slug, files, problems };
}

const cleanedText = (cleaned: CampaignCleaned): string => `${JSON.stringify(cleaned, null, 2)}\n`;

/** Where it stands before anything was done. What the iteration unit will be makes no difference to that. */
function makeFirstStatus(contract: CampaignContract, { config }: Project): Readonly<Record<string, string>> {
  const chosen = chooseFirstSettings({ ...contract, iteration_unit: contract.iteration_unit ?? "story" }, config);
  if (chosen.kind === "refused") return {};
  const state = { ...NEW_CAMPAIGN, updatedAt: new Date(readClockMs()).toISOString() };
  const status = summariseCampaign({ state, settings: chosen.settings, config, sentinel: null });
  return { [CAMPAIGN_FILES.status]: `${JSON.stringify(status, null, 2)}\n` };
}
