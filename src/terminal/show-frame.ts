import { isInBackground } from "../process/proc-stat.ts";
import type { Screen, Session } from "./command.ts";
import { createPainter } from "./painter.ts";

/** The clock is redrawn without events. */
const CLOCK_MS = 1000;

/**
 * Holds a frame at the bottom of the terminal until the stage is cleared: it is redrawn each second, on resize and after a
 * suspension. Answers with the function that draws it now.
 */
export function showFrame(
  { stage, screen }: Pick<Session, "stage"> & { readonly screen: Screen },
  render: () => readonly string[],
  onClose?: () => void,
): () => void {
  const painter = createPainter({ write: stage.raw, size: screen.size });
  let isPaused = false;
  const draw = (): void => {
    if (!isPaused && !isInBackground()) painter.draw(render());
  };
  const clock = setInterval(draw, CLOCK_MS).unref();
  const ends = [screen.onResize(draw), screen.onSuspend({ before: painter.erase, after: draw })];
  const close = (): void => {
    clearInterval(clock);
    for (const end of ends) end();
    onClose?.();
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
  return draw;
}
