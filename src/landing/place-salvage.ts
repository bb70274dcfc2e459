/** The saved work of a tick on top of what is checked out now, for a session that goes on with it. */
import { shortenList } from "../base/words.ts";
import { writeShellWord } from "../base/process-text.ts";
import { type CommandFailure, refuse } from "../records/command-failure.ts";
import type { PlacedSalvage, SavedWork } from "../tick/repaired-work.ts";
import type { LockedWorkspace } from "../workspace/workspace.ts";
import { openLandingBase, withLandingFolder } from "./landing-base.ts";
import { prepareSalvage } from "./prepare-salvage.ts";

export async function placeSalvage(
  workspace: LockedWorkspace,
  { runId, sentence }: SavedWork,
  signal: AbortSignal,
): Promise<PlacedSalvage | CommandFailure> {
  const { stateDirectory, journal } = workspace;
  const prepared = await withLandingFolder(stateDirectory, async (folder) => {
    const ground = await openLandingBase(workspace, folder, signal);
    return prepareSalvage({ ...ground, stateDirectory, lines: journal.lines() }, runId);
  });
  if (prepared.kind === "prepared") return { kind: "placed", moves: prepared.landing.moves };
  if (prepared.kind === "conflict") {
    const { paths } = prepared;
    const message = `The work of ${runId} conflicts with HEAD in ${shortenList(paths)}.`;
    const anew = sentence === null ? "" : `Do it anew on HEAD: \`relais run ${writeShellWord(sentence)}\`. `;
    const next = `${anew}The work stays saved: \`relais salvage show ${runId}\`.`;
    return refuse({ cause: "work_conflicts", runId, message, paths, next });
  }
  // It is not whole, or nothing of it is left to write: the session begins with what there is, and is told so.
  return { kind: "as_it_is" };
}
