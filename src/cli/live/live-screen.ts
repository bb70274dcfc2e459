import { InvariantError } from "../../contract/values/invariant.ts";
import type { LiveListener, LiveEvent } from "../../contract/journal/live-event.ts";
import { isInBackground } from "../../run/series/in-background.ts";
import { renderAgentEvent } from "../../view/text/agent-event-text.ts";
import { renderFrame } from "../../view/live/frame.ts";
import { createLive } from "../../view/live/live-model.ts";
import { reduceLive } from "../../view/live/reduce-live.ts";
import type { Screen, Session } from "../framework/command.ts";
import type { LiveKeys } from "./live-keys.ts";
import { createPainter, type Painter } from "../framework/painter.ts";

/** The clock is redrawn without events. */
const CLOCK_MS = 1000;
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
  const { stage, screen, style } = session;
  const painter = createPainter({ write: stage.raw, size: screen.size });
  let model = createLive(command);
  let soon: NodeJS.Timeout | null = null;
  let takeDown: (() => void) | null = null;
  let isPaused = false;
  let keys: LiveKeys | null = null;
  const draw = (): void => {
    if (soon !== null) clearTimeout(soon);
    soon = null;
    if (isPaused || isInBackground()) return;
    const { columns, rows } = screen.size();
    const place = { columns, rows: Math.floor((rows - 1) * share), now: Date.now(), style };
    // While a held change is decided at this terminal, the question has the keys.
    const isAsked = command !== null && model.tick?.state.phase === "ask";
    painter.draw(renderFrame(model, { ...place, keys: isAsked ? null : (keys?.state() ?? null) }));
  };
  const begin = (): void => {
    takeDown = setUp({ screen, painter, draw });
    keys = openKeys?.(draw) ?? null;
    const close = (): void => {
      takeDown?.();
      takeDown = null;
      keys?.close();
      if (soon !== null) clearTimeout(soon);
      painter.erase();
    };
    const pause = (): (() => void) => {
      isPaused = true;
      painter.erase();
      return () => {
        isPaused = false;
        draw();
      };
    };
    stage.show({ ...painter, pause, close });
    draw();
  };
  return (event) => {
    model = reduceSafely(model, event);
    if (session.detail === "all") printAgentEvent(event, stage.out);
    if (event.kind === "opened" && takeDown === null) begin();
    if (takeDown !== null) soon ??= setTimeout(draw, DRAW_MS).unref();
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

interface SetUp {
  readonly screen: Screen;
  readonly painter: Painter;
  readonly draw: () => void;
}

/** Redraws every second, on resize and after a suspension; returns what ends that. */
function setUp({ screen, painter, draw }: SetUp): () => void {
  const clock = setInterval(draw, CLOCK_MS).unref();
  const ends = [screen.onResize(draw), screen.onSuspend({ before: painter.erase, after: draw })];
  return () => {
    clearInterval(clock);
    for (const end of ends) end();
  };
}
