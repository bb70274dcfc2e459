import type { Excess } from "../../base/manifest.ts";
import type { Gate } from "./gate.ts";

const MIB = 1024 * 1024;

/** Refuses a change that adds more to the repository than a tick may add, ignored files included. */
export const growth: Gate = {
  id: "growth",
  refuse: ({ evidence: { excess } }) =>
    excess === undefined
      ? []
      : [{ code: "STOP_DIFF_TOO_LARGE", subject: "the change as a whole", rule: describeExcess(excess), glob: null }],
};

export function describeExcess({ kind, max }: Excess): string {
  return kind === "files"
    ? `More than ${max} new files and folders (runner.max_new_files); only the first are listed and kept in salvage.`
    : `More than ${Math.round(max / MIB)} MB of new data (runner.max_new_mb); only a part is kept in salvage.`;
}

export function nameExcess({ kind }: Excess): "too_many_files" | "too_many_bytes" {
  return `too_many_${kind}`;
}
