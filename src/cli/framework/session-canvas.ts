import type { Canvas } from "../../view/text/canvas.ts";
import type { Session } from "./command.ts";

/** Where a session lays text out. */
export function getCanvas({ style, columns }: Session): Canvas {
  return { style, columns };
}
