import { type WatchEnd, watchRun } from "../history/watch-run.ts";
import { withSnapshot } from "../workspace/with-snapshot.ts";
import { neutralise } from "../base/style.ts";
import { type CommandEnd, refuseMisuse, type Session } from "../terminal/command.ts";
import { showRole, type WatchedRole, watchInTerminal } from "../terminal/live.ts";
import { watchRunningJobs } from "./running-jobs.ts";
import { printFailure } from "../terminal/refusal-answer.ts";

interface WatchWish {
  readonly withPreflight: boolean;
  /** The role to show; null shows all. */
  readonly role: WatchedRole | null;
}

/** Watches another process until it is done; null where the status follows. */
export async function watchStatus(wish: WatchWish, session: Session): Promise<CommandEnd | null> {
  const mistake = findMistake(wish, session);
  if (mistake !== null) return refuseMisuse(mistake);
  const { role } = wish;
  const over = new AbortController();
  const signal = AbortSignal.any([session.signal, session.unread]);
  const emit = role === null ? watchInTerminal(session) : showRole(session, role);
  const shown = watchRunningJobs(session.environment, emit, AbortSignal.any([signal, over.signal]));
  shown.catch(() => null); // It is awaited below.
  const end = await withSnapshot(session, (workspace) =>
    watchRun(workspace, {
      emit,
      signal,
      player: session.player,
      isPatient: role !== null,
      onTrouble: ({ kind, line }) =>
        session.err(`relais: the journal is ${kind} at line ${neutralise(String(line ?? "?"))}.\n`),
    }),
  ).finally(() => over.abort());
  await shown;
  if (end.kind === "blocked" || end.kind === "refused") return printFailure(end, session);
  session.stage.clear();
  if (role !== null) printEnd(end, session);
  return role !== null || session.signal.aborted ? { kind: "ended", status: 0 } : null;
}

function printEnd(end: WatchEnd, { out }: Session): void {
  if (end.kind === "done") out(`The leader (process ${end.pid}) is done.\n`);
  if (end.kind === "gone")
    out(`The leader (process ${end.pid}) ended before its work was done.\nNext: relais status\n`);
}

/** Scripts follow `relais events --follow --json` instead of a live view. */
function findMistake({ withPreflight }: WatchWish, { json, detail }: Session): string | null {
  if (json) return "a live view has no --json; use `relais events --follow --json`";
  if (detail === "quiet") return "a live view has no --quiet";
  return withPreflight ? "--watch and --preflight exclude each other" : null;
}
