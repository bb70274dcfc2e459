import type { SeriesRequest } from "../../run/series/series-loop.ts";
import type { Session } from "../framework/command.ts";
import { SCRIPTED_ARGUMENT } from "../../run/tick/scripted-session.ts";

/** How relais itself is started for a scripted session. */
export function makeScriptPlayer({ relais }: Session): SeriesRequest<unknown>["player"] {
  return [...relais, SCRIPTED_ARGUMENT];
}
