/** What is shown while the drill runs: one line that is drawn again on a terminal, a line for each builder elsewhere. */
import type { DrillResult } from "../drill/pure/drill-result.ts";
import { DRILL_OPENING, renderDrillLine, renderDrillProgress } from "../cards/drill-text.ts";
import type { Screen, Session } from "../terminal/command.ts";
import { createPainter } from "../terminal/painter.ts";

interface DrillWatch {
  readonly onStart: (turns: number) => void;
  readonly onResult: (result: DrillResult) => void;
  readonly close: () => void;
}

export function watchDrill(session: Session): DrillWatch {
  const { json, detail, isPlain, screen, err } = session;
  if (detail === "quiet" || (json && detail !== "all"))
    return { onStart: () => {}, onResult: () => {}, close: () => {} };
  if (!json && !isPlain && screen !== null) return drawDrill(session, screen);
  err(`${DRILL_OPENING}\n`);
  return {
    onStart: (turns) => err(`${turns} ticks, one for each builder in each workplace\n`),
    onResult: (result) => err(`${renderDrillLine(result)}\n`),
    close: () => {},
  };
}

function drawDrill({ stage }: Session, screen: Screen): DrillWatch {
  const painter = createPainter({ write: stage.raw, size: screen.size });
  const state: { done: number; turns: number; last: DrillResult | null; isPaused: boolean } = {
    done: 0,
    turns: 0,
    last: null,
    isPaused: false,
  };
  const draw = (): void => {
    if (state.isPaused) return;
    const { columns } = screen.size();
    painter.draw([renderDrillProgress(state.done, state.turns, state.last).slice(0, columns - 1)]);
  };
  const ends = [screen.onResize(draw), screen.onSuspend({ before: painter.erase, after: draw })];
  const close = (): void => {
    for (const end of ends) end();
    painter.erase();
  };
  const pause = (): (() => void) => {
    state.isPaused = true;
    painter.erase();
    return () => {
      state.isPaused = false;
      draw();
    };
  };
  stage.show({ ...painter, pause, close });
  draw();
  return {
    onStart: (turns) => {
      state.turns = turns;
      draw();
    },
    onResult: (result) => {
      state.done += 1;
      state.last = result;
      draw();
    },
    close: stage.clear,
  };
}
