/** Runs a campaign, from its beginning or from where it was left. Whatever can be refused is refused before anything begins. */
import { join } from "node:path";
import type { AgentEvent } from "../../contract/agent-event.ts";
import type { CampaignContract, CampaignSettings } from "../../contract/campaign.ts";
import type { CampaignStage } from "../../contract/campaign-files.ts";
import type { Report } from "../../contract/report.ts";
import type { SeriesEnd } from "../../contract/codes.ts";
import { campaignCommand, campaignFolder, knownCampaign } from "../../core/campaign/campaign-folder.ts";
import { chooseCampaignSettings, type CampaignChoices } from "../../core/campaign/campaign-settings.ts";
import { campaignWorkflow } from "../../core/campaign/campaign-workflow.ts";
import { newDispatch } from "../../io/drop-folder.ts";
import { appendText } from "../../io/append-text.ts";
import { commitPatch } from "../../io/commit-patch.ts";
import { findProgram } from "../../io/find-program.ts";
import { readHead } from "../../io/read-head.ts";
import { makeFolders } from "../../io/make-folders.ts";
import type { Ground } from "../ground.ts";
import { refused, type Refused } from "../refused.ts";
import { runSeries, type SeriesAnswer } from "../run-series.ts";
import { seriesGround } from "../series-place.ts";
import type { SeriesRequest } from "../series-sitting.ts";
import { type Environment, lookAround, type Surroundings } from "../surroundings.ts";
import { type CampaignOnDisk, campaignOnDisk } from "./campaign-files.ts";
import { type CampaignNotebook, openNotebook } from "./campaign-notebook.ts";
import { type LiveFeed, openLiveFeed } from "./live-feed.ts";
import { writeSessionConfig } from "./session-config.ts";
import { keepSentinel } from "./keep-sentinel.ts";
import { publishCampaign, type RenderIteration } from "./publish-campaign.ts";

export interface CampaignRequest extends Pick<
  SeriesRequest<unknown>,
  "cwd" | "environment" | "signal" | "player" | "renderReport" | "relaisVersion" | "watch"
> {
  readonly slug: string;
  readonly choices: CampaignChoices;
  readonly isDebug: boolean;
  readonly words: CampaignWords;
  /** The tmux session that shows this run; null where none does. */
  readonly stage: CampaignStage | null;
}

/** How things read for a person. */
export interface CampaignWords {
  readonly iteration: RenderIteration;
  readonly tick: (report: Report) => string;
  readonly event: (speaker: string, event: AgentEvent) => string | null;
}

interface Misused {
  readonly kind: "misused";
  readonly message: string;
  readonly problems: readonly string[];
}

export type CampaignAnswer = SeriesAnswer | Misused | Refused;

/** A campaign that can be run. */
export interface ReadyCampaign {
  readonly kind: "campaign";
  readonly ground: Ground;
  readonly onDisk: CampaignOnDisk;
  readonly settings: CampaignSettings;
  /** Its folder, as an absolute path. */
  readonly folder: string;
}

export async function runCampaign(request: CampaignRequest): Promise<CampaignAnswer> {
  const ready = await readyCampaign(request);
  if (ready.kind !== "campaign") return ready;
  const { ground, folder } = ready;
  const place = { slug: request.slug, folder, worktree: ground.repository.root };
  try {
    return await runReady(request, ready);
  } finally {
    const around = await lookAround(request.cwd, request.environment);
    if (around.kind === "found") await keepSentinel(around.lines, place);
  }
}

/** Everything that keeps a campaign from being run, in the order in which a person would want to know it. */
export async function readyCampaign(
  request: Pick<CampaignRequest, "cwd" | "environment" | "slug" | "choices">,
): Promise<ReadyCampaign | Exclude<CampaignAnswer, { kind: "series" }>> {
  const { slug, choices } = request;
  const ground = await seriesGround(request.cwd, request.environment);
  if (ground.kind === "blocked") return ground;
  const folder = join(ground.repository.root, campaignFolder(ground.config.workspace_dir, slug));
  const onDisk = campaignOnDisk(folder, slug);
  if (onDisk === null) return noCampaign(slug);
  const around = await lookAround(request.cwd, request.environment);
  if (around.kind === "blocked") return around;
  const standing = await keepSentinel(around.lines, { slug, folder, worktree: ground.repository.root });
  if (standing !== null) return itIsOver(slug, standing);
  if (onDisk.problems.length > 0) return unfinished(slug, onDisk.problems);
  const missing = await missingCommand(onDisk.contract, ground, request.environment);
  if (missing !== null) return missing;
  const chosen = chooseCampaignSettings(choices, {
    contract: onDisk.contract,
    campaign: ground.config.campaign,
    base: baseOf(around, ground, slug),
  });
  if (chosen.kind === "refused") return { kind: "misused", message: chosen.message, problems: [] };
  return { kind: "campaign", ground, onDisk, settings: chosen.settings, folder };
}

/** The commit that the campaign began with; after its end another one begins where the repository is by then. */
function baseOf({ lines }: Surroundings, { head, repository }: Ground, slug: string): string {
  const known = knownCampaign(lines, { slug, worktree: repository.root });
  const isOver = known === null || known.state.status === "complete";
  return isOver ? head.commit : (known.state.settings?.base ?? head.commit);
}

export function noCampaign(slug: string): Refused {
  return refused({
    cause: "no_campaign",
    message: `There is no campaign ${slug} here.`,
    next: `\`relais campaign brainstorm\` or \`relais campaign init ${slug}\` makes one.`,
  });
}

function itIsOver(slug: string, sentinel: string): Refused {
  return refused({
    cause: `sentinel_${sentinel}`,
    message: `The campaign ${slug} is over: its ${sentinel}.md stands.`,
    next: `Read it; \`relais campaign clean ${slug}\` removes it, and \`relais campaign run ${slug}\` goes on.`,
  });
}

function unfinished(slug: string, problems: readonly string[]): Refused {
  return refused({
    cause: "contract_unfinished",
    message: `The contract of the campaign ${slug} cannot be worked on yet.`,
    paths: problems,
    next: "Mend it in its prd.md and test-spec.md.",
  });
}

/** A command that cannot start would be red for every worker. What the campaign itself is to make may be missing still. */
async function missingCommand(
  { commands, slug }: CampaignContract,
  { repository }: Ground,
  environment: Environment,
): Promise<Refused | null> {
  for (const { id, argv } of commands) {
    const [program = ""] = argv;
    if (program.includes("/")) continue;
    const found = await findProgram(program, { path: environment["PATH"] ?? "", cwd: repository.root });
    if (found === null)
      return refused({
        cause: "command_missing",
        message: `The command ${id} of the campaign ${slug} cannot be started: there is no program "${program}".`,
        next: "Install it, or change the command in test-spec.md.",
      });
  }
  return null;
}

/** Everything but a campaign that is complete can be taken up. */
const RESUMES: readonly SeriesEnd[] = [
  "interrupted",
  "needs_human",
  "blocked",
  "stopped",
  "timeout",
  "breaker",
  "budget_warning",
];

const DIFF_BYTES_MAX = 256 * 1024;

async function runReady(request: CampaignRequest, ready: ReadyCampaign): Promise<SeriesAnswer> {
  const { settings, onDisk, folder, ground } = ready;
  const { slug, isDebug, words, choices: _choices, stage, ...sources } = request;
  makeFolders(join(folder, "logs"));
  if (stage !== null) await writeSessionConfig(ready, stage);
  const feed = openLiveFeed({ ...ground, settings, pid: process.pid });
  const notebook = openNotebook({ logs: join(folder, "logs"), feed });
  let diff = await diffSince(ready);
  try {
    return await runSeries({
      ...sources,
      onAgentEvent: (speaker, event) => {
        notebook.debug(`${speaker} ${event.type}`);
        const text = words.event(speaker, event);
        if (text !== null) feed.line(speaker.startsWith("verifier") ? "verifier" : "worker", text);
      },
      options: { command: campaignCommand(slug), mode: null, max_ticks: null, campaign: settings },
      isNew: false,
      resumes: RESUMES,
      workflow: ({ config, warnings }) =>
        notebook.noted(
          campaignWorkflow({
            config,
            settings,
            warnings,
            texts: { ...onDisk.texts, diff },
            nonce: newDispatch(),
          }),
        ),
      publish: async (now, series) => {
        diff = await diffSince(ready);
        return publishCampaign(now, series, { notebook, isDebug, render: words.iteration });
      },
      watch: noting(request, notebook, feed),
    });
  } finally {
    feed.close();
    if (isDebug) await appendText(join(folder, "logs", "debug.log"), notebook.take().debug);
  }
}

function noting(
  { watch, words }: CampaignRequest,
  notebook: CampaignNotebook,
  feed: LiveFeed,
): CampaignRequest["watch"] {
  return {
    ...watch,
    ticked: (tick) => {
      notebook.debug(`ended ${tick.report.code} ${tick.report.cause ?? ""}`);
      feed.ended();
      feed.line("leader", words.tick(tick.report));
      watch.ticked(tick);
    },
  };
}

/** What the campaign has changed so far, from its base to where the branch is now. */
async function diffSince({ ground, settings }: ReadyCampaign): Promise<string> {
  const { repository } = ground;
  const head = await readHead(repository);
  if (head.commit === null) return "";
  return commitPatch({ repository, from: settings.base, to: head.commit, bytesMax: DIFF_BYTES_MAX });
}
