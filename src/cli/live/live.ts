/** Shows a person what happens while it happens: drawn where there is a terminal, told line by line where there is none. */
import type { LiveListener } from "../../contract/journal/live-event.ts";
import { isInBackground } from "../../run/series/in-background.ts";
import type { SeriesWatch } from "../../run/series/series-sitting.ts";
import type { Screen, Session } from "../framework/command.ts";
import { drawLive } from "./live-drawn.ts";
import { tellLive } from "./live-told.ts";
import { seriesWatch } from "./series-watch.ts";

export interface Live {
  readonly emit: LiveListener;
  readonly watch: SeriesWatch;
}

/** Looks on at what another process does; without a terminal, what is told is all there is. */
export function lookOn(session: Session): LiveListener {
  const { detail, out } = session;
  const screen = screenOf(session);
  if (screen === null) return tellLive({ detail, err: out });
  return drawLive({ ...session, screen }, { command: null });
}

/** Draws in the lower half of the terminal, below lines that matter as much; null where nothing can be drawn. */
export function drawBelow(session: Session): LiveListener | null {
  const screen = screenOf(session);
  if (screen === null || session.json) return null;
  return drawLive({ ...session, screen }, { command: null, share: 0.5 });
}

/** Begins to look on. What it shows is taken away by clearing the stage, before the end is told. */
export function openLive(session: Session, command: string): Live {
  const { json, detail } = session;
  const isSilent = detail === "quiet" || (json && detail !== "all");
  if (isSilent) return { emit: () => {}, watch: seriesWatch(session, false) };
  const screen = json ? null : screenOf(session);
  if (screen === null) return { emit: tellLive(session), watch: seriesWatch(session, false) };
  return { emit: drawLive({ ...session, screen }, { command }), watch: seriesWatch(session, true) };
}

/** What can be drawn on, and may be: a terminal that somebody else has is only told to. */
function screenOf({ screen, isPlain }: Session): Screen | null {
  return isPlain || isInBackground() ? null : screen;
}
