import { showRun } from "../../../run/workspace/history.ts";
import { type PastTick, listPastTicks, readTickPatch } from "../../../run/inspect/past-ticks.ts";
import { type CommandFailure, refuse } from "../../../contract/answers/command-failure.ts";
import { withWorkspace } from "../../../run/workspace/with-workspace.ts";
import type { WorkspaceSnapshot } from "../../../run/workspace/workspace.ts";
import { type Decision, renderHistoryList, renderHistoryShow } from "../../../view/history/history-text.ts";
import { renderPatchLines } from "../../../view/cards/patch-lines.ts";
import type { CommandEnd, RunCommand, Session } from "../../framework/command.ts";
import { replayTicks } from "./history-replay.ts";
import { readCommandEnd, printFailure } from "../../answers/refusal-answer.ts";
import { chooseRun } from "../../answers/run-choice.ts";
import { getCanvas } from "../../framework/session-canvas.ts";

const LISTED = 20;
const DONE: CommandEnd = { kind: "ended", status: 0 };

interface Past {
  readonly around: WorkspaceSnapshot;
  readonly ticks: readonly PastTick[];
}

/** Everything that is known of the ticks; what keeps from that is said. */
async function withPast(
  session: Session,
  use: (past: Past) => Promise<CommandEnd | CommandFailure>,
): Promise<CommandEnd> {
  const read = async (around: WorkspaceSnapshot) => use({ around, ticks: await listPastTicks(around) });
  return readCommandEnd(await withWorkspace(session, "read", read), session);
}

interface ChosenTick {
  readonly around: WorkspaceSnapshot;
  readonly runId: string;
  readonly tick: PastTick | null;
}

/** The tick that is meant. */
function withTick(
  asked: string | undefined,
  session: Session,
  use: (chosen: ChosenTick) => Promise<CommandEnd>,
): Promise<CommandEnd> {
  return withPast(session, async ({ around, ticks }) => {
    const known = ticks.map(({ runId }) => runId);
    const chosen = chooseRun(asked ?? null, known, "No tick has been recorded yet.");
    if (chosen.kind !== "run") return chosen;
    const { runId } = chosen;
    return use({ around, runId, tick: ticks.find((tick) => tick.runId === runId) ?? null });
  });
}

/** `relais history list`. */
export const listHistoryCommand: RunCommand = (_, session) =>
  withPast(session, ({ ticks }) => Promise.resolve(printList(ticks, session)));

/** `relais history show`. */
export const showHistory: RunCommand = ({ positionals: [asked] }, session) =>
  withTick(asked, session, (chosen) => printTick(chosen, session));

/** `relais history diff`. */
export const diff: RunCommand = ({ positionals: [asked] }, session) =>
  withTick(asked, session, (chosen) => printPatch(chosen, session));

/** `relais history replay`. */
export const replayHistory: RunCommand = ({ positionals: [asked] }, session) => {
  if (asked !== undefined)
    return withTick(asked, session, ({ runId, around }) => replayTicks([runId], around, session));
  return withPast(session, ({ ticks, around }) => {
    const expected = ticks.filter(({ isExpected }) => isExpected).map(({ runId }) => runId);
    return replayTicks(expected, around, session);
  });
};

function printList(ticks: readonly PastTick[], session: Session): CommandEnd {
  if (session.json) {
    session.out(`${JSON.stringify({ ticks: ticks.map(tickDocument), total: ticks.length })}\n`);
    return DONE;
  }
  const shown = session.detail === "all" ? ticks : ticks.slice(0, LISTED);
  const hidden = ticks.length - shown.length;
  session.out(renderHistoryList(shown, getCanvas(session)));
  if (hidden > 0) session.out(`and ${hidden} more; -v shows them\n`);
  return DONE;
}

function tickDocument(tick: PastTick): object {
  const { runId, startedAt, endedAt, code, intent, action, commit, branch, isUndone, isRunning } = tick;
  const when = { started_at: startedAt, ended_at: endedAt };
  return {
    run_id: runId,
    ...when,
    code,
    intent,
    action,
    commit,
    branch,
    undone: isUndone,
    running: isRunning,
  };
}

async function printTick({ tick, around, runId }: ChosenTick, session: Session): Promise<CommandEnd> {
  const shown = await showRun(around.history, runId);
  if (shown.kind !== "run") {
    const isPruned = tick?.isPruned === true;
    const missing = isPruned ? "its folder was removed by `relais history prune`" : "there is no folder of it";
    const why = shown.kind === "unknown" ? missing : `${shown.file}: ${shown.reason}`;
    const message = `The history of ${runId} cannot be shown: ${why}.`;
    const next = isPruned
      ? "See `relais history list` for what the journal tells."
      : "See `relais history replay` for what else is damaged.";
    return printFailure(
      refuse({ cause: isPruned ? "history_pruned" : "history_damaged", runId, message, next }),
      session,
    );
  }
  const { meta, report, files } = shown;
  const decision = decisionOf(tick);
  if (session.json) session.out(`${JSON.stringify({ run_id: runId, meta, report, files, decision })}\n`);
  else {
    const isWhole = session.detail === "all";
    session.out(renderHistoryShow(report, { ...getCanvas(session), isWhole, decision }));
  }
  return DONE;
}

function decisionOf(tick: PastTick | null): Decision | null {
  if (tick === null) return null;
  if (tick.isUndone) return { kind: "undone" };
  const { isAccepted, commit, branch } = tick;
  return isAccepted && commit !== null ? { kind: "committed", commit, branch: branch ?? "" } : null;
}

/** What is piped must be the patch to the last byte; what a person looks at must do nothing to the terminal. */
async function printPatch({ runId, around }: ChosenTick, session: Session): Promise<CommandEnd> {
  const found = await readTickPatch(around, runId);
  if (found.kind !== "patch") {
    const why = found.kind === "none" ? "" : ` ${found.path}: ${found.reason}.`;
    const message = `There is no patch of ${runId}.${why}`;
    const next = `See \`relais history show ${runId}\`.`;
    return printFailure(refuse({ cause: "no_patch", runId, message, next }), session);
  }
  const { patch } = found;
  const text = patch.toString("utf8");
  if (session.json) {
    const exact = Buffer.from(text).equals(patch) ? null : patch.toString("base64");
    session.out(`${JSON.stringify({ run_id: runId, patch: text, patch_base64: exact })}\n`);
  } else if (session.isTerminal && patch.length > 0) {
    session.out(`${renderPatchLines(text, { style: session.style, isWhole: true }).join("\n")}\n`);
  } else session.out(patch);
  return DONE;
}
