import type { SessionReply, SessionRequest } from "../../agents/session/driver.ts";
import { readClockMs } from "../../io/machine/clock.ts";
import { type DropFolder, openDropFolder } from "../../io/files/drop-folder.ts";
import type { ReadyAgent, TickSession } from "../session/tick-session.ts";

type OwnPart = Omit<
  SessionRequest,
  | "model"
  | "cwd"
  | "tree"
  | "enclosure"
  | "environment"
  | "runId"
  | "runDirectory"
  | "idleTimeoutMs"
  | "environmentNames"
  | "signal"
  | "onEvent"
>;

/** Runs one session of an agent in the repository, with what every role gets from the tick. */
export function runAgent(
  session: TickSession,
  { driver, limits, model }: Omit<ReadyAgent, "fallbacks">,
  request: OwnPart,
): Promise<SessionReply> {
  const { repository, config, runId, runDirectory, signal, emit, place } = session;
  const speaker = request.name === undefined ? request.role : `${request.role} ${request.name}`;
  return driver.run({
    ...request,
    model,
    cwd: place.cwd,
    tree: place.tree,
    enclosure: place.enclosure,
    environment: repository.environment,
    runId,
    runDirectory,
    idleTimeoutMs: limits.idleTimeoutMs,
    environmentNames: config.env.agents,
    signal,
    onEvent: (event) => emit?.({ kind: "agent", atMs: readClockMs(), speaker, event }),
  });
}

export async function withDropFolder<T>(
  { place, config }: TickSession,
  dispatch: string,
  work: (drop: DropFolder) => Promise<T>,
): Promise<T> {
  const drop = await openDropFolder({
    root: place.tree,
    cwd: place.cwd,
    workspaceDir: config.workspace_dir,
    dispatch,
  });
  try {
    return await work(drop);
  } finally {
    await drop.remove();
  }
}

/**
 * After a session: restores the user's file in the place where the program leaves its result. The exchange of a result
 * is not part of the work.
 */
export async function restoreOutputFile(
  { place }: TickSession,
  { driver: { outputFile } }: Omit<ReadyAgent, "fallbacks">,
) {
  if (typeof outputFile === "string") await place.putBackFile(outputFile);
}
