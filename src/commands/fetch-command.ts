import { fetchJob } from "../jobs/fetch-job.ts";
import { renderFetched } from "../cards/job-text.ts";
import { printAnswer } from "../terminal/print-answer.ts";
import { findNamedJob, onQueue } from "./queue-answer.ts";
import type { RunCommand } from "../terminal/command.ts";

export const runFetch: RunCommand = ({ positionals: [asked] }, session) =>
  onQueue(session, async ({ engine }) => {
    const found = findNamedJob(asked, await engine.jobs());
    if (found.kind === "misused") return found;
    const answer = await fetchJob({ ...session, engine, view: found.view });
    if (answer.kind !== "fetched") return answer;
    const { kind: _, ...document } = answer;
    return printAnswer({ document, text: () => renderFetched(answer, session) }, session);
  });
