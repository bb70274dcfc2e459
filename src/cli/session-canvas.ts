import type { Canvas } from "../view/canvas.ts";
import type { Session } from "./command.ts";

const COLUMNS = 100;

/** Where a session lays text out: as wide as the terminal, or a usual width where there is none. */
export function canvasOf({ style }: Session): Canvas {
  return { style, columns: process.stdout.columns ?? COLUMNS };
}
