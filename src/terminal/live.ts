/** The live view: drawn on a terminal, a timestamped log elsewhere. */
import type { LiveListener } from "../records/live-event.ts";
import { isInBackground } from "../process/in-background.ts";
import type { SeriesRequest, SeriesWatch } from "../workflows/series-loop.ts";
import type { Screen, Session } from "./command.ts";
import { openLiveKeys } from "./live-keys.ts";
import { drawLive } from "./live-screen.ts";
import { logLive } from "./live-log.ts";
import { makeProcessSources } from "./process-sources.ts";
import { makeSeriesWatch } from "./series-watch.ts";

interface Live {
  readonly emit: LiveListener;
  readonly watch: SeriesWatch;
}

/** Watches another process; without a terminal, as a log. */
export function watchInTerminal(session: Session): LiveListener {
  const { detail, out } = session;
  const screen = findScreen(session);
  if (screen === null) return logLive({ detail, err: out });
  return drawLive({ ...session, screen }, { command: null, openKeys: makeKeys(session, null) });
}

/** Draws in the lower half of the terminal, below other output; null where nothing can be drawn. */
export function drawBelow(session: Session): LiveListener | null {
  const screen = findScreen(session);
  if (screen === null || session.json) return null;
  return drawLive({ ...session, screen }, { command: null, share: 0.5 });
}

/** Opens the live view. Clearing the stage removes it before the final output. */
export function openLive(session: Session, command: string): Live {
  const { json, detail } = session;
  const isSilent = detail === "quiet" || (json && detail !== "all");
  if (isSilent) return { emit: () => {}, watch: makeSeriesWatch(session, false) };
  const screen = json ? null : findScreen(session);
  if (screen === null) return { emit: logLive(session), watch: makeSeriesWatch(session, false) };
  const drawing = { command, openKeys: makeKeys(session, command) };
  return { emit: drawLive({ ...session, screen }, drawing), watch: makeSeriesWatch(session, true) };
}

const makeKeys = (session: Session, command: string | null) => (redraw: () => void) =>
  openLiveKeys(session, { command, redraw });

type SeriesSources = ReturnType<typeof makeProcessSources> & Pick<SeriesRequest<unknown>, "watch" | "emit">;

/** The sources of every command that runs a series: its process and its live view. */
export function makeSeriesSources(session: Session, command: string): SeriesSources {
  return { ...makeProcessSources(session), ...openLive(session, command) };
}

/** The screen to draw on; null for --plain and for a process in the background. */
function findScreen({ screen, isPlain }: Session): Screen | null {
  return isPlain || isInBackground() ? null : screen;
}
