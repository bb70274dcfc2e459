/** Starts or continues a campaign. It can be refused only before it starts. */
import { join } from "node:path";
import type { CampaignStage } from "../records/campaign-files.ts";
import { writeCampaignCommand } from "./pure/campaign-names.ts";
import { makeCampaignWorkflow } from "./pure/campaign-workflow.ts";
import { createDispatch } from "../system/drop-folder.ts";
import { isFolder } from "../system/is-folder.ts";
import { makeFolders } from "../system/make-folders.ts";
import { runSeries, type SeriesAnswer } from "./run-series.ts";
import type { SeriesRequest } from "./series-loop.ts";
import { foldWorkspace } from "../workspace/read-workspace.ts";
import { foldOfRepository } from "../workspace/lines-of-repository.ts";
import { openDebugLog } from "./debug-log.ts";
import { openHeartbeat, locatePrivateFolder } from "./heartbeat.ts";
import { prepareIteration } from "./iteration-prompts.ts";
import { withWorkspace } from "../workspace/with-workspace.ts";
import { writeSessionConfig } from "./start-tmux.ts";
import {
  CAMPAIGN_RESUMES,
  type CampaignObstacle,
  type CampaignWish,
  type ReadyCampaign,
  prepareCampaign,
} from "./prepare-campaign.ts";
import { isSentinelOwed, keepSentinel } from "./keep-sentinel.ts";
import { watchPanes } from "./watch-panes.ts";
import { publishCampaign, type RenderIteration } from "./publish-campaign.ts";
import { readDiffSince } from "./read-diff.ts";

export interface CampaignRequest
  extends
    CampaignWish,
    Pick<SeriesRequest<unknown>, "signal" | "player" | "renderReport" | "relaisVersion" | "watch" | "emit"> {
  readonly isDebug: boolean;
  readonly render: RenderIteration;
  readonly stage: CampaignStage | null;
}

export type CampaignAnswer = SeriesAnswer | CampaignObstacle;

export async function runCampaign(request: CampaignRequest): Promise<CampaignAnswer> {
  const ready = await prepareCampaign(request);
  if (ready.kind !== "campaign") return ready;
  const { workspace, folder } = ready;
  const { config, repository } = workspace;
  const place = { slug: request.slug, folder, worktree: repository.root, config };
  try {
    return await runReady(request, ready);
  } finally {
    await keepOwedSentinel(request, place);
  }
}

/** Where another relais holds the locks by now, the next run writes it. */
async function keepOwedSentinel(request: CampaignRequest, place: Parameters<typeof keepSentinel>[1]): Promise<void> {
  const known = await foldWorkspace(request);
  if (known.kind === "blocked" || !isSentinelOwed(foldOfRepository(known.journal, known.repository), place)) return;
  // Without the signal: one that ended the run must not stop this.
  const { cwd, environment } = request;
  await withWorkspace({ cwd, environment }, "decide", ({ journal, repository }) =>
    keepSentinel(foldOfRepository(journal, repository), place),
  );
}

async function runReady(request: CampaignRequest, ready: ReadyCampaign): Promise<SeriesAnswer> {
  const { settings, onDisk, folder, workspace, isNew, chosen } = ready;
  const { slug, isDebug, render, choices: _choices, configChoices, stage, ...sources } = request;
  const logs = join(folder, "logs");
  const heartbeat = openHeartbeat(locatePrivateFolder(workspace.stateDirectory, slug), workspace.config);
  const debug = isDebug ? openDebugLog(join(logs, "debug.log")) : null;
  const endPanes = stage === null ? null : await watchPanes({ ...request, ...workspace, stage });
  let diff = await readDiffSince(workspace.repository, settings.base);
  try {
    return await runSeries({
      ...sources,
      emit: (event) => {
        heartbeat.emit(event);
        debug?.emit(event);
        request.emit?.(event);
      },
      options: { command: writeCampaignCommand(slug), mode: null, max_ticks: null, campaign: settings },
      isNew,
      choices: configChoices,
      chosen,
      resumes: CAMPAIGN_RESUMES,
      workflow: ({ config, warnings, seriesId }) => {
        const texts = { ...onDisk.texts, diff };
        return makeCampaignWorkflow({ config, settings, warnings, seriesId, texts, nonce: createDispatch() });
      },
      beforeTick: (work) => {
        debug?.begin(work);
        prepareIteration(work, logs, settings);
      },
      publish: async (now, series) => {
        diff = await readDiffSince(workspace.repository, settings.base);
        await debug?.flush();
        return publishCampaign(now, series, render);
      },
      watch: {
        ...request.watch,
        // By now this process holds the locks and is the leader.
        begun: (series) => {
          makeFolders(logs);
          if (stage !== null) writeSessionConfig(ready, stage);
          request.watch.begun(series);
        },
      },
    });
  } finally {
    endPanes?.();
    heartbeat.close();
    if (isFolder(logs)) await debug?.flush();
  }
}
