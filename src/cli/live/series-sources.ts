import type { SeriesRequest } from "../../run/series/series-loop.ts";
import type { Session } from "../framework/command.ts";
import { openLive } from "./live.ts";
import { makeProcessSources } from "./process-sources.ts";

type Sources = ReturnType<typeof makeProcessSources> & Pick<SeriesRequest<unknown>, "watch" | "emit">;

/** The sources of every command that runs a series: its process and its live view. */
export function makeSeriesSources(session: Session, command: string): Sources {
  return { ...makeProcessSources(session), ...openLive(session, command) };
}
