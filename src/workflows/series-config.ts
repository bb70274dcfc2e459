/** The configuration of a series: its choices last until its end, and so does a configuration that relais found. */
import { join } from "node:path";
import type { NotReady } from "../records/command-failure.ts";
import type { LastSeries } from "../records/series.ts";
import { findResumableSeries } from "./pure/last-series.ts";
import { locateRunDirectory } from "../journal/run-directory.ts";
import { chooseConfig, type CompleteConfig } from "../tick/choose-config.ts";
import { findRecordedConfig } from "../workspace/config-file.ts";
import { foldOfRepository } from "../workspace/lines-of-repository.ts";
import type { Misuse } from "../workspace/misuse.ts";
import { type FoldedWorkspace, foldWorkspace } from "../workspace/read-workspace.ts";
import type { SeriesRequest } from "./series-loop.ts";

type ConfigRequest = Pick<SeriesRequest<unknown>, "cwd" | "environment" | "choices" | "options" | "isNew" | "resumes">;

/** A series that goes on keeps its choices, unless this command has others. */
export async function chooseSeriesConfig(request: ConfigRequest): Promise<CompleteConfig | NotReady | Misuse> {
  const known = await foldWorkspace(request);
  if (known.kind === "blocked") return known;
  const last = request.isNew ? null : findLast(request, known);
  const choices = { ...last?.options.choices, ...request.choices };
  const foundText = last?.options.config === "found" ? await readRecordedText(last, known) : null;
  return chooseConfig({ ...request, chosen: { choices, foundText }, needsAgent: true });
}

function findLast({ options, resumes }: ConfigRequest, { journal, repository }: FoldedWorkspace): LastSeries | null {
  const wanted = { ...options, worktree: repository.root, ...(resumes === undefined ? {} : { resumes }) };
  return findResumableSeries(foldOfRepository(journal, repository), wanted);
}

/** What the last tick of the series recorded; null if it is lost. */
async function readRecordedText(
  { runId }: LastSeries,
  { journal, stateDirectory }: FoldedWorkspace,
): Promise<string | null> {
  const started = journal.linesOf(runId).find(({ event }) => event.type === "tick_started")?.event;
  if (started?.type !== "tick_started") return null;
  const path = join(locateRunDirectory(stateDirectory, runId), "config.json");
  const recorded = await findRecordedConfig([path], started.config_sha256);
  return recorded?.kind === "config" ? recorded.text : null;
}
