/** Removes the files that stop another run of a campaign. The contract, the memory and the logs stay. */
import { join } from "node:path";
import { CampaignCleaned, SENTINELS } from "../records/campaign-files.ts";
import { locateCampaignFolder } from "./pure/campaign-names.ts";
import { isFile } from "../system/is-file.ts";
import { isFolder } from "../system/is-folder.ts";
import { removeTree } from "../system/remove-tree.ts";
import type { CommandFailure, Refusal } from "../records/command-failure.ts";
import { openPublication } from "../workspace/publication.ts";
import { locatePrivateFolder } from "./heartbeat.ts";
import { withWorkspace } from "../workspace/with-workspace.ts";
import type { LockedWorkspace, WorkspaceRequest } from "../workspace/workspace.ts";
import { readProject } from "../workspace/read-project.ts";
import { reportSentinel } from "./keep-sentinel.ts";
import { killSessions } from "./start-tmux.ts";
import { CAMPAIGN_FILES, readCleaned } from "./campaign-on-disk.ts";
import { refuseUnknownCampaign } from "./prepare-campaign.ts";

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
