import { bringBack } from "../../../run/decisions/bring-back.ts";
import { type CommandFailure, refuse } from "../../../contract/answers/command-failure.ts";
import { listRescued, listSalvage, type SalvageEntry, showSalvage } from "../../../run/keep/salvage.ts";
import { withWorkspace } from "../../../run/workspace/with-workspace.ts";
import { renderApplied } from "../../../view/history/decision-text.ts";
import { neutralise } from "../../../view/text/neutralise.ts";
import { renderSalvageList, renderSalvageShow } from "../../../view/history/salvage-text.ts";
import type { CommandEnd, RunCommand, Session } from "../../framework/command.ts";
import { readCommandEnd, printFailure } from "../../answers/refusal-answer.ts";
import { chooseRun } from "../../answers/run-choice.ts";
import { getCanvas } from "../../framework/session-canvas.ts";

interface Kept {
  readonly stateDirectory: string;
  readonly entries: readonly SalvageEntry[];
  readonly rescued: Awaited<ReturnType<typeof listRescued>>;
}

/** What is kept; what keeps from reading it is said. */
async function withKept(
  session: Session,
  use: (kept: Kept) => CommandEnd | CommandFailure | Promise<CommandEnd>,
): Promise<CommandEnd> {
  const end = await withWorkspace(session, "read", async ({ stateDirectory }) => {
    const entries = await listSalvage(stateDirectory);
    return use({ stateDirectory, entries, rescued: await listRescued(stateDirectory) });
  });
  return readCommandEnd(end, session);
}

/** The tick that is meant, of those whose work is kept. */
function withTick(
  asked: string | undefined,
  session: Session,
  use: (runId: string, stateDirectory: string) => Promise<CommandEnd>,
): Promise<CommandEnd> {
  return withKept(session, ({ stateDirectory, entries, rescued }) => {
    const isEmpty = rescued.commits.length + rescued.folders.length === 0;
    const chosen = chooseRun(
      asked ?? null,
      entries.map(({ runId }) => runId),
      isEmpty
        ? "Nothing is kept: no tick has been put back."
        : "No files are kept, but commits or ignored files are: see `relais salvage list`.",
    );
    return chosen.kind === "run" ? use(chosen.runId, stateDirectory) : chosen;
  });
}

/** `relais salvage list`. */
export const listSalvageCommand: RunCommand = (_, session) => withKept(session, (kept) => printList(kept, session));

/** `relais salvage show`. */
export const showSalvageCommand: RunCommand = ({ positionals: [asked] }, session) =>
  withTick(asked, session, (runId, stateDirectory) => printWork(runId, stateDirectory, session));

/** `relais salvage apply`. */
export const apply: RunCommand = ({ positionals: [asked] }, session) =>
  withTick(asked, session, (runId) => applyWork(runId, session));

function printList({ entries, rescued }: Kept, session: Session): CommandEnd {
  if (session.json) session.out(`${JSON.stringify({ salvage: entries.map(entryDocument), rescued })}\n`);
  else {
    const works = entries.flatMap((entry) => (entry.kind === "found" ? [entry.work] : []));
    session.out(renderSalvageList({ works, rescued }, getCanvas(session)));
    for (const entry of entries)
      if (entry.kind === "damaged")
        session.err(`relais: ${neutralise(`${entry.runId} is damaged: ${entry.reason}`)}\n`);
  }
  return { kind: "ended", status: 0 };
}

function entryDocument(entry: SalvageEntry): object {
  if (entry.kind === "damaged") return { run_id: entry.runId, damaged: entry.reason };
  const { kept_at, code, files, left_out_total } = entry.work;
  return { run_id: entry.runId, kept_at, code, files: files.length, left_out: left_out_total };
}

async function printWork(runId: string, stateDirectory: string, session: Session): Promise<CommandEnd> {
  const shown = await showSalvage(stateDirectory, runId);
  if (shown.kind !== "found") {
    const why = shown.kind === "missing" ? "it has no meta.json" : shown.reason;
    const message = `The salvage of ${runId} is damaged: ${why}.`;
    const next = `See ${stateDirectory}/salvage/${runId}.`;
    return printFailure(refuse({ cause: "salvage_damaged", runId, message, next }), session);
  }
  const { work, patchPath, patch } = shown;
  const text = patch === null ? null : patch.toString("utf8");
  if (session.json) session.out(`${JSON.stringify({ ...work, patch_path: patchPath, patch: text })}\n`);
  else session.out(renderSalvageShow(work, { ...getCanvas(session), patch: text, isWhole: session.detail === "all" }));
  return { kind: "ended", status: 0 };
}

async function applyWork(runId: string, session: Session): Promise<CommandEnd> {
  const { cwd, environment, signal } = session;
  const answer = await bringBack({ cwd, environment, signal, runId });
  if (answer.kind !== "applied") return printFailure(answer, session);
  const { paths, leftOut } = answer;
  if (session.json) session.out(`${JSON.stringify({ run_id: runId, paths, left_out: leftOut })}\n`);
  else if (session.detail !== "quiet") session.out(renderApplied(answer, getCanvas(session)));
  return { kind: "ended", status: 0 };
}
