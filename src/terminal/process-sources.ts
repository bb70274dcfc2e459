import type { SeriesRequest } from "../workflows/series-loop.ts";
import { renderReportMarkdown } from "../cards/report-markdown.ts";
import type { Session } from "./command.ts";
import { makeAskPerson } from "./ask-in-terminal.ts";
import { readVersion } from "./version.ts";

type Source = "cwd" | "environment" | "signal" | "relaisVersion" | "player" | "renderReport" | "askPerson";

/** What a command that starts sessions hands on from its process. */
export function makeProcessSources(session: Session): Pick<SeriesRequest<unknown>, Source> {
  const { cwd, environment, signal, player } = session;
  return {
    cwd,
    environment,
    signal,
    player,
    relaisVersion: readVersion(),
    askPerson: makeAskPerson(session),
    renderReport: renderReportMarkdown,
  };
}
