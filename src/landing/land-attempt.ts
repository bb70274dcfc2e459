/** What one task of a round made beside the worktree, on top of what has landed since; or why it cannot land. */
import type { Attempt } from "../records/attempts.ts";
import { isUsable } from "../tick/pure/attempt-report.ts";
import { shorten } from "../base/words.ts";
import type { Landing, LandingRefusal } from "../workflows/pure/workflow.ts";
import type { LockedWorkspace } from "../workspace/workspace.ts";
import { openLandingBase, withLandingFolder } from "./landing-base.ts";
import { prepareSalvage } from "./prepare-salvage.ts";

const MESSAGE_CHARS = 4000;

export async function landAttempt(workspace: LockedWorkspace, made: Attempt, signal: AbortSignal): Promise<Landing> {
  const { number, run_id: runId, code, message = null, until } = made;
  const name = runId ?? `attempt ${number}`;
  const stop = (refusal: LandingRefusal): Landing => ({ name, moves: [], commits: null, summary: "", refusal });
  if (!isUsable(made) || runId === null)
    return stop({ code, cause: null, message, ...(until === undefined ? {} : { until }) });
  const { stateDirectory, journal } = workspace;
  const prepared = await withLandingFolder(stateDirectory, async (folder) => {
    const ground = await openLandingBase(workspace, folder, signal);
    return prepareSalvage({ ...ground, stateDirectory, lines: journal.lines() }, runId);
  });
  if (prepared.kind === "prepared") return prepared.landing;
  const told =
    prepared.kind === "conflict"
      ? `It conflicts with what landed before in ${prepared.paths.join(", ")}. "here" is what is there now, "the change" is what was done before:\n\n${prepared.text}`
      : prepared.message;
  return stop({ code: "STOP_PATCH_APPLY_FAILED", cause: LANDING_CONFLICT, message: shorten(told, MESSAGE_CHARS) });
}

const LANDING_CONFLICT = "landing_conflict";
