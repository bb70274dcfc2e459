import type { SessionReply, SessionRequest } from "../agents/driver.ts";
import type { Excess } from "../base/manifest.ts";
import { describeExcess, nameExcess } from "../judge/pure/growth-gate.ts";
import { readClockMs } from "../system/clock.ts";
import { type DropFolder, openDropFolder } from "../system/drop-folder.ts";
import { describeRefusedHosts, openSessionSandbox, type TickEnclosure } from "../place/tick-sandbox.ts";
import { type KeptRecord, openRecord, type SessionKeeping } from "./kept-session.ts";
import type { ReadyAgent, OpenTick } from "./running-tick.ts";

type OwnRequest = Omit<
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

type OwnPart = Omit<OwnRequest, "record"> & {
  /** The program keeps what was said, and goes on with an earlier session if there is one; absent is neither. */
  readonly keeping?: SessionKeeping;
  /** For a session that goes on with an earlier one. */
  readonly resumedPrompt?: string;
};

/**
 * Runs one session of an agent in the repository, with what every role gets from the tick. One that adds more to the
 * repository than a tick may add is stopped.
 */
export async function runAgent(
  session: OpenTick,
  { driver, limits, model }: Omit<ReadyAgent, "fallbacks">,
  own: OwnPart,
): Promise<SessionReply> {
  const {
    tick: { config, runId, signal },
    where: { repository, runDirectory, place },
    record: { emit },
  } = session;
  const speaker = own.name === undefined ? own.role : `${own.role} ${own.name}`;
  const watch = place.watchGrowth();
  const { enclosure, reach, close } = await openSessionSandbox(
    { ...session.where, config },
    { driver, drop: own.drop.path },
  );
  try {
    const { request, take } = await addRecord(own, driver.name, reach);
    const reply = await driver.run({
      ...request,
      model,
      cwd: place.cwd,
      tree: place.tree,
      enclosure,
      environment: repository.environment,
      runId,
      runDirectory,
      idleTimeoutMs: limits.idleTimeoutMs,
      environmentNames: config.env.agents,
      signal: AbortSignal.any([signal, watch.signal]),
      onEvent: (event) => emit?.({ kind: "agent", atMs: readClockMs(), speaker, event }),
    });
    await take(reply);
    const refused = describeRefusedHosts((await close()).refusedHosts);
    const excess = watch.findExcess();
    const ended = reply.kind !== "aborted" || signal.aborted || excess === null ? reply : failGrown(reply, excess);
    if (refused === null) return ended;
    // A builder's reply carries its own notes.
    if (own.role !== "builder") session.left.refusals = [...(session.left.refusals ?? []), refused];
    return addRefusal(ended, refused);
  } catch (error) {
    await close();
    throw error;
  } finally {
    watch.end();
  }
}

/** The wish goes to the program, and a session that goes on with another one has a shorter prompt. */
async function addRecord(
  { keeping, resumedPrompt, ...request }: OwnPart,
  driver: string,
  reach: TickEnclosure["reach"],
): Promise<{ readonly request: OwnRequest; readonly take: KeptRecord["take"] }> {
  const record = keeping === undefined ? null : await openRecord(driver, reach, keeping);
  if (record === null) return { request, take: async () => {} };
  const { wish, take } = record;
  const prompt = wish.earlier === null ? request.prompt : (resumedPrompt ?? request.prompt);
  return { request: { ...request, record: wish, prompt }, take };
}

function failGrown(reply: SessionReply, excess: Excess): SessionReply {
  const words = { cause: nameExcess(excess), message: describeExcess(excess) };
  return { ...reply, kind: "failed", code: "STOP_DIFF_TOO_LARGE", ...words };
}

/** A session that failed may have failed for want of a host. */
function addRefusal(reply: SessionReply, refused: string): SessionReply {
  const notes = [...(reply.notes ?? []), refused];
  return reply.kind === "failed" ? { ...reply, notes, message: `${reply.message}. ${refused}` } : { ...reply, notes };
}

export async function withDropFolder<T>(
  { tick: { config }, where: { place } }: OpenTick,
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
  { where: { change } }: OpenTick,
  { driver: { outputFile } }: Omit<ReadyAgent, "fallbacks">,
) {
  if (typeof outputFile === "string") await change.putBackFile(outputFile);
}
