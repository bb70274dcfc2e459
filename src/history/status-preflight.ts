/** `relais status --preflight`: whether a tick could start now. */
import { chooseDriver } from "../agents/choose-driver.ts";
import type { Preflight } from "../records/status-answers.ts";
import { refuseNotReady } from "../records/command-failure.ts";
import { CONFIG_NAME } from "../config/config.ts";
import { foldLines } from "../records/folded-lines.ts";
import { InvariantError } from "../base/errors.ts";
import { readFilterSettings } from "../git/filter-settings.ts";
import type { LockReading } from "../journal/acquire-lock.ts";
import { readClockMs } from "../system/clock.ts";
import { createRunId } from "../journal/run-directory.ts";
import { findStateDirectory } from "../journal/state-directory.ts";
import { chooseConfig } from "../tick/choose-config.ts";
import { findPreflightRefusal } from "../tick/preflight.ts";
import { findIncompleteJournal } from "../workspace/journal-state.ts";
import { lockUnavailable } from "../workspace/read-locks.ts";
import { openWorkspace } from "../workspace/open-workspace.ts";
import type { WorkspaceSnapshot, WorkspaceRequest } from "../workspace/workspace.ts";
import type { ScriptPlayer } from "../agents/scripted.ts";

/** The checks of a tick, in the same order. Nothing is recorded. */
export async function runPreflight(
  request: StatusRequest,
  { lines }: WorkspaceSnapshot,
  lock: LockReading,
): Promise<Preflight> {
  const { signal, player } = request;
  const complete = await chooseConfig({ ...request, chosen: { choices: {}, foundText: null }, needsAgent: true });
  if (complete.kind === "misused") throw new InvariantError(complete.message);
  if (complete.kind === "blocked") return blockPreflight(complete);
  const workspace = await openWorkspace({ ...request, chosen: complete.chosen }, findStateDirectory);
  if (workspace.kind === "blocked") return blockPreflight(workspace);
  if (lock.kind === "busy" || lock.kind === "corrupt") return blockPreflight(lockUnavailable(lock));
  const incomplete = await findIncompleteJournal(workspace);
  if (incomplete !== null) return blockPreflight(incomplete);
  const { config, repository } = workspace;
  const builder = await chooseDriver({ config, repository, player });
  if (builder.kind === "refused") {
    const message = `The builder cannot be used: ${builder.problem}.`;
    const remedy = `Correct the builder in ${CONFIG_NAME}, then run \`relais doctor\`.`;
    return blockPreflight(refuseNotReady("builder_unusable", message, remedy));
  }
  const refusal = await findPreflightRefusal({
    ...workspace,
    workspace: workspace.folder,
    journal: foldLines(lines),
    settings: await readFilterSettings(repository, signal),
    runId: createRunId(readClockMs()),
    signal,
  });
  return refusal === null ? { kind: "ready" } : blockPreflight(refusal);
}

function blockPreflight(why: Omit<Extract<Preflight, { kind: "blocked" }>, "kind">): Preflight {
  const { code, cause, message, remedy } = why;
  return { kind: "blocked", code, cause, message, ...(remedy === undefined ? {} : { remedy }) };
}

export interface StatusRequest extends WorkspaceRequest {
  readonly withPreflight: boolean;
  readonly player: ScriptPlayer;
}
