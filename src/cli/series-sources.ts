import { SCRIPTED_ARGUMENT } from "../run/scripted-session.ts";
import type { SeriesRequest } from "../run/series-sitting.ts";
import { reportMarkdown } from "../view/report-markdown.ts";
import type { Session } from "./command.ts";
import { openLive } from "./live.ts";
import { version } from "./version.ts";

type Source =
  "cwd" | "environment" | "signal" | "relaisVersion" | "player" | "renderReport" | "watch" | "see";

/** What every command that runs a series hands on from the process that it is. */
export function seriesSources(session: Session, command: string): Pick<SeriesRequest<unknown>, Source> {
  return {
    cwd: session.cwd,
    environment: process.env,
    signal: session.signal,
    relaisVersion: version(),
    player: [process.execPath, process.argv[1] ?? "", SCRIPTED_ARGUMENT],
    renderReport: (report, maxChars) => reportMarkdown(report, { maxChars }),
    ...openLive(session, command),
  };
}
