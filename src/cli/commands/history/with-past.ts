import type { CommandFailure } from "../../../contract/answers/command-failure.ts";
import type { PastTick } from "../../../contract/answers/past-tick.ts";
import { listPastTicks } from "../../../run/inspect/past-ticks.ts";
import { withSnapshot } from "../../../run/workspace/with-snapshot.ts";
import type { WorkspaceSnapshot } from "../../../run/workspace/workspace.ts";
import { readCommandEnd } from "../../answers/refusal-answer.ts";
import type { CommandEnd, Session } from "../../framework/command.ts";

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
