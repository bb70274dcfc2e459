import { InvariantError } from "../../contract/values/invariant.ts";
import type { See, Sight } from "../../contract/journal/sight.ts";
import { isInBackground } from "../../run/series/in-background.ts";
import { agentEventText } from "../../view/text/agent-event-text.ts";
import { frame } from "../../view/live/frame.ts";
import { newLive } from "../../view/live/live-model.ts";
import { reduceLive } from "../../view/live/reduce-live.ts";
import type { Screen, Session } from "../framework/command.ts";
import { createPainter, type Painter } from "../framework/painter.ts";

/** A clock has to go on by itself. */
const CLOCK_MS = 1000;
/** What comes faster than this is drawn together. */
const DRAW_MS = 80;

type DrawingSession = Pick<Session, "stage" | "style" | "detail"> & { readonly screen: Screen };

interface Drawing {
  /** What was typed; null where another process runs it. */
  readonly command: string | null;
  /** How much of the terminal it may take; absent is all of it. */
  readonly share?: number;
}

/** Draws what is seen at the bottom of the terminal, from the first sight until the stage is cleared. */
export function drawLive(session: DrawingSession, { command, share = 1 }: Drawing): See {
  const { stage, screen, style } = session;
  const painter = createPainter({ write: stage.raw, size: screen.size });
  let model = newLive(command);
  let soon: NodeJS.Timeout | null = null;
  let takeDown: (() => void) | null = null;
  const draw = (): void => {
    if (soon !== null) clearTimeout(soon);
    soon = null;
    if (isInBackground()) return;
    const { columns, rows } = screen.size();
    painter.draw(frame(model, { columns, rows: Math.floor((rows - 1) * share), now: Date.now(), style }));
  };
  const begin = (): void => {
    takeDown = setUp({ screen, painter, draw });
    const close = (): void => {
      takeDown?.();
      takeDown = null;
      if (soon !== null) clearTimeout(soon);
      painter.erase();
    };
    stage.show({ ...painter, close });
    draw();
  };
  return (sight) => {
    model = reduced(model, sight);
    if (session.detail === "all") tellAgent(sight, stage.out);
    if (sight.kind === "opened" && takeDown === null) begin();
    if (takeDown !== null) soon ??= setTimeout(draw, DRAW_MS).unref();
  };
}

/** What is shown decides nothing, so what cannot be understood is not shown. */
function reduced(model: ReturnType<typeof newLive>, sight: Sight): ReturnType<typeof newLive> {
  try {
    return reduceLive(model, sight);
  } catch (error) {
    if (error instanceof InvariantError) return model;
    throw error;
  }
}

function tellAgent(sight: Sight, out: (text: string) => void): void {
  const text = sight.kind === "agent" ? agentEventText(sight.speaker, sight.event) : null;
  if (text !== null) out(`${text}\n`);
}

interface SetUp {
  readonly screen: Screen;
  readonly painter: Painter;
  readonly draw: () => void;
}

/** Everything that makes a drawing go on; answers with what ends that. */
function setUp({ screen, painter, draw }: SetUp): () => void {
  const clock = setInterval(draw, CLOCK_MS).unref();
  const ends = [screen.onResize(draw), screen.onSuspend({ before: painter.erase, after: draw })];
  return () => {
    clearInterval(clock);
    for (const end of ends) end();
  };
}
