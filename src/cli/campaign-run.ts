import { SERIES_ENDS } from "../contract/codes.ts";
import type { CampaignSummary } from "../contract/campaign-files.ts";
import type { SeriesSummary } from "../contract/series.ts";
import { findCampaign, type FoundCampaign } from "../run/campaign/find-campaign.ts";
import { type CampaignAnswer, type CampaignRequest, runCampaign } from "../run/campaign/run-campaign.ts";
import { SCRIPTED_ARGUMENT } from "../run/scripted-session.ts";
import { iterationText } from "../view/campaign-result.ts";
import { campaignCard } from "../view/campaign-text.ts";
import { reportMarkdown } from "../view/report-markdown.ts";
import type { OptionValues } from "./arguments.ts";
import type { CommandEnd, Session } from "./command.ts";
import { tellObstacle, tellUnpublished } from "./refusal-answer.ts";
import { seriesWatch } from "./series-watch.ts";
import { canvasOf } from "./session-canvas.ts";
import { version } from "./version.ts";

/** `relais campaign run`. */
export async function runIt(slug: string, options: OptionValues, session: Session): Promise<CommandEnd> {
  return tell(await runCampaign(requestOf(slug, options, session)), slug, session);
}

function requestOf(slug: string, options: OptionValues, session: Session): CampaignRequest {
  return {
    slug,
    choices: {
      maxIter: options.text("max-iter"),
      workerModel: options.text("worker-model"),
      verifierModel: options.text("verifier-model"),
      verifyMode: options.text("verify-mode"),
    },
    isDebug: options.flag("debug"),
    cwd: session.cwd,
    environment: process.env,
    signal: session.signal,
    relaisVersion: version(),
    player: [process.execPath, process.argv[1] ?? "", SCRIPTED_ARGUMENT],
    renderReport: (report, maxChars) => reportMarkdown(report, { maxChars }),
    renderIteration: iterationText,
    watch: seriesWatch(session),
  };
}

async function tell(answer: CampaignAnswer, slug: string, session: Session): Promise<CommandEnd> {
  if (answer.kind === "misused") return answer;
  if (answer.kind !== "series") return tellObstacle(answer, session);
  const { summary, problems } = answer;
  const found = await findCampaign({ cwd: session.cwd, environment: process.env, slug });
  if (found.kind !== "campaign") return tellObstacle(found, session);
  if (session.json) session.out(`${JSON.stringify(summaryOf(found, summary))}\n`);
  else if (session.detail !== "quiet" || summary.exit_status !== 0)
    session.out(campaignCard({ ...found, ended: summary, life: [] }, canvasOf(session)));
  tellUnpublished(problems, session);
  return { kind: "ended", status: summary.exit_status };
}

/** `relais campaign status`. */
export async function showStatus(slug: string, session: Session): Promise<CommandEnd> {
  const found = await findCampaign({ cwd: session.cwd, environment: process.env, slug });
  if (found.kind !== "campaign") return tellObstacle(found, session);
  if (session.json) session.out(`${JSON.stringify(summaryOf(found, null))}\n`);
  else session.out(campaignCard({ ...found, ended: null, life: [] }, canvasOf(session)));
  return { kind: "ended", status: 0 };
}

const STATUS = {
  complete: SERIES_ENDS.complete.exit,
  blocked: SERIES_ENDS.needs_human.exit,
  timeout: SERIES_ENDS.timeout.exit,
} as const;

function summaryOf(found: FoundCampaign, ended: SeriesSummary | null): CampaignSummary {
  const { status, seriesId, folderPath, branch, commits } = found;
  const { sentinel } = status;
  return {
    kind: "campaign_summary",
    series_id: seriesId,
    ...status,
    message: ended?.message ?? status.message,
    folder: folderPath,
    branch,
    commits: commits.length,
    exit_status: ended?.exit_status ?? (sentinel === null ? 0 : STATUS[sentinel]),
  };
}
