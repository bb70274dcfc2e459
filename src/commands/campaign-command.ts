import type { MadeCampaign } from "../records/setup-answers.ts";
import { brainstormCampaign } from "../workflows/brainstorm-campaign.ts";
import { cleanCampaign, initCampaign, stopCampaign } from "../workflows/init-campaign.ts";
import type { CommandFailure } from "../records/command-failure.ts";
import { renderCampaignFiles } from "../cards/campaign-text.ts";
import { neutralise, neutraliseLines } from "../base/style.ts";
import { type CommandEnd, refuseMisuse, type RunCommand, type Session } from "../terminal/command.ts";
import { printAnswer } from "../terminal/print-answer.ts";
import { printFailure } from "../terminal/refusal-answer.ts";
import { makeProcessSources } from "../terminal/live.ts";
import type { brainstormOptions, cleanOptions } from "./campaign-options.ts";
import { onCampaign } from "./campaign-slug.ts";

export const initCampaignCommand = onCampaign("init", async ({ slug, more, session }) =>
  printMade(await initCampaign(session, { slug, objective: more }), session),
);

const OPEN_STATUS = 10;

const NEEDS_PERSON_STATUS = 14;

export const brainstorm: RunCommand<typeof brainstormOptions> = async ({ positionals, options }, session) => {
  if (positionals.length > 1) return refuseMisuse("the description is one argument: put it in quotes");
  const answer = await brainstormCampaign({
    ...makeProcessSources(session),
    description: positionals[0] ?? null,
    isDrafted: options.flag("draft"),
    from: options.text("from"),
    isApproved: options.flag("yes"),
    show: neutraliseLines,
  });
  if (answer.kind === "misused") return answer;
  if (answer.kind === "made") return printMade(answer, session);
  if (answer.kind !== "unapproved") return printFailure(answer, session);
  const { contract, text } = answer;
  return printAnswer(
    {
      document: { approved: false, contract },
      text: () =>
        `${neutraliseLines(text)}\nNothing was written: the contract is not approved. Add --yes to approve it.\n`,
      status: NEEDS_PERSON_STATUS,
    },
    session,
  );
};

/** What was made. A contract that somebody wrote and that cannot be run is reported by the status too. */
function printMade(made: MadeCampaign | CommandFailure, session: Session): CommandEnd {
  if (made.kind !== "made") return printFailure(made, session);
  const { slug, files, problems } = made;
  const isNew = files.some(({ path, state }) => path.endsWith("/prd.md") && state === "written");
  const status = problems.length > 0 && !isNew ? OPEN_STATUS : 0;
  return printAnswer(
    { document: { slug, files, problems }, text: () => renderCampaignFiles(made, session), status },
    session,
  );
}

export const stop = onCampaign("stop", async ({ slug, session }) => {
  const stopped = await stopCampaign({ ...session, slug });
  if (stopped.kind !== "stopped") return printFailure(stopped, session);
  const text = `Stopped the campaign ${slug}; it is not finished.\nNext: relais campaign run ${slug}\n`;
  return printAnswer({ document: { slug, stopped: stopped.pid }, text: () => text }, session);
});

export const clean = onCampaign<typeof cleanOptions>("clean", async ({ slug, session }, options) => {
  const cleaned = await cleanCampaign({ ...session, slug, isKilled: options.flag("kill-session") });
  if (cleaned.kind !== "cleaned") return printFailure(cleaned, session);
  const { removed, killed, problems } = cleaned;
  const lines = [
    ...killed.map((name) => `ended the tmux session ${name}`),
    ...removed.map((path) => `removed ${neutralise(path)}`),
    ...(killed.length + removed.length === 0 ? ["Nothing to remove."] : []),
    `Next: relais campaign run ${slug}`,
    "",
  ];
  return printAnswer({ document: { slug, removed, killed }, text: () => lines.join("\n"), problems }, session);
});
