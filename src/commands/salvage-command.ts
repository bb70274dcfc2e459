import { bringBack } from "../decide/bring-back.ts";
import { type CommandFailure, refuse } from "../records/command-failure.ts";
import { listRescued, listSalvage, type SalvageEntry, showSalvage } from "../keep/salvage.ts";
import type { KeptPlace } from "../keep/keep-work.ts";
import { withSnapshot } from "../workspace/with-snapshot.ts";
import { renderApplied } from "../cards/decision-text.ts";
import { neutralise } from "../base/style.ts";
import { renderSalvageList, renderSalvageShow } from "../cards/salvage-text.ts";
import type { CommandEnd, RunCommand, Session } from "../terminal/command.ts";
import { makeDocument, printAnswer } from "../terminal/print-answer.ts";
import { readCommandEnd, printFailure } from "../terminal/refusal-answer.ts";
import { chooseRun } from "../terminal/run-choice.ts";

interface Kept {
  readonly place: KeptPlace;
  readonly entries: readonly SalvageEntry[];
  readonly rescued: Awaited<ReturnType<typeof listRescued>>;
}

/** Reads all kept work, or prints why that failed. */
async function withKept(
  session: Session,
  use: (kept: Kept) => CommandEnd | CommandFailure | Promise<CommandEnd>,
): Promise<CommandEnd> {
  const end = await withSnapshot(session, async (place) => {
    const entries = await listSalvage(place);
    return use({ place, entries, rescued: await listRescued(place.stateDirectory) });
  });
  return readCommandEnd(end, session);
}

/** Finds the named tick among those with kept work. */
function withTick(
  asked: string | undefined,
  session: Session,
  use: (runId: string, place: KeptPlace) => Promise<CommandEnd>,
): Promise<CommandEnd> {
  return withKept(session, ({ place, entries, rescued }) => {
    const isEmpty = rescued.commits.length + rescued.folders.length === 0;
    const chosen = chooseRun(
      asked ?? null,
      entries.map(({ runId }) => runId),
      isEmpty
        ? "Nothing is kept: no tick was reverted."
        : "No files are kept, but commits or ignored files are: see `relais salvage list`.",
    );
    return chosen.kind === "run" ? use(chosen.runId, place) : chosen;
  });
}

export const listSalvageCommand: RunCommand = (_, session) => withKept(session, (kept) => printList(kept, session));

export const showSalvageCommand: RunCommand = ({ positionals: [asked] }, session) =>
  withTick(asked, session, (runId, place) => printWork(runId, place, session));

export const apply: RunCommand = ({ positionals: [asked] }, session) =>
  withTick(asked, session, (runId) => applyWork(runId, session));

function printList({ entries, rescued }: Kept, session: Session): CommandEnd {
  const works = entries.flatMap((entry) => (entry.kind === "found" ? [entry.work] : []));
  if (!session.json)
    for (const entry of entries)
      if (entry.kind === "damaged")
        session.err(`relais: ${neutralise(`${entry.runId} is damaged: ${entry.reason}`)}\n`);
  return printAnswer(
    {
      document: { salvage: entries.map(makeEntryDocument), rescued },
      text: () => renderSalvageList({ works, rescued }, session),
      isAsked: true,
    },
    session,
  );
}

function makeEntryDocument(entry: SalvageEntry): object {
  if (entry.kind === "damaged") return { run_id: entry.runId, damaged: entry.reason };
  const { kept_at, code, files, left_out_total } = entry.work;
  return { run_id: entry.runId, kept_at, code, files: files.length, left_out: left_out_total };
}

async function printWork(runId: string, place: KeptPlace, session: Session): Promise<CommandEnd> {
  const shown = await showSalvage(place, runId);
  if (shown.kind !== "found") {
    const why = shown.kind === "missing" ? "it has no meta.json" : shown.reason;
    const message = `The salvage of ${runId} is damaged: ${why}.`;
    const next = `See ${place.stateDirectory}/salvage/${runId}.`;
    return printFailure(refuse({ cause: "salvage_damaged", runId, message, next }), session);
  }
  const { work, patchPath, patch } = shown;
  const text = patch === null ? null : patch.toString("utf8");
  return printAnswer(
    {
      document: { ...work, patch_path: patchPath, patch: text },
      text: () => renderSalvageShow(work, { ...session, patch: text, isWhole: session.detail === "all" }),
      isAsked: true,
    },
    session,
  );
}

async function applyWork(runId: string, session: Session): Promise<CommandEnd> {
  const answer = await bringBack({ ...session, runId });
  if (answer.kind !== "applied") return printFailure(answer, session);
  const document = makeDocument(answer, ["runId", "paths", "leftOut"]);
  return printAnswer({ document, text: () => renderApplied(answer, session) }, session);
}
