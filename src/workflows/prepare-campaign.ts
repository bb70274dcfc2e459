/** Checks whether a campaign can run, before it starts. */
import { replaceAgent } from "../agents/fallbacks.ts";
import { findMissingProgram } from "../workspace/agent-programs.ts";
import { dirname, join } from "node:path";
import type { FoldedLines } from "../records/folded-lines.ts";
import type { Sentinel } from "../records/campaign-files.ts";
import type { Environment, Caller } from "../base/environment.ts";
import type { CampaignContract, CampaignSettings } from "../records/campaign.ts";
import { findNearestName } from "../base/nearest-name.ts";
import { makeChosenChecks } from "../checks/pure/verification-plan.ts";
import type { SeriesEnd } from "../base/codes.ts";
import type { Choices } from "../config/choices.ts";
import { RESUMABLE_ENDS } from "./pure/last-series.ts";
import { type KnownCampaign } from "./pure/fold-campaign.ts";
import { locateCampaignFolder, writeCampaignCommand } from "./pure/campaign-names.ts";
import { type CampaignChoices, chooseCampaignSettings } from "./pure/campaign-settings.ts";
import { findProgram } from "../system/find-program.ts";
import { isFile } from "../system/read-files.ts";
import { listFolders } from "../system/list-folders.ts";
import { type CommandFailure, type Refusal, refuse } from "../records/command-failure.ts";
import type { ChosenConfig } from "../workspace/read-project.ts";
import { chooseSeriesConfig } from "./series-config.ts";
import { foldWorkspace } from "../workspace/read-workspace.ts";
import type { Workspace } from "../workspace/workspace.ts";
import { foldOfRepository } from "../workspace/lines-of-repository.ts";
import { openSeriesWorkspace } from "../workspace/open-workspace.ts";
import { withWorkspace } from "../workspace/with-workspace.ts";
import {
  CAMPAIGN_FILES,
  type CampaignOnDisk,
  findCampaignOnDisk,
  findCampaignSeries,
  findStandingSentinel,
} from "./campaign-on-disk.ts";
import { isSentinelOwed, keepSentinel } from "./heartbeat.ts";
import { type Misuse, reportMisuse } from "../workspace/misuse.ts";

export interface CampaignWish extends Caller {
  readonly slug: string;
  readonly choices: CampaignChoices;
  /** For the configuration. */
  readonly configChoices: Choices;
}

export type CampaignObstacle = Misuse | CommandFailure;

export interface ReadyCampaign {
  readonly kind: "campaign";
  readonly workspace: Workspace;
  readonly onDisk: CampaignOnDisk;
  readonly settings: CampaignSettings;
  readonly folder: string;
  /** Whether no series of it has begun. */
  readonly isNew: boolean;
  readonly chosen: ChosenConfig;
}

/** The ends after which a campaign goes on. */
export const CAMPAIGN_RESUMES: readonly SeriesEnd[] = [...RESUMABLE_ENDS, "breaker"];

export async function prepareCampaign(request: CampaignWish): Promise<ReadyCampaign | CampaignObstacle> {
  const { slug, choices } = request;
  const opened = await openCampaignWorkspace(request);
  if (opened.kind !== "opened") return opened;
  const { workspace, chosen } = opened;
  const folder = join(workspace.repository.root, locateCampaignFolder(workspace.config.workspace_dir, slug));
  const onDisk = findCampaignOnDisk(folder, slug);
  if (onDisk === null) return refuseUnknownCampaign(slug, folder);
  const around = await foldWorkspace(request);
  if (around.kind === "blocked") return around;
  const { repository, config } = workspace;
  const place = { slug, folder, worktree: repository.root, config };
  const journal = foldOfRepository(around.journal, repository);
  const known = findCampaignSeries(journal, place);
  const standing = await findSentinel(request, journal, place);
  if (standing !== null) return typeof standing === "string" ? refuseOver(slug, standing) : standing;
  if (onDisk.problems.length > 0) return refuseUnfinished(slug, onDisk.problems);
  const missing = await findMissingCommand(onDisk.contract, workspace, request.environment);
  if (missing !== null) return missing;
  const noVerifier = await findMissingVerifier(workspace, request.environment);
  if (noVerifier !== null) return noVerifier;
  const choice = chooseCampaignSettings(
    choices,
    addCommands(onDisk.contract, workspace, chosen),
    workspace.config.campaign,
    chooseBase(known, workspace),
  );
  if (choice.kind === "refused") return reportMisuse(choice.message);
  return { kind: "campaign", workspace, onDisk, settings: choice.settings, folder, isNew: known === null, chosen };
}

interface OpenedCampaign {
  readonly kind: "opened";
  readonly workspace: Workspace;
  readonly chosen: ChosenConfig;
}

async function openCampaignWorkspace(request: CampaignWish): Promise<OpenedCampaign | CampaignObstacle> {
  const complete = await chooseSeriesConfig({
    ...request,
    choices: request.configChoices,
    options: { command: writeCampaignCommand(request.slug), mode: null, max_ticks: null },
    isNew: false,
    resumes: CAMPAIGN_RESUMES,
  });
  if (complete.kind !== "complete") return complete;
  const { chosen } = complete;
  const workspace = await openSeriesWorkspace({ ...request, chosen });
  return workspace.kind === "blocked" ? workspace : { kind: "opened", workspace, chosen };
}

/** The named checks are commands of the test spec, too. */
function addCommands(
  contract: CampaignContract,
  { config }: Workspace,
  { choices: { checks = [] } }: ChosenConfig,
): CampaignContract {
  const taken = new Set(contract.commands.map(({ id }) => id));
  const added = makeChosenChecks(
    config,
    checks.filter((id) => !taken.has(id)),
  );
  const commands = added.map(({ templateId, cmd, args }) => ({ id: templateId, argv: [cmd, ...args] }));
  return { ...contract, commands: [...contract.commands, ...commands] };
}

/** A missing sentinel is written under the locks, because the tick of another process must not see it change. */
async function findSentinel(
  request: CampaignWish,
  known: FoldedLines,
  place: Parameters<typeof keepSentinel>[1],
): Promise<Sentinel | CommandFailure | null> {
  if (!isSentinelOwed(known, place)) return findStandingSentinel(place.folder);
  const kept = await withWorkspace(request, "decide", async ({ journal, repository }) => ({
    kind: "kept" as const,
    sentinel: await keepSentinel(foldOfRepository(journal, repository), place),
  }));
  return kept.kind === "kept" ? kept.sentinel : kept;
}

/** The commit that the campaign began with; after its end another one begins where the repository is by then. */
function chooseBase(known: KnownCampaign | null, { head }: Workspace): string {
  const isOver = known === null || known.state.status === "complete";
  return isOver ? head.commit : (known.state.settings?.base ?? head.commit);
}

/** `folder` is where the campaign would be. */
export async function refuseUnknownCampaign(slug: string, folder: string): Promise<Refusal> {
  const known = await listCampaignSlugs(dirname(folder));
  const nearest = findNearestName(slug, known);
  return refuse({
    cause: "no_campaign",
    message: `There is no campaign ${slug} here.${nearest === null ? "" : ` Did you mean ${nearest}?`}`,
    paths: known.map((name) => `there is ${name}`),
    next: `\`relais campaign brainstorm\` or \`relais campaign init ${slug}\` creates it.`,
  });
}

export async function listCampaignSlugs(all: string): Promise<readonly string[]> {
  return (await listFolders(all)).filter((name) => isFile(join(all, name, CAMPAIGN_FILES.prd)));
}

function refuseOver(slug: string, sentinel: string): Refusal {
  return refuse({
    cause: `sentinel_${sentinel}`,
    message: `The campaign ${slug} is over: ${sentinel}.md exists.`,
    next: `Read it; \`relais campaign clean ${slug}\` removes it, and \`relais campaign run ${slug}\` ${sentinel === "complete" ? "starts again" : "continues"}.`,
  });
}

function refuseUnfinished(slug: string, problems: readonly string[]): Refusal {
  return refuse({
    cause: "contract_unfinished",
    message: `The contract of the campaign ${slug} is not ready.`,
    paths: problems,
    next: "Fix its prd.md and test-spec.md.",
  });
}

/** A command that cannot start would fail for every worker. The campaign itself may create a program in the repository. */
async function findMissingCommand(
  { commands, slug }: CampaignContract,
  { repository }: Workspace,
  environment: Environment,
): Promise<Refusal | null> {
  for (const { id, argv } of commands) {
    const [program = ""] = argv;
    if (program.includes("/")) continue;
    const found = await findProgram(program, { path: environment["PATH"] ?? "", cwd: repository.root });
    if (found === null)
      return refuse({
        cause: "command_missing",
        message: `The command ${id} of the campaign ${slug} cannot be started: there is no program "${program}".`,
        next: "Install it, or change the command in test-spec.md.",
      });
  }
  return null;
}

/** Known before a worker is paid: without a verifier its work counts for nothing. */
async function findMissingVerifier(
  { config, repository }: Workspace,
  environment: Environment,
): Promise<Refusal | null> {
  const second = config.campaign.verifiers > 1 ? config.campaign.second_verifier : undefined;
  const verifiers = [config, ...(second === undefined ? [] : [replaceAgent(config, "verifier", second)])];
  for (const each of verifiers) {
    const question = { root: repository.root, path: environment["PATH"], config: each };
    const message = await findMissingProgram("verifier", question);
    if (message !== null)
      return refuse({
        cause: "verifier_not_found",
        message,
        next: "Install it, or name another driver for verifiers.",
      });
  }
  return null;
}
