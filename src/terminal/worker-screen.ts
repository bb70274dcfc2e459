/** The live view of a worker: a line for each slot, drawn on a terminal; a timestamped log elsewhere. */
import type { WorkerEvent } from "../queue/pure/job.ts";
import { isInBackground } from "../process/proc-stat.ts";
import { describeWorkerEvent, renderWorkerFrame, type SlotView, updateSlot } from "../cards/worker-text.ts";
import type { Screen, Session } from "./command.ts";
import { showFrame } from "./show-frame.ts";

type WorkerListener = (event: WorkerEvent) => void;

export function watchWorker(session: Session, slots: number): WorkerListener {
  const { detail, json, isPlain, screen, err } = session;
  if (detail === "quiet" || (json && detail !== "all")) return () => {};
  const say = (event: WorkerEvent): void => {
    const words = describeWorkerEvent(event, screen === null || isPlain || detail === "all");
    if (words !== null) err(`${new Date().toISOString().slice(11, 19)} ${words}\n`);
  };
  if (json || isPlain || screen === null || isInBackground()) return say;
  return drawSlots(session, screen, slots, say);
}

function drawSlots(session: Session, screen: Screen, slots: number, say: WorkerListener): WorkerListener {
  const views: (SlotView | null)[] = Array.from({ length: slots }, () => null);
  const render = (): readonly string[] => {
    const { columns } = screen.size();
    return renderWorkerFrame(views, columns, Date.now(), session.style);
  };
  const draw = showFrame({ stage: session.stage, screen }, render);
  draw();
  return (event) => {
    if (event.kind !== "warned") views[event.slot - 1] = updateSlot(views[event.slot - 1] ?? null, event, Date.now());
    say(event);
    draw();
  };
}
