import { InvariantError } from "../base/invariant.ts";
import type { LiveListener, LiveEvent } from "../records/live-event.ts";
import { renderAgentEvent } from "../cards/agent-event-text.ts";
import { renderFrame } from "../cards/frame.ts";
import { createLive } from "../cards/live-model.ts";
import { reduceLive } from "../cards/reduce-live.ts";
import type { Screen, Session } from "./command.ts";
import type { LiveKeys } from "./live-keys.ts";
import { showFrame } from "./show-frame.ts";

/** Events within this time are drawn together. */
const DRAW_MS = 80;

type DrawingSession = Pick<Session, "stage" | "style" | "detail"> & { readonly screen: Screen };

interface Drawing {
  /** What was typed; null where another process runs it. */
  readonly command: string | null;
  /** How much of the terminal it may take; absent is all of it. */
  readonly share?: number;
  /** Opens the keys, if a person can press some. */
  readonly openKeys?: (redraw: () => void) => LiveKeys | null;
}

/** Draws the live view at the bottom of the terminal, from the first event until the stage is cleared. */
export function drawLive(session: DrawingSession, { command, share = 1, openKeys }: Drawing): LiveListener {
  const { screen, style, stage } = session;
  let model = createLive(command);
  let soon: NodeJS.Timeout | null = null;
  let show: (() => void) | null = null;
  let keys: LiveKeys | null = null;
  const render = (): readonly string[] => {
    const { columns, rows } = screen.size();
    const place = { columns, rows: Math.floor((rows - 1) * share), now: Date.now(), style };
    // While a held change is decided at this terminal, the question has the keys.
    const isAsked = command !== null && model.tick?.state.phase === "ask";
    return renderFrame(model, { ...place, keys: isAsked ? null : (keys?.state() ?? null) });
  };
  const draw = (): void => {
    if (soon !== null) clearTimeout(soon);
    soon = null;
    show?.();
  };
  const onClose = (): void => {
    show = null;
    keys?.close();
    if (soon !== null) clearTimeout(soon);
  };
  const begin = (): void => {
    keys = openKeys?.(draw) ?? null;
    show = showFrame(session, { render, onClose });
    draw();
  };
  return (event) => {
    model = reduceSafely(model, event);
    if (session.detail === "all") printAgentEvent(event, stage.out);
    if (event.kind === "opened" && show === null) begin();
    if (show !== null) soon ??= setTimeout(draw, DRAW_MS).unref();
  };
}

/** The view decides nothing, so an event that it cannot fold is not shown. */
function reduceSafely(model: ReturnType<typeof createLive>, event: LiveEvent): ReturnType<typeof createLive> {
  try {
    return reduceLive(model, event);
  } catch (error) {
    if (error instanceof InvariantError) return model;
    throw error;
  }
}

function printAgentEvent(event: LiveEvent, out: (text: string) => void): void {
  const text = event.kind === "agent" ? renderAgentEvent(event.speaker, event.event) : null;
  if (text !== null) out(`${text}\n`);
}
