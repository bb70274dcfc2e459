import type { MadeCampaign } from "../records/setup-answers.ts";
import { join } from "node:path";
import type { CampaignContract } from "../records/campaign.ts";
import { CampaignCleaned, SENTINELS } from "../records/campaign-files.ts";
import { locateCampaignFolder } from "./pure/campaign-names.ts";
import { NEW_CAMPAIGN } from "./pure/campaign-state.ts";
import { summariseCampaign } from "./pure/campaign-status.ts";
import { openContract, scaffoldTexts } from "./pure/prd.ts";
import { readClockMs } from "../system/clock.ts";
import { isFolder, isFile } from "../system/read-files.ts";
import { writeNow } from "../system/write-files.ts";
import { type CommandFailure, type NotReady, type Refusal, refuse } from "../records/command-failure.ts";
import { makeWorkspace } from "../workspace/make-workspace.ts";
import { findReplacedWorkspace } from "../workspace/workspace-refusals.ts";
import { openProject, readProject } from "../workspace/read-project.ts";
import { withSnapshot } from "../workspace/with-snapshot.ts";
import { withWorkspace } from "../workspace/with-workspace.ts";
import type { Project, WorkspaceRequest, LockedWorkspace } from "../workspace/workspace.ts";
import { CAMPAIGN_FILES, findCampaignOnDisk, chooseFirstSettings, readCleaned } from "./campaign-on-disk.ts";
import { createFiles } from "../workspace/create-files.ts";
import { removeTree } from "../system/remove-files.ts";
import { openPublication } from "../workspace/publish.ts";
import { locatePrivateFolder, reportSentinel } from "./heartbeat.ts";
import { killSessions } from "./start-tmux.ts";
import { refuseUnknownCampaign } from "./prepare-campaign.ts";
import { endHolder } from "../workspace/stop-runner.ts";
import { findCampaignLeader } from "./campaign-life.ts";
import { type CampaignQuestion, findCampaign } from "./find-campaign.ts";

/** Writes the missing files of a campaign, and lists what is missing from its contract. Existing files stay. */

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
  const files = await createFiles(root, folder, new Map(texts.map(([name, text]) => [`${folder}/${name}`, text])));
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
  const status = summariseCampaign(state, chosen.settings, config, null);
  return { [CAMPAIGN_FILES.status]: `${JSON.stringify(status, null, 2)}\n` };
}

/** Removes the files that stop another run of a campaign. The contract, the memory and the logs stay. */

const REMOVED = [
  ...SENTINELS.map((name) => `${name}.md`),
  "done-claim.json",
  "verify-verdict.json",
  "verify-verdict.second.json",
  "iter-signal.json",
  "session-config.json",
];

export interface CleanedCampaign {
  readonly kind: "cleaned";
  readonly slug: string;
  /** From the root of the repository. */
  readonly removed: readonly string[];
  readonly killed: readonly string[];
  readonly problems: readonly string[];
}

interface CleanRequest extends WorkspaceRequest {
  readonly slug: string;
  /** Whether the tmux sessions of the campaign are ended first. They only show it, so that needs no lock. */
  readonly isKilled: boolean;
}

export async function cleanCampaign(request: CleanRequest): Promise<CleanedCampaign | CommandFailure> {
  const place = request.isKilled ? await readProject(request) : null;
  const killed = place?.kind === "ready" ? await killSessions(request, place.repository.root) : [];
  return withWorkspace(request, "decide", async (workspace) => {
    const cleaned = await clean(workspace, request.slug);
    return cleaned.kind === "cleaned" ? { ...cleaned, killed } : cleaned;
  });
}

async function clean(workspace: LockedWorkspace, slug: string): Promise<Omit<CleanedCampaign, "killed"> | Refusal> {
  const { repository, config, journal, stateDirectory } = workspace;
  const { root } = repository;
  const path = locateCampaignFolder(config.workspace_dir, slug);
  const directory = join(root, path);
  if (!isFolder(directory)) return refuseUnknownCampaign(slug, directory);
  const publication = await openPublication(root, directory);
  // First: if this process is killed in between, the next run must not write the sentinel again.
  const seq = Math.max(0, journal.end().seq - 1);
  await publication.document(CAMPAIGN_FILES.cleaned, CampaignCleaned, { ...readCleaned(directory), seq });
  const there = REMOVED.filter((name) => isFile(join(directory, name)));
  for (const name of there) await publication.text(name, null);
  reportSentinel(journal, { slug, folder: directory, worktree: root, config });
  const live = locatePrivateFolder(stateDirectory, slug);
  if (isFolder(live)) removeTree(Buffer.from(live));
  return {
    kind: "cleaned",
    slug,
    removed: there.map((name) => `${path}/${name}`),
    problems: publication.problems,
  };
}

/** Stops a leader wherever it runs: its tick is reverted, no sentinel is written, and `campaign run` continues it. */

export interface StoppedCampaign {
  readonly kind: "stopped";
  readonly slug: string;
  readonly pid: number;
}

export async function stopCampaign(
  request: CampaignQuestion & { readonly signal: AbortSignal },
): Promise<StoppedCampaign | Refusal | NotReady> {
  const { slug, signal } = request;
  const found = await findCampaign(request);
  if (found.kind !== "campaign") return found;
  const leader = await findCampaignLeader(found);
  if (leader === null)
    return refuse({
      cause: "not_running",
      message: `The campaign ${slug} is not running.`,
      next: `\`relais campaign status ${slug}\` shows its state.`,
    });
  const status = `relais campaign status ${slug}`;
  return (await endHolder(leader, signal, status)) ?? { kind: "stopped", slug, pid: leader.pid };
}
