import * as v from "valibot";
import { SERIES_ENDS } from "../base/codes.ts";
import { CampaignStage, type CampaignSummary } from "../records/campaign-files.ts";
import { parseWith } from "../base/schema-error.ts";
import { type CampaignLife, readCampaignLife } from "../workflows/campaign-life.ts";
import { readProject } from "../workspace/read-project.ts";
import { findCampaign, findCampaigns, type FoundCampaign } from "../workflows/find-campaign.ts";
import { type CampaignAnswer, type CampaignRequest, runCampaign } from "../workflows/run-campaign.ts";
import { STAGE_VARIABLE, startInTmux } from "../workflows/start-tmux.ts";
import {
  type CampaignView,
  renderCampaignCard,
  renderCampaignLine,
  renderIteration,
  renderTmuxStart,
} from "../cards/campaign-text.ts";
import type { CommandEnd, RunCommand, Session } from "../terminal/command.ts";
import type { Options } from "../terminal/option-spec.ts";
import { parseChoices, writeChoices } from "../terminal/choice-options.ts";
import { printAnswer } from "../terminal/print-answer.ts";
import { printFailure } from "../terminal/refusal-answer.ts";
import { makeSeriesSources } from "../terminal/live.ts";
import type { runOptions } from "./campaign-options.ts";
import { onCampaign } from "./campaign-slug.ts";

type RunOptions = Options<typeof runOptions>;

export const runCampaignCommand = onCampaign<typeof runOptions>("run", async ({ slug, session }, options) => {
  const parsed = parseChoices(options);
  if (parsed.kind === "misused") return parsed;
  const request = { ...makeRequest(slug, options, session), configChoices: parsed.choices };
  const mode = options.choice("mode") ?? (await readMode(session));
  if (mode === "agent") return printEnd(await runCampaign(request), slug, session);
  const { relais } = session;
  const started = await startInTmux({ ...request, relais, options: listHandedOn(options) });
  if (started.kind === "no-tmux") {
    session.err("relais: tmux was not found; running here instead, as with --mode agent.\n");
    return printEnd(await runCampaign(request), slug, session);
  }
  if (started.kind === "misused") return started;
  if (started.kind !== "on-stage") return printFailure(started, session);
  const { session: name, panes, pid, attach } = started;
  const document = { slug, session_name: name, panes, pid, attach };
  return printAnswer({ document, text: () => renderTmuxStart(slug, started), isAsked: true }, session);
});

async function readMode(session: Session): Promise<"agent" | "tmux"> {
  const place = await readProject(session);
  return place.kind === "ready" ? place.config.campaign.mode : "agent";
}

/** The options of a run that its leader gets too. */
function listHandedOn(options: RunOptions): readonly string[] {
  const texts = (["max-iter", "worker-model", "verifier-model"] as const).map(
    (name) => [name, options.text(name)] as const,
  );
  const given = [...texts, ["verify-mode", options.choice("verify-mode")] as const];
  const words = given.flatMap(([name, value]) => (value === null ? [] : [`--${name}`, value]));
  return [...words, ...(options.flag("debug") ? ["--debug"] : []), ...writeChoices(options)];
}

/** Which session shows this run, where the process that started it has said so. */
function readStage({ environment }: Session): CampaignStage | null {
  const text = environment[STAGE_VARIABLE];
  const parsed = text === undefined ? null : parseWith(v.pipe(v.string(), v.parseJson(), CampaignStage), text);
  return parsed?.kind === "valid" ? parsed.value : null;
}

function makeRequest(slug: string, options: RunOptions, session: Session): Omit<CampaignRequest, "configChoices"> {
  return {
    slug,
    choices: {
      maxIter: options.text("max-iter"),
      workerModel: options.text("worker-model") ?? options.text("model"),
      verifierModel: options.text("verifier-model"),
      verifyMode: options.choice("verify-mode"),
    },
    isDebug: options.flag("debug"),
    ...makeSeriesSources(session, `campaign run ${slug}`),
    render: renderIteration,
    stage: readStage(session),
  };
}

async function printEnd(answer: CampaignAnswer, slug: string, session: Session): Promise<CommandEnd> {
  session.stage.clear();
  if (answer.kind === "misused") return answer;
  if (answer.kind !== "series") return printFailure(answer, session);
  const { summary, problems } = answer;
  const found = await findCampaign({ ...session, slug });
  if (found.kind !== "campaign") return printFailure(found, session);
  const view = { ...found, ended: summary, life: OVER };
  const status = summary.exit_status;
  return printAnswer(
    { document: makeSummary(view), text: () => renderCampaignCard(view, session), status, problems },
    session,
  );
}

export const showCampaignStatus: RunCommand = (invocation, session) =>
  invocation.positionals.length === 0 ? listCampaigns(session) : showCampaign(invocation, session);

const showCampaign = onCampaign("status", async ({ slug, session }) => {
  const found = await findCampaign({ ...session, slug });
  if (found.kind !== "campaign") return printFailure(found, session);
  const view = { ...found, ended: null, life: await readCampaignLife(found) };
  return printAnswer(
    { document: makeSummary(view), text: () => renderCampaignCard(view, session), isAsked: true },
    session,
  );
});

/** `relais campaign status` without a slug. */
async function listCampaigns(session: Session): Promise<CommandEnd> {
  const found = await findCampaigns(session);
  if (found.kind !== "campaigns") return printFailure(found, session);
  const campaigns: CampaignSummary[] = [];
  for (const campaign of found.campaigns)
    campaigns.push(makeSummary({ ...campaign, ended: null, life: await readCampaignLife(campaign) }));
  const { unfinished } = found;
  const lines = [
    ...campaigns.map(renderCampaignLine),
    ...unfinished.map((slug) => `${slug}: its contract is not finished`),
  ];
  if (lines.length === 0) lines.push("There is no campaign here.", "Next: relais campaign brainstorm");
  return printAnswer(
    { document: { campaigns, unfinished }, text: () => `${lines.join("\n")}\n`, isAsked: true },
    session,
  );
}

const STATUS = {
  complete: SERIES_ENDS.complete.exit,
  blocked: SERIES_ENDS.needs_human.exit,
  timeout: SERIES_ENDS.timeout.exit,
} as const;

/** A process that ran the campaign to its end no longer works on it. */
const OVER: CampaignLife = { leader: null, session: null };

function makeSummary(view: FoundCampaign & Pick<CampaignView, "ended" | "life">): CampaignSummary {
  const { status, seriesId, folderPath, branch, commits, ended, life } = view;
  const { sentinel } = status;
  return {
    kind: "campaign_summary",
    series_id: seriesId,
    ...status,
    message: ended?.message ?? status.message,
    folder: folderPath,
    ...life,
    branch,
    commits: commits.length,
    exit_status: ended?.exit_status ?? (sentinel === null ? 0 : STATUS[sentinel]),
  };
}
