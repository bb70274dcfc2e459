/** Reads the state of a campaign. It takes no lock and writes nothing. */
import type { CampaignFacts } from "../records/setup-answers.ts";
import { join } from "node:path";
import type { CampaignSettings } from "../records/campaign.ts";
import type { JournalLine } from "../records/event.ts";
import { type KnownCampaign } from "./pure/fold-campaign.ts";
import { locateCampaignFolder } from "./pure/campaign-names.ts";
import { type CampaignState, NEW_CAMPAIGN } from "./pure/campaign-state.ts";
import { summariseCampaign } from "./pure/campaign-status.ts";
import { type CommandFailure, type Refusal, refuse } from "../records/command-failure.ts";
import type { WorkspaceSnapshot } from "../workspace/workspace.ts";
import { withSnapshot } from "../workspace/with-snapshot.ts";
import { foldShared } from "../records/folded-lines.ts";
import { listRepositoryLines } from "../workspace/lines-of-repository.ts";
import {
  chooseFirstSettings,
  findCampaignOnDisk,
  findCampaignSeries,
  findCleanedSeq,
  findStandingSentinel,
} from "./campaign-on-disk.ts";
import { listCampaignSlugs, refuseUnknownCampaign } from "./prepare-campaign.ts";
import type { Caller } from "../base/environment.ts";

export interface FoundCampaign extends CampaignFacts {
  readonly kind: "campaign";
  readonly around: WorkspaceSnapshot;
  readonly folder: string;
  /** Null before the first iteration. */
  readonly seriesId: string | null;
}

export interface CampaignQuestion extends Caller {
  readonly slug: string;
}

export function findCampaign(question: CampaignQuestion): Promise<FoundCampaign | CommandFailure> {
  return withSnapshot(question, (around) => readCampaign(around, question.slug));
}

interface FoundCampaigns {
  readonly kind: "campaigns";
  readonly campaigns: readonly FoundCampaign[];
  readonly unfinished: readonly string[];
}

export function findCampaigns(question: Omit<CampaignQuestion, "slug">): Promise<FoundCampaigns | CommandFailure> {
  return withSnapshot(question, readCampaigns);
}

async function readCampaigns(around: WorkspaceSnapshot): Promise<FoundCampaigns> {
  const campaigns: FoundCampaign[] = [];
  const unfinished: string[] = [];
  const slugs = await listCampaignSlugs(
    join(around.repository.root, locateCampaignFolder(around.config.workspace_dir, "")),
  );
  for (const slug of slugs) {
    const found = await readCampaign(around, slug);
    if (found.kind === "campaign") campaigns.push(found);
    else unfinished.push(slug);
  }
  return { kind: "campaigns", campaigns, unfinished };
}

async function readCampaign(around: WorkspaceSnapshot, slug: string): Promise<FoundCampaign | Refusal> {
  const { repository, config, lines } = around;
  const folderPath = locateCampaignFolder(config.workspace_dir, slug);
  const folder = join(repository.root, folderPath);
  const last = findCampaignSeries(foldShared(listRepositoryLines(lines, repository)), {
    slug,
    folder,
    worktree: repository.root,
  });
  const known = last === null || isSettled(last, folder) ? NOT_BEGUN : last;
  const chosen = await readSettings(known.state, around, { folder, slug });
  if (chosen.kind === "refused") return chosen;
  const { settings } = chosen;
  return {
    kind: "campaign",
    slug,
    around,
    folderPath,
    folder,
    status: summariseCampaign(known.state, settings, config, findStandingSentinel(folder)),
    seriesId: known.seriesId,
    ...listCommits(known.lines),
  };
}

/** After `campaign clean`, a complete campaign starts again with its next run. */
function isSettled({ state, lines }: KnownCampaign, folder: string): boolean {
  return state.status === "complete" && (lines.at(-1)?.seq ?? 0) <= findCleanedSeq(folder);
}

const NOT_BEGUN = { seriesId: null, state: NEW_CAMPAIGN, lines: [] };

function listCommits(lines: readonly JournalLine[]): Pick<FoundCampaign, "branch" | "commits"> {
  const settled = lines.flatMap(({ event }) => (event.type === "settled" ? [event] : []));
  return {
    branch: settled.findLast(({ branch }) => branch !== null)?.branch ?? null,
    commits: settled.flatMap(({ commit }) => commit ?? []),
  };
}

/** The settings of its series, or those of a first run. */
async function readSettings(
  { settings }: CampaignState,
  { config }: WorkspaceSnapshot,
  { folder, slug }: { readonly folder: string; readonly slug: string },
): Promise<{ readonly kind: "chosen"; readonly settings: CampaignSettings } | Refusal> {
  if (settings !== null) return { kind: "chosen", settings };
  const onDisk = findCampaignOnDisk(folder, slug);
  if (onDisk === null) return refuseUnknownCampaign(slug, folder);
  const chosen = chooseFirstSettings(onDisk.contract, config);
  if (chosen.kind === "chosen") return chosen;
  return refuse({
    cause: "contract_unfinished",
    message: `The contract of the campaign ${slug} is not finished.`,
    paths: onDisk.problems,
    next: "Fix its prd.md and test-spec.md.",
  });
}
