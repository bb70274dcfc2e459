import type { SeriesRequest } from "../../run/series/series-loop.ts";
import { renderReportMarkdown } from "../../view/cards/report-markdown.ts";
import type { Session } from "../framework/command.ts";
import { makeAskPerson } from "./ask-person.ts";
import { readVersion } from "../framework/version.ts";

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
