import type { SeriesRequest } from "../../run/series/series-loop.ts";
import { renderReportMarkdown } from "../../view/cards/report-markdown.ts";
import type { Session } from "../framework/command.ts";
import { makeScriptPlayer } from "./script-player.ts";
import { readVersion } from "../framework/version.ts";

type Source = "cwd" | "environment" | "signal" | "relaisVersion" | "player" | "renderReport";

/** What a command that starts sessions hands on from the process that it is. */
export function makeProcessSources(session: Session): Pick<SeriesRequest<unknown>, Source> {
  return {
    cwd: session.cwd,
    environment: session.environment,
    signal: session.signal,
    relaisVersion: readVersion(),
    player: makeScriptPlayer(session),
    renderReport: (report, maxChars) => renderReportMarkdown(report, { maxChars }),
  };
}
