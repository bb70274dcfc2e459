import type { SeriesRequest } from "../../run/series/series-sitting.ts";
import { SCRIPTED_ARGUMENT } from "../../run/tick/scripted-session.ts";

/** How relais itself is started for a scripted session. */
export function scriptPlayer(): SeriesRequest<unknown>["player"] {
  return [process.execPath, process.argv[1] ?? "", SCRIPTED_ARGUMENT];
}
