import type { PastTick, ReplayRow } from "../records/status-answers.ts";
import { showRun } from "../workspace/history.ts";
import { findEditedLedgerLine, readTickPatch, replayTick } from "../history/past-tick-files.ts";
import { refuse } from "../records/command-failure.ts";
import type { WorkspaceSnapshot } from "../workspace/workspace.ts";
import { type Decision, renderHistoryShow } from "../cards/history-show-text.ts";
import { renderReplay } from "../cards/history-text.ts";
import { renderPatchLines } from "../cards/judgement-text.ts";
import type { CommandEnd, RunCommand, Session } from "../terminal/command.ts";
import { printAnswer } from "../terminal/print-answer.ts";
import { printFailure } from "../terminal/refusal-answer.ts";
import { chooseRun } from "../terminal/run-choice.ts";
import { withPast } from "./with-past.ts";

interface ChosenTick {
  readonly around: WorkspaceSnapshot;
  readonly runId: string;
  readonly tick: PastTick | null;
}

/** Finds the named tick, or the newest. */
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

export const showHistory: RunCommand = ({ positionals: [asked] }, session) =>
  withTick(asked, session, (chosen) => printTick(chosen, session));

export const diff: RunCommand = ({ positionals: [asked] }, session) =>
  withTick(asked, session, (chosen) => printPatch(chosen, session));

export const replayHistory: RunCommand = ({ positionals: [asked] }, session) => {
  if (asked !== undefined)
    return withTick(asked, session, ({ runId, around }) => replayTicks([runId], around, session));
  return withPast(session, ({ ticks, around }) => {
    const expected = ticks.filter(({ isExpected }) => isExpected).map(({ runId }) => runId);
    return replayTicks(expected, around, session);
  });
};

async function printTick({ tick, around, runId }: ChosenTick, session: Session): Promise<CommandEnd> {
  const shown = await showRun(around, runId);
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
  const decision = findDecision(tick);
  const text = () => renderHistoryShow(report, { ...session, isWhole: session.detail === "all", decision });
  return printAnswer({ document: { run_id: runId, meta, report, files, decision }, text, isAsked: true }, session);
}

function findDecision(tick: PastTick | null): Decision | null {
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
  const exact = Buffer.from(text).equals(patch) ? null : patch.toString("base64");
  const isShown = session.isTerminal && patch.length > 0;
  const lines = () => `${renderPatchLines(text, { style: session.style, isWhole: true }).join("\n")}\n`;
  const document = { run_id: runId, patch: text, patch_base64: exact };
  return printAnswer({ document, text: () => (isShown ? lines() : patch), isAsked: true }, session);
}

const DIFFERS_STATUS = 10;

/** Judges ticks again and says which of them do not come out as they were recorded. */
async function replayTicks(
  runIds: readonly string[],
  around: WorkspaceSnapshot,
  session: Session,
): Promise<CommandEnd> {
  const ticks: ReplayRow[] = [];
  for (const runId of runIds) ticks.push({ runId, replayed: await replayTick(around, runId) });
  const ledgerLine = await findEditedLedgerLine(around);
  const same = ledgerLine === null && ticks.every(({ replayed }) => !["differs", "damaged"].includes(replayed.kind));
  const isQuiet = session.detail === "quiet";
  return printAnswer(
    {
      document: { same, ledger: { edited_line: ledgerLine }, ticks: ticks.map(makeReplayDocument) },
      text: () => renderReplay(ticks, ledgerLine, { ...session, isQuiet }),
      status: same ? 0 : DIFFERS_STATUS,
      isAsked: true,
    },
    session,
  );
}

function makeReplayDocument({ runId, replayed }: ReplayRow): object {
  if (replayed.kind === "same") {
    const { judgement, isHashChecked, isFolderChecked } = replayed;
    const checked = { hash_checked: isHashChecked, folder_checked: isFolderChecked };
    return { run_id: runId, result: "same", code: judgement.code, ...checked };
  }
  const { kind, ...rest } = replayed;
  return { run_id: runId, result: kind.replace("-", "_"), ...rest };
}
