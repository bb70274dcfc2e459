import type { ReplayRow } from "../../../contract/answers/replayed-tick.ts";
import { findEditedLedgerLine, replayTick } from "../../../run/inspect/past-ticks.ts";
import type { WorkspaceSnapshot } from "../../../run/workspace/workspace.ts";
import { renderReplay } from "../../../view/history/replay-text.ts";
import type { CommandEnd, Session } from "../../framework/command.ts";
import { getCanvas } from "../../framework/session-canvas.ts";

const DIFFERS_STATUS = 10;

/** Judges ticks again and says which of them do not come out as they were recorded. */
export async function replayTicks(
  runIds: readonly string[],
  around: WorkspaceSnapshot,
  session: Session,
): Promise<CommandEnd> {
  const ticks: ReplayRow[] = [];
  for (const runId of runIds) ticks.push({ runId, replayed: await replayTick(around, runId) });
  const ledgerLine = await findEditedLedgerLine(around);
  const isSame = ledgerLine === null && ticks.every(({ replayed }) => !["differs", "damaged"].includes(replayed.kind));
  if (session.json) {
    const ledger = { edited_line: ledgerLine };
    session.out(`${JSON.stringify({ same: isSame, ledger, ticks: ticks.map(document) })}\n`);
  } else {
    const isQuiet = session.detail === "quiet";
    session.out(renderReplay({ ticks, ledgerLine }, { ...getCanvas(session), isQuiet }));
  }
  return { kind: "ended", status: isSame ? 0 : DIFFERS_STATUS };
}

function document({ runId, replayed }: ReplayRow): object {
  if (replayed.kind === "same") {
    const { judgement, isHashChecked, isFolderChecked } = replayed;
    const checked = { hash_checked: isHashChecked, folder_checked: isFolderChecked };
    return { run_id: runId, result: "same", code: judgement.code, ...checked };
  }
  const { kind, ...rest } = replayed;
  return { run_id: runId, result: kind.replace("-", "_"), ...rest };
}
