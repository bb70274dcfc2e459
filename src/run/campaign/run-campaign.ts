/** Runs a campaign, from its beginning or from where it was left. Whatever can be refused is refused before anything begins. */
import { join } from "node:path";
import type { AgentEvent } from "../../contract/agents/agent-event.ts";
import type { CampaignStage } from "../../contract/workflows/campaign-files.ts";
import type { Report } from "../../contract/documents/report.ts";
import type { LiveEvent } from "../../contract/journal/live-event.ts";
import type { SeriesEnd } from "../../contract/values/codes.ts";
import { campaignCommand } from "../../core/campaign/campaign-folder.ts";
import { campaignWorkflow } from "../../core/campaign/campaign-workflow.ts";
import { newDispatch } from "../../io/files/drop-folder.ts";
import { appendText } from "../../io/files/append-text.ts";
import { commitPatch } from "../../io/commit/commit-patch.ts";
import { readHead } from "../../io/git/read-head.ts";
import { makeFolders } from "../../io/files/make-folders.ts";
import { runSeries, type SeriesAnswer } from "../series/run-series.ts";
import type { SeriesRequest } from "../series/series-sitting.ts";
import { linesHere } from "../workspace/lines-here.ts";
import { lookAround } from "../workspace/surroundings.ts";
import { type CampaignNotebook, openNotebook } from "./campaign-notebook.ts";
import { type LiveFeed, openLiveFeed } from "./live-feed.ts";
import { writeSessionConfig } from "./session-config.ts";
import {
  type CampaignObstacle,
  type CampaignWish,
  type ReadyCampaign,
  readyCampaign,
} from "./ready-campaign.ts";
import { keepSentinel } from "./keep-sentinel.ts";
import { watchPanes } from "./watch-panes.ts";
import { publishCampaign, type RenderIteration } from "./publish-campaign.ts";

export interface CampaignRequest
  extends
    CampaignWish,
    Pick<SeriesRequest<unknown>, "signal" | "player" | "renderReport" | "relaisVersion" | "watch" | "emit"> {
  readonly isDebug: boolean;
  readonly words: CampaignWords;
  /** The tmux session that shows this run; null where none does. */
  readonly stage: CampaignStage | null;
}

/** How things read for a person. */
interface CampaignWords {
  readonly iteration: RenderIteration;
  readonly tick: (report: Report) => string;
  readonly event: (speaker: string, event: AgentEvent) => string | null;
}

export type CampaignAnswer = SeriesAnswer | CampaignObstacle;

export async function runCampaign(request: CampaignRequest): Promise<CampaignAnswer> {
  const ready = await readyCampaign(request);
  if (ready.kind !== "campaign") return ready;
  const { ground, folder } = ready;
  const { config, repository } = ground;
  const place = { slug: request.slug, folder, worktree: repository.root, config };
  try {
    return await runReady(request, ready);
  } finally {
    const around = await lookAround(request.cwd, request.environment);
    if (around.kind === "found") await keepSentinel(linesHere(around.lines, around.repository), place);
  }
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
  const feed = openLiveFeed({ ...ground, settings, pid: process.pid });
  const notebook = openNotebook({ logs: join(folder, "logs"), feed, settings });
  const panes = stage === null ? null : await watchPanes({ ...request, ...ground, stage, feed });
  const begin = (): void => {
    if (stage !== null) writeSessionConfig(ready, stage);
    feed.begin();
    panes?.begin();
  };
  let diff = await diffSince(ready);
  try {
    return await runSeries({
      ...sources,
      emit: (event) => {
        if (event.kind === "agent") feedAgent(event, request, { notebook, feed });
        request.emit?.(event);
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
      watch: noting(request, { notebook, feed, begin }),
    });
  } finally {
    panes?.end();
    await feed.close();
    if (isDebug) await appendText(join(folder, "logs", "debug.log"), notebook.take().debug);
  }
}

/** What a program only prints is in its transcript, which the feed follows. */
function feedAgent(
  { speaker, event }: Extract<LiveEvent, { kind: "agent" }>,
  { words }: CampaignRequest,
  { notebook, feed }: { readonly notebook: CampaignNotebook; readonly feed: LiveFeed },
): void {
  const pane = speaker.startsWith("verifier") ? "verifier" : "worker";
  if (event.type === "output") return feed.sign(pane);
  notebook.debug(`${speaker} ${event.type}`);
  const text = words.event(speaker, event);
  if (text === null) feed.sign(pane);
  else feed.line(pane, text);
}

interface Noting {
  readonly notebook: CampaignNotebook;
  readonly feed: LiveFeed;
  /** Done once, as soon as nobody else can be the leader. */
  readonly begin: () => void;
}

function noting(
  { watch, words }: CampaignRequest,
  { notebook, feed, begin }: Noting,
): CampaignRequest["watch"] {
  return {
    ...watch,
    begun: (series) => {
      begin();
      watch.begun(series);
    },
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
