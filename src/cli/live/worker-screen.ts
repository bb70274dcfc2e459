/** The live view of a worker: a line for each slot, drawn on a terminal; a timestamped log elsewhere. */
import type { WorkerEvent } from "../../contract/queue/worker-event.ts";
import { isInBackground } from "../../run/series/in-background.ts";
import { describeWorkerEvent, renderWorkerFrame, type SlotView, updateSlot } from "../../view/queue/worker-text.ts";
import type { Screen, Session } from "../framework/command.ts";
import { createPainter } from "../framework/painter.ts";

const CLOCK_MS = 1000;

type WorkerListener = (event: WorkerEvent) => void;

export function watchWorker(session: Session, slots: number): WorkerListener {
  const { detail, json, isPlain, screen, err } = session;
  if (detail === "quiet" || (json && detail !== "all")) return () => {};
  const say = (event: WorkerEvent): void => {
    const words = describeWorkerEvent(event, screen === null || isPlain || detail === "all");
    if (words !== null) err(`${new Date().toISOString().slice(11, 19)} ${words}\n`);
  };
  if (json || isPlain || screen === null || isInBackground()) return say;
  return drawSlots(session, { screen, slots, say });
}

interface Slots {
  readonly screen: Screen;
  readonly slots: number;
  readonly say: WorkerListener;
}

function drawSlots({ stage, style }: Session, { screen, slots, say }: Slots): WorkerListener {
  const painter = createPainter({ write: stage.raw, size: screen.size });
  const views: (SlotView | null)[] = Array.from({ length: slots }, () => null);
  let isPaused = false;
  const draw = (): void => {
    if (isPaused || isInBackground()) return;
    const { columns } = screen.size();
    painter.draw(renderWorkerFrame(views, { columns, now: Date.now(), style }));
  };
  const clock = setInterval(draw, CLOCK_MS).unref();
  const ends = [screen.onResize(draw), screen.onSuspend({ before: painter.erase, after: draw })];
  const close = (): void => {
    clearInterval(clock);
    for (const end of ends) end();
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
  return (event) => {
    if (event.kind !== "warned") views[event.slot - 1] = updateSlot(views[event.slot - 1] ?? null, event, Date.now());
    say(event);
    draw();
  };
}
