import type { SeriesRequest } from "../../run/series/series-sitting.ts";
import type { Session } from "../framework/command.ts";
import { openLive } from "./live.ts";
import { processSources } from "./process-sources.ts";

type Sources = ReturnType<typeof processSources> & Pick<SeriesRequest<unknown>, "watch" | "emit">;

/** What every command that runs a series hands on: its process, and whoever looks on. */
export function seriesSources(session: Session, command: string): Sources {
  return { ...processSources(session), ...openLive(session, command) };
}
