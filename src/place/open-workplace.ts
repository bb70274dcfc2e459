import { unreachable } from "../base/errors.ts";
import { openInPlace } from "./in-place.ts";
import type { OverlayOptions } from "./overlay-start.ts";
import type { IsolationName, Workplace } from "./workplace.ts";

/** The place of one tick; nothing is mounted or observed yet. A tick has one of them, so only that one is loaded. */
export async function openWorkplace(isolation: IsolationName, options: OverlayOptions): Promise<Workplace> {
  switch (isolation) {
    case "overlay":
      return (await import("./overlay.ts")).openOverlay(options);
    case "clone":
      return (await import("./clone.ts")).openClone(options);
    case "in_place":
      return openInPlace(options);
    default:
      return unreachable(isolation);
  }
}
