import { brainstormCampaign } from "../../../run/campaign/brainstorm-campaign.ts";
import { cleanCampaign } from "../../../run/campaign/clean-campaign.ts";
import { initCampaign, type MadeCampaign } from "../../../run/campaign/init-campaign.ts";
import { stopCampaign } from "../../../run/campaign/stop-campaign.ts";
import type { CommandFailure } from "../../../contract/answers/command-failure.ts";
import { renderCampaignFiles } from "../../../view/series/campaign-text.ts";
import { neutralise } from "../../../view/text/neutralise.ts";
import { type CommandEnd, refuseMisuse, type RunCommand, type Session } from "../../framework/command.ts";
import { printFailure, printUnpublished } from "../../answers/refusal-answer.ts";
import { makeProcessSources } from "../../live/process-sources.ts";
import { getCanvas } from "../../framework/session-canvas.ts";
import type { brainstormOptions, cleanOptions } from "./campaign-options.ts";
import { onCampaign } from "./campaign-slug.ts";

/** `relais campaign init`. */
export const initCampaignCommand = onCampaign("init", async ({ slug, more, session }) =>
  printMade(await initCampaign(session, { slug, objective: more }), session),
);

const OPEN_STATUS = 10;

const NEEDS_PERSON_STATUS = 14;

/** `relais campaign brainstorm`. */
export const brainstorm: RunCommand<typeof brainstormOptions> = async ({ positionals, options }, session) => {
  if (positionals.length > 1) return refuseMisuse("the description is one argument: put it in quotes");
  const answer = await brainstormCampaign({
    ...makeProcessSources(session),
    description: positionals[0] ?? null,
    isDrafted: options.flag("draft"),
    from: options.text("from"),
    isApproved: options.flag("yes"),
    show: neutralLines,
  });
  if (answer.kind === "misused") return answer;
  if (answer.kind === "made") return printMade(answer, session);
  if (answer.kind !== "unapproved") return printFailure(answer, session);
  if (session.json) session.out(`${JSON.stringify({ approved: false, contract: answer.contract })}\n`);
  else session.out(`${neutralLines(answer.text)}\nNothing was written: nobody has approved it. --yes does.\n`);
  return { kind: "ended", status: NEEDS_PERSON_STATUS };
};

function neutralLines(text: string): string {
  return text
    .split("\n")
    .map((line) => neutralise(line))
    .join("\n");
}

/** What was made. A contract that somebody wrote and that cannot be run is told by the status too. */
function printMade(made: MadeCampaign | CommandFailure, session: Session): CommandEnd {
  if (made.kind !== "made") return printFailure(made, session);
  const { slug, files, problems } = made;
  if (session.json) session.out(`${JSON.stringify({ slug, files, problems })}\n`);
  else if (session.detail !== "quiet") session.out(renderCampaignFiles(made, getCanvas(session)));
  const isNew = files.some(({ path, state }) => path.endsWith("/prd.md") && state === "written");
  return { kind: "ended", status: problems.length > 0 && !isNew ? OPEN_STATUS : 0 };
}

/** `relais campaign stop`. */
export const stop = onCampaign("stop", async ({ slug, session }) => {
  const { cwd, environment, signal } = session;
  const stopped = await stopCampaign({ cwd, environment, signal, slug });
  if (stopped.kind !== "stopped") return printFailure(stopped, session);
  const { pid } = stopped;
  if (session.json) session.out(`${JSON.stringify({ slug, stopped: pid })}\n`);
  else if (session.detail !== "quiet")
    session.out(`The campaign ${slug} was stopped, and it is not over.\nNext: relais campaign run ${slug}\n`);
  return { kind: "ended", status: 0 };
});

/** `relais campaign clean`. */
export const clean = onCampaign<typeof cleanOptions>("clean", async ({ slug, session }, options) => {
  const isKilled = options.flag("kill-session");
  const { cwd, environment, signal } = session;
  const cleaned = await cleanCampaign({ cwd, environment, signal, slug, isKilled });
  if (cleaned.kind !== "cleaned") return printFailure(cleaned, session);
  const { removed, killed, problems } = cleaned;
  if (session.json) session.out(`${JSON.stringify({ slug, removed, killed })}\n`);
  else if (session.detail !== "quiet") {
    const ended = killed.map((name) => `ended the tmux session ${name}`);
    const lines = [...ended, ...removed.map((path) => `removed ${neutralise(path)}`)];
    const next = `Next: relais campaign run ${slug}`;
    session.out([...(lines.length === 0 ? ["There was nothing to remove."] : lines), next, ""].join("\n"));
  }
  printUnpublished(problems, session);
  return { kind: "ended", status: 0 };
});
