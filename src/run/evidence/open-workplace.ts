import { unreachable } from "../../contract/values/invariant.ts";
import { openClone } from "./clone.ts";
import { openInPlace } from "./in-place.ts";
import { openOverlay } from "./overlay.ts";
import type { OverlayOptions } from "./overlay-mount.ts";
import type { IsolationName, Workplace } from "./workplace.ts";

/** The place of one tick; nothing is mounted or observed yet. */
export function openWorkplace(isolation: IsolationName, options: OverlayOptions): Promise<Workplace> {
  switch (isolation) {
    case "overlay":
      return openOverlay(options);
    case "clone":
      return openClone(options);
    case "in_place":
      return openInPlace(options);
    default:
      return unreachable(isolation);
  }
}
