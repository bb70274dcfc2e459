/** The keys of a live view: they do what commands from another terminal do, and load it when a key is pressed. */
import { describeError } from "../base/describe-error.ts";
import type { LiveKeyState } from "../cards/frame-line.ts";
import type { KeyHint } from "../base/key-line.ts";
import { printFailure, printWarning } from "./refusal-answer.ts";
import type { Session } from "./command.ts";

interface LiveKeysRequest {
  /** What was typed; null where another process runs it. */
  readonly command: string | null;
  readonly redraw: () => void;
}

export interface LiveKeys {
  readonly state: () => LiveKeyState;
  readonly close: () => void;
}

/** How long a second press counts. */
const AGAIN_MS = 5000;
const STOPPING = "stopping: the change is reverted, or its commit finished";
const ASK_STOP = "press s again to stop and revert the change";

interface Pressed {
  isPausing: boolean;
  isExplained: boolean;
  /** Runs out while a second press is waited for. */
  asked: NodeJS.Timeout | null;
}

/** Null where nobody can press a key. */
export function openLiveKeys(session: Session, request: LiveKeysRequest): LiveKeys | null {
  const { keyboard, signal } = session;
  if (keyboard === null) return null;
  const pressed: Pressed = { isPausing: false, isExplained: false, asked: null };
  const actions = makeActions(pressed, session, request);
  let last = Promise.resolve();
  const perform = async (key: string): Promise<void> => {
    const action = actions[key];
    if (action === undefined || signal.aborted) return;
    if (key !== "s") forgetStop(pressed);
    // A view decides nothing: whatever cannot be shown or asked does not fail the work.
    await action().catch((error: unknown) => printWarning(describeError(error), session));
    request.redraw();
  };
  const onKey = (key: string): void => {
    last = last.then(() => perform(key.toLowerCase()));
  };
  const end = keyboard.listen({ onKey });
  return {
    state: () => ({
      hints: signal.aborted ? [] : listHints(request.command, pressed.isPausing),
      notice: signal.aborted ? STOPPING : describePressed(pressed),
      isExplained: pressed.isExplained && !signal.aborted,
    }),
    close: () => {
      forgetStop(pressed);
      end();
    },
  };
}

type Actions = Readonly<Record<string, () => Promise<unknown>>>;

function makeActions(pressed: Pressed, session: Session, request: LiveKeysRequest): Actions {
  return {
    ...(request.command === "run" ? {} : { p: () => pause(pressed, session) }),
    s: () => stop(pressed, session, request),
    d: async () => (await import("./diff-answer.ts")).showDiff({ asked: null }, session),
    l: async () => (await import("./log-answer.ts")).showLog({ asked: null }, session),
    "?": async () => {
      pressed.isExplained = !pressed.isExplained;
    },
  };
}

async function pause(pressed: Pressed, session: Session): Promise<void> {
  const { requestPause, withdrawPause } = await import("../workspace/pause-runner.ts");
  const answer = pressed.isPausing ? await withdrawPause(session) : await requestPause(session);
  if (answer.kind === "pausing" || answer.kind === "resumed") pressed.isPausing = answer.kind === "pausing";
  else printFailure(answer, session);
}

async function stop(pressed: Pressed, session: Session, { command, redraw }: LiveKeysRequest): Promise<void> {
  if (pressed.asked === null) {
    const runOut = (): void => {
      pressed.asked = null;
      redraw();
    };
    pressed.asked = setTimeout(runOut, AGAIN_MS).unref();
    return;
  }
  forgetStop(pressed);
  if (command !== null) return session.keyboard?.interrupt();
  const { stopRunner } = await import("../workspace/stop-runner.ts");
  const answer = await stopRunner(session);
  if (answer.kind !== "stopped") printFailure(answer, session);
}

function forgetStop(pressed: Pressed): void {
  if (pressed.asked !== null) clearTimeout(pressed.asked);
  pressed.asked = null;
}

function describePressed({ asked, isPausing }: Pressed): string | null {
  if (asked !== null) return ASK_STOP;
  return isPausing ? "pauses after this tick" : null;
}

function listHints(command: string | null, isPausing: boolean): readonly KeyHint[] {
  return [
    ...(command === "run" ? [] : [["p", isPausing ? "go on" : "pause"] as const]),
    ["s", "stop"],
    ["d", "diff"],
    ["l", "log"],
    ["?", "help"],
  ];
}
