import type { SeriesRequest } from "../../run/series/series-sitting.ts";
import { reportMarkdown } from "../../view/cards/report-markdown.ts";
import type { Session } from "../framework/command.ts";
import { scriptPlayer } from "./script-player.ts";
import { version } from "../framework/version.ts";

type Source = "cwd" | "environment" | "signal" | "relaisVersion" | "player" | "renderReport";

/** What a command that starts sessions hands on from the process that it is. */
export function processSources(session: Session): Pick<SeriesRequest<unknown>, Source> {
  return {
    cwd: session.cwd,
    environment: session.environment,
    signal: session.signal,
    relaisVersion: version(),
    player: scriptPlayer(session),
    renderReport: (report, maxChars) => reportMarkdown(report, { maxChars }),
  };
}
