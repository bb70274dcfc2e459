import type { SeriesRequest } from "../../run/series/series-sitting.ts";
import type { Session } from "../framework/command.ts";
import { openLive } from "./live.ts";
import { processSources } from "./process-sources.ts";

type Sources = ReturnType<typeof processSources> & Pick<SeriesRequest<unknown>, "watch" | "emit">;

/** The sources of every command that runs a series: its process and its live view. */
export function seriesSources(session: Session, command: string): Sources {
  return { ...processSources(session), ...openLive(session, command) };
}
