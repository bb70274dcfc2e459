import type { Work } from "./pure/workflow.ts";
import { readClockMs } from "../system/clock.ts";
import { appendText, writeNow } from "../system/write-files.ts";
import type { LiveEvent } from "../records/live-event.ts";
import { dirname, join } from "node:path";
import type { CampaignSettings } from "../records/campaign.ts";
import type { JournalLine } from "../records/event.ts";
import { nameLog, foldCampaign } from "./pure/fold-campaign.ts";
import { readNow, isFolder } from "../system/read-files.ts";
import { removeFile } from "../system/remove-own.ts";
import { locateRunDirectory } from "../journal/run-directory.ts";
import { CampaignClaim, CampaignSignal, CampaignVerdict } from "../records/campaign-messages.ts";
import { CampaignStatus, type CampaignStage } from "../records/campaign-files.ts";
import { locateCampaignFolder, writeCampaignCommand } from "./pure/campaign-names.ts";
import { type CampaignState, type IterationRecord, NEW_CAMPAIGN } from "./pure/campaign-state.ts";
import { summariseCampaign } from "./pure/campaign-status.ts";
import { labelIteration } from "./pure/campaign-work.ts";
import type { Workspace } from "../workspace/workspace.ts";
import { openPublication, type Publication } from "../workspace/publish.ts";
import type { PublishedSeries, SeriesRequest } from "./series-loop.ts";
import { CAMPAIGN_FILES, findStandingSentinel } from "./campaign-on-disk.ts";
import { makeCampaignWorkflow } from "./pure/campaign-workflow.ts";
import { createDispatch } from "../system/drop-folder.ts";
import { makeFolders } from "../system/folders.ts";
import { runSeries, type SeriesAnswer } from "./run-series.ts";
import { foldWorkspace } from "../workspace/read-workspace.ts";
import { foldOfRepository } from "../workspace/lines-of-repository.ts";
import { openHeartbeat, locatePrivateFolder, isSentinelOwed, keepSentinel } from "./heartbeat.ts";
import { withWorkspace } from "../workspace/with-workspace.ts";
import { writeSessionConfig, watchPanes } from "./start-tmux.ts";
import {
  CAMPAIGN_RESUMES,
  type CampaignObstacle,
  type CampaignWish,
  type ReadyCampaign,
  prepareCampaign,
} from "./prepare-campaign.ts";
import { readDiffSince } from "./read-diff.ts";

/** What `--debug` writes: each tick with its model, what its agents do, and how it ended. */
export function openDebugLog(path: string) {
  let lines: string[] = [];
  const note = (line: string): void => {
    lines.push(`${new Date(readClockMs()).toISOString()} ${line}\n`);
  };
  return {
    emit: (event: LiveEvent): void => {
      if (event.kind === "agent" && event.event.type !== "output") note(`${event.speaker} ${event.event.type}`);
      if (event.kind !== "recorded") return;
      const recorded = event.line.event;
      if (recorded.type === "tick_ended") note(`ended ${recorded.code} ${recorded.cause ?? ""}`);
      if (recorded.type === "series_waiting") note(`wait until ${recorded.until}`);
      if (recorded.type === "series_ended") note(`end ${recorded.end} ${recorded.reason}`);
    },
    begin: ({ review, roles = {}, task }: Work): void => {
      const role = review === null ? roles.builder : roles.verifier;
      note(`begin ${task?.task_id} model=${role?.model}`);
    },
    /** Not during a tick: nothing may be written in the repository while it is observed. */
    flush: async (): Promise<void> => {
      const text = lines.join("");
      lines = [];
      if (text !== "") await appendText(path, text);
    },
  };
}

/**
 * The prompts of each iteration, in the logs of its campaign.
 *
 * A worker's prompt is written before its tick begins. A verifier's is made during the tick, because it says how the
 * commands ended: it is kept in the folder of the tick, and copied afterwards.
 */

const OF_ONE_ITERATION = ["done-claim.json", "verify-verdict.json", "verify-verdict.second.json"];

/** Writes the prompt of a worker, and removes the claim and the verdicts of the iteration before. */
export function prepareIteration({ task, review, brief }: Work, logs: string, settings: CampaignSettings): void {
  const name = review === null && task !== null ? nameLog(task.task_id, settings) : null;
  if (name === null) return;
  writeNow(join(logs, name), brief.prompt ?? "");
  for (const old of OF_ONE_ITERATION) removeFile(join(dirname(logs), old));
}

const PROMPT_BYTES_MAX = 4 * 1024 * 1024;
/** The process of the tick before may have been killed before it could copy the prompt. */
const TICKS_LOOKED_AT = 2;

export function listVerifierPrompts(
  lines: readonly JournalLine[],
  settings: CampaignSettings,
  stateDirectory: string,
): ReadonlyMap<string, string> {
  const planned = lines.flatMap(({ run_id, event }) =>
    event.type === "planned" ? [{ runId: run_id, name: nameLog(event.task.task_id, settings) }] : [],
  );
  const [verifier = ""] = settings.verifiers;
  const found = planned.slice(-TICKS_LOOKED_AT).flatMap(({ runId, name }) => {
    const path = join(locateRunDirectory(stateDirectory, runId), `verifier-${verifier}.prompt.txt`);
    const text = name === null ? null : readNow(path, { bytesMax: PROMPT_BYTES_MAX });
    return name === null || text === null ? [] : [[name, text.toString("utf8")] as const];
  });
  return new Map(found);
}

/** Publishes the folder of a campaign: all of it follows from the journal and can be written again. */

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
  const status = summariseCampaign(state, settings, config, sentinel);
  await folder.document(CAMPAIGN_FILES.status, CampaignStatus, status);
  if (state.memory !== null) await folder.text(CAMPAIGN_FILES.memory, state.memory);
  if (state.context !== null) await folder.text(CAMPAIGN_FILES.context, state.context);
  await publishMessages(folder, state);
  // The process of the iteration before may have been killed before it could write this.
  for (const record of state.records.slice(-2))
    await logs.text(`iter-${labelIteration(record.iteration)}.result.md`, render(settings.slug, record));
  for (const [name, text] of listVerifierPrompts(own, settings, stateDirectory)) await logs.text(name, text);
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

/** Starts or continues a campaign. It can be refused only before it starts. */

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
