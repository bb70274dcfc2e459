import type { CommandFailure } from "../records/command-failure.ts";
import type { PastTick } from "../records/status-answers.ts";
import { listPastTicks } from "../history/past-ticks.ts";
import { withSnapshot } from "../workspace/with-snapshot.ts";
import type { WorkspaceSnapshot } from "../workspace/workspace.ts";
import { readCommandEnd } from "../terminal/refusal-answer.ts";
import type { CommandEnd, Session } from "../terminal/command.ts";

interface Past {
  readonly around: WorkspaceSnapshot;
  readonly ticks: readonly PastTick[];
}

/** Reads all past ticks, or prints why that failed. */
export async function withPast(
  session: Session,
  use: (past: Past) => Promise<CommandEnd | CommandFailure>,
): Promise<CommandEnd> {
  const read = async (around: WorkspaceSnapshot) => use({ around, ticks: await listPastTicks(around) });
  return readCommandEnd(await withSnapshot(session, read), session);
}
