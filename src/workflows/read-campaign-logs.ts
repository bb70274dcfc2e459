import { join } from "node:path";
import { labelIteration } from "./pure/campaign-work.ts";
import { listFilesIn, readNow } from "../system/read-files.ts";
import { type Refusal, refuse } from "../records/command-failure.ts";
import type { FoundCampaign } from "./find-campaign.ts";

export interface IterationLogs {
  readonly kind: "logs";
  readonly iteration: number;
  /** In the order in which they were written. */
  readonly files: readonly (readonly [name: string, text: string])[];
}

const FILE_BYTES_MAX = 1024 * 1024;
const PARTS = ["worker-prompt", "verifier-prompt", "result"];

export function readIterationLogs({ folder, slug }: FoundCampaign, wanted: number | null): IterationLogs | Refusal {
  const logs = join(folder, "logs");
  const names = listFilesIn(logs).filter((name) => /^iter-\d{3,}\./u.test(name));
  const last = names.map((name) => Number(/^iter-(\d+)/u.exec(name)?.[1])).reduce((a, b) => Math.max(a, b), 0);
  const iteration = wanted ?? last;
  const own = names.filter((name) => name.startsWith(`iter-${labelIteration(iteration)}.`));
  if (own.length === 0)
    return refuse({
      cause: "no_iteration",
      message: wanted === null ? `The campaign ${slug} has no iteration yet.` : `There is no iteration ${wanted}.`,
      next: `See \`relais campaign status ${slug}\`.`,
    });
  const files = own
    .toSorted((one, other) => rankLog(one) - rankLog(other))
    .map((name) => {
      const text = readNow(join(logs, name), { bytesMax: FILE_BYTES_MAX, isTail: true });
      return [name, text?.toString("utf8") ?? ""] as const;
    });
  return { kind: "logs", iteration, files };
}

function rankLog(name: string): number {
  return PARTS.findIndex((part) => name.includes(`.${part}`));
}
