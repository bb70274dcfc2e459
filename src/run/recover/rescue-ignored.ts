/**
 * Copies the ignored files that a recovery removes or overwrites.
 *
 * Salvage leaves ignored files out, because a builder creates thousands. Between a crash and its recovery they
 * may also be a person's, a new `.env` for instance. So copies go into the state directory,
 * which only its owner can read.
 */
import { join } from "node:path";
import type { RescuedFiles } from "../../contract/answers/recovery.ts";
import type { Evidence } from "../../contract/evidence/evidence.ts";
import { readClockMs } from "../../io/machine/clock.ts";
import { rescueFiles } from "../../io/content/rescue.ts";
import { createRunId } from "../../io/workspace/run-directory.ts";
import { decodeChangePath } from "../evidence/change-bytes.ts";
import type { TickSession } from "../session/tick-session.ts";

export function rescueIgnored(
  { repository, stateDirectory, config }: TickSession,
  { changes }: Evidence,
): RescuedFiles | null {
  const files = changes.flatMap((change) => {
    const isOurs = change.path.startsWith(`${config.workspace_dir}/`);
    if (change.standing !== "ignored" || isOurs || change.after?.type !== "file") return [];
    return [{ path: decodeChangePath(change), size: change.after.size }];
  });
  if (files.length === 0) return null;
  const folder = join(stateDirectory, "rescued", "files", createRunId(readClockMs()));
  const kept = rescueFiles({ folder: repository.root, target: folder, files });
  return { folder, kept, total: files.length };
}
