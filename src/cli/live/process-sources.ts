import type { SeriesRequest } from "../../run/series/series-loop.ts";
import { renderReportMarkdown } from "../../view/cards/report-markdown.ts";
import type { Session } from "../framework/command.ts";
import { readVersion } from "../framework/version.ts";

type Source = "cwd" | "environment" | "signal" | "relaisVersion" | "player" | "renderReport";

/** What a command that starts sessions hands on from its process. */
export function makeProcessSources(session: Session): Pick<SeriesRequest<unknown>, Source> {
  const { cwd, environment, signal, player } = session;
  return {
    cwd,
    environment,
    signal,
    player,
    relaisVersion: readVersion(),
    renderReport: (report, maxChars) => renderReportMarkdown(report, { maxChars }),
  };
}
