/**
 * The prompts of each iteration, in the logs of its campaign.
 *
 * A worker's prompt is written before its tick begins. A verifier's is made during the tick, because it says how the
 * commands ended: it is kept in the folder of the tick, and copied afterwards.
 */
import { dirname, join } from "node:path";
import type { CampaignSettings } from "../records/campaign.ts";
import type { JournalLine } from "../records/event.ts";
import { nameLog } from "./pure/campaign-folder.ts";
import type { Work } from "./pure/workflow.ts";
import { readNow } from "../system/read-now.ts";
import { removeFile } from "../system/remove-file.ts";
import { writeNow } from "../system/write-now.ts";
import { locateRunDirectory } from "../journal/run-directory.ts";

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

interface CampaignTicks {
  readonly lines: readonly JournalLine[];
  readonly settings: CampaignSettings;
  readonly stateDirectory: string;
}

export function listVerifierPrompts({ lines, settings, stateDirectory }: CampaignTicks): ReadonlyMap<string, string> {
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
